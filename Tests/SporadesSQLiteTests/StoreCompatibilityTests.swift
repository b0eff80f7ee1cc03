// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@Suite struct StoreCompatibilityTests {
  /// The metadata of a store that a model made.
  private func metadata(
    _ model: ManagedObjectModel, configuration: String? = nil
  ) throws -> [String: MetadataValue] {
    let path = Sample.temporaryPath()
    var options = SQLiteStoreOptions()
    options.configuration = configuration
    try SQLiteStore(path: path, model: model, options: options).close()
    return try SQLiteStore.metadata(ofStoreAt: URL(fileURLWithPath: path))
  }

  private func model(
    _ entities: [String: AttributeType], _ configurations: [String: [String]] = [:]
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: entities.sorted { $0.key < $1.key }.map { name, type in
        EntityDescription(name, attributes: [AttributeDescription("a", type, isOptional: true)])
      }, configurations: configurations)
  }

  @Test func aStoreAndItsOwnModelAreTheSame() throws {
    let metadata = try metadata(Sample.model)
    let compatibility = StoreCompatibility(of: metadata, with: Sample.model)
    #expect(compatibility == .same)
    #expect(compatibility.refusal(of: Sample.model) == nil)
    #expect(Sample.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  @Test func namesWhatWasAddedRemovedAndChanged() throws {
    let old = try model(["Gone": .string, "Kept": .string, "Turned": .string])
    let new = try model(["Kept": .string, "Made": .string, "Turned": .date])
    let metadata = try metadata(old)
    let compatibility = StoreCompatibility(of: metadata, with: new)
    #expect(
      compatibility == .different(.init(added: ["Made"], removed: ["Gone"], changed: ["Turned"])))
    let refusal = compatibility.refusal(of: new)
    #expect(refusal?.code == .incompatibleModel(["Gone", "Made", "Turned"]))
    #expect(!new.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  /// The store carries its model, so the error can say what differs.
  @Test func theErrorListsTheFirstDifferences() throws {
    let path = Sample.temporaryPath()
    let old = try model(["A": .string, "B": .string, "Gone": .string])
    try SQLiteStore(path: path, model: old).close()
    var a = EntityDescription(
      "A", attributes: [AttributeDescription("a", .date, isOptional: true, defaultValue: .null)])
    a.attributes += (1...6).map { AttributeDescription("n\($0)", .string) }
    let new = try ManagedObjectModel(entities: [
      a, EntityDescription("B", attributes: [AttributeDescription("a", .string)]),
    ])
    var options = SQLiteStoreOptions()
    options.migration = .off
    let error = #expect(throws: StoreError.self) {
      try SQLiteStore(path: path, model: new, options: options)
    }
    #expect(error?.code == .incompatibleModel(["A", "B", "Gone"]))
    #expect(
      error?.detail.hasSuffix(
        """
        The store was written with another model: only the store has Gone; both differ in A, B. A.a: the type \
        changes from String to Date. A.n1 is new: String. A.n2 is new: String. A.n3 is new: String. A.n4 is \
        new: String. There are 3 more differences. Open it for writing with migration.isAutomatic, and with \
        migration.infersMapping or with a migrationPlan whose stages or mapping models lead to this model. \
        Else open it with its own model, or name another file.
        """) == true, "\(error?.detail ?? "")")
  }

  @Test func aConfigurationIsComparedAlone() throws {
    let model = try model(["Here": .string, "There": .string], ["part": ["Here"]])
    let metadata = try metadata(model, configuration: "part")
    #expect(StoreCompatibility(of: metadata, with: model, configuration: "part") == .same)
    #expect(
      StoreCompatibility(of: metadata, with: model) == .different(.init(added: ["There"])))
    #expect(model.isConfiguration(withName: "part", compatibleWithStoreMetadata: metadata))
    #expect(!model.isConfiguration(withName: "none", compatibleWithStoreMetadata: metadata))
    #expect(!model.isConfiguration(withName: "none", compatibleWithStoreMetadata: [:]))
  }

  @Test func hashesOfALaterVersionAreNotCompared() throws {
    var metadata = try metadata(model(["A": .string]))
    metadata["NSStoreModelVersionHashesVersion"] = .integer(4)
    let same = try model(["A": .string])
    #expect(StoreCompatibility(of: metadata, with: same) == .same)
    let other = try model(["A": .date])
    let compatibility = StoreCompatibility(of: metadata, with: other)
    #expect(compatibility == .newer(version: 4))
    #expect(compatibility.refusal(of: other)?.code == .incompatibleModel(["A"]))
  }

  @Test(arguments: [[:], ["NSStoreModelVersionHashes": MetadataValue.string("none")]])
  func aStoreWithoutHashesIsOfNoKnownModel(_ metadata: [String: MetadataValue]) throws {
    let compatibility = StoreCompatibility(of: metadata, with: Sample.model)
    #expect(compatibility == .unknown)
    #expect(
      compatibility.refusal(of: Sample.model)?.code
        == .incompatibleModel(Sample.model.shapes.map(\.name)))
    #expect(!Sample.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
  }

  @Test func whatDiffersIsAnsweredWithoutOpeningTheStore() throws {
    let path = Sample.temporaryPath()
    try SQLiteStore(path: path, model: model(["A": .string])).close()
    let before = try FolderImage(ofStoreAt: path)
    let other = try model(["A": .date])
    var options = SQLiteStoreOptions()
    guard case .migrate = try OpeningPlan.read(at: path, other, options) else {
      Issue.record("The store is to be migrated.")
      return
    }
    options.migration = .off
    #expect(
      try OpeningPlan.read(at: path, other, options).refusal?.code == .incompatibleModel(["A"]))
    options.checksModel = false
    #expect(try OpeningPlan.read(at: path, other, options).refusal == nil)
    #expect(try FolderImage(ofStoreAt: path) == before)
  }
}
