// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import Testing

/// A reference finds the version of a model with its checksum, when it is asked for it.
@Suite struct ModelReferenceTests {
  private let folder: TemporaryFolder
  private let first: ManagedObjectModel
  private let second: ManagedObjectModel

  /// A model in two versions, the second one the current.
  init() throws {
    folder = try TemporaryFolder()
    let user = #"<entity name="User"><attribute name="name" attributeType="String"/></entity>"#
    let one = try folder.write(
      TemporaryFolder.text(user), to: "Shop.xcdatamodeld/One.xcdatamodel/contents")
    let two = try folder.write(
      TemporaryFolder.text(user + #"<entity name="Pet"/>"#),
      to: "Shop.xcdatamodeld/Two.xcdatamodel/contents")
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>Two.xcdatamodel</string></dict></plist>
      """, to: "Shop.xcdatamodeld/.xccurrentversion")
    first = try ManagedObjectModel(contentsOf: one)
    second = try ManagedObjectModel(contentsOf: two)
  }

  private var file: URL {
    folder.url.appendingPathComponent("Shop.xcdatamodeld", isDirectory: true)
  }

  @Test func everyWayLeadsToTheVersionWithTheChecksum() throws {
    for model in [first, second] {
      let checksum = model.versionChecksum
      let references = [
        ManagedObjectModelReference(model: model, versionChecksum: checksum),
        ManagedObjectModelReference(fileURL: file, versionChecksum: checksum),
        ManagedObjectModelReference(name: "Shop", in: [folder.url], versionChecksum: checksum),
        ManagedObjectModelReference(
          entityVersionHashes: model.entityVersionHashesByName, in: [folder.url],
          versionChecksum: checksum),
      ]
      for reference in references {
        #expect(try reference.resolvedModel == model)
        #expect(reference.versionChecksum == checksum)
      }
    }
  }

  @Test func aSingleVersionIsReadFromItsOwnFolder() throws {
    let url = file.appendingPathComponent("One.xcdatamodel", isDirectory: true)
    let reference = ManagedObjectModelReference(
      fileURL: url, versionChecksum: first.versionChecksum)
    #expect(try reference.resolvedModel == first)
  }

  @Test func aWrongChecksumIsRefusedByName() throws {
    let references = [
      ManagedObjectModelReference(model: first, versionChecksum: "wrong"),
      ManagedObjectModelReference(fileURL: file, versionChecksum: "wrong"),
      ManagedObjectModelReference(name: "Shop", in: [folder.url], versionChecksum: "wrong"),
      ManagedObjectModelReference(
        entityVersionHashes: first.entityVersionHashesByName, in: [folder.url],
        versionChecksum: "wrong"),
    ]
    for reference in references {
      let error = #expect(throws: ModelError.self) { try reference.resolvedModel }
      #expect(error?.problems.map(\.code) == [.wrongChecksum])
      #expect(error?.problems.first?.detail.contains(first.versionChecksum) == true)
    }
  }

  @Test func aModelThatIsNotThereIsAnErrorAtTheFirstUse() throws {
    let references = [
      ManagedObjectModelReference(
        fileURL: folder.url.appendingPathComponent("None.xcdatamodel"), versionChecksum: "x"),
      ManagedObjectModelReference(name: "None", in: [folder.url], versionChecksum: "x"),
      ManagedObjectModelReference(
        entityVersionHashes: ["User": [1]], in: [folder.url], versionChecksum: "x"),
    ]
    for reference in references {
      let error = #expect(throws: ModelError.self) { try reference.resolvedModel }
      #expect(error?.problems.map(\.code) == [.unreadableFile])
    }
  }

  /// The file is read at the first use, and not again.
  @Test func theModelIsReadLateAndOnce() throws {
    let late = folder.url.appendingPathComponent("Late.xcdatamodel", isDirectory: true)
    let reference = ManagedObjectModelReference(
      fileURL: late, versionChecksum: first.versionChecksum)
    #expect(throws: ModelError.self) { try reference.resolvedModel }
    try FileManager.default.copyItem(
      at: file.appendingPathComponent("One.xcdatamodel", isDirectory: true), to: late)
    #expect(try reference.resolvedModel == first)
    try FileManager.default.removeItem(at: late)
    #expect(try reference.resolvedModel == first)
  }

  // MARK: - By the metadata of a store

  private func metadata(_ model: ManagedObjectModel) -> [String: MetadataValue] {
    [
      "NSStoreModelVersionHashes": .dictionary(
        model.entityVersionHashesByName.mapValues { .data($0) })
    ]
  }

  @Test func theModelOfAStoreIsFoundInFolders() throws {
    for model in [first, second] {
      let found = try ManagedObjectModel.mergedModel(
        from: [folder.url], forStoreMetadata: metadata(model))
      #expect(found == model)
    }
    let other = try ManagedObjectModel(entities: [EntityDescription("Other")])
    #expect(
      try ManagedObjectModel.mergedModel(from: [folder.url], forStoreMetadata: metadata(other))
        == nil)
  }

  /// A file that cannot be read is named only if the model was not found without it.
  @Test func aFileThatCannotBeReadIsNamedWhereItMayBeTheModel() throws {
    try folder.write("no model", to: "Bad.xcdatamodel/contents")
    #expect(
      try ManagedObjectModel.mergedModel(from: [folder.url], forStoreMetadata: metadata(first))
        == first)
    let other = try ManagedObjectModel(entities: [EntityDescription("Other")])
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel.mergedModel(from: [folder.url], forStoreMetadata: metadata(other))
    }
    #expect(
      error?.problems.first?.location?.file.contains("Bad.xcdatamodel") == true
        || "\(error as Any)".contains("Bad"))
  }
}
