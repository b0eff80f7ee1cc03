// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import Testing

/// The mapping models in folders, for all versions of a model at once. Without the fixtures, the suite is skipped.
@Suite(.enabled(if: Fixtures.areAvailable))
struct MappingFoldersTests {
  private static let project = "objcio+core-data"

  private func versions(_ names: [String]) throws -> [ManagedObjectModel] {
    try names.map { name in
      let path = try #require(
        Fixtures.paths(named: "contents").first {
          $0.hasPrefix("models/\(Self.project)/") && $0.hasSuffix("\(name).xcdatamodel/contents")
        })
      return try ManagedObjectModel(contentsOf: Fixtures.url(path).deletingLastPathComponent())
    }
  }

  private var folder: URL {
    Fixtures.url("mapping/\(Self.project)/Migrations/Migrations")
  }

  @Test func eachFileIsReadOnceForAllVersions() throws {
    let models = try versions((2...6).map { "Moody \($0)" })
    let copy = try TemporaryFolder()
    let place = copy.url.appendingPathComponent("mappings", isDirectory: true)
    try FileManager.default.copyItem(at: folder, to: place)
    let mappings = MappingFolders([place])
    try FileManager.default.removeItem(at: place)
    let found = try mappings.mappingModels(
      from: Array(models.dropLast()), to: Array(models.dropFirst()))
    for source in 0..<4 {
      for destination in source..<4 {
        let alone = try MappingModel.mappingModels(
          from: [folder], forSource: models[source], destination: models[destination + 1])
        #expect(found[source, destination] == alone)
      }
    }
    #expect(!found[0, 0].isEmpty && found[0, 3].isEmpty)
    #expect(mappings.passedOver(zip((2...6).map { "Moody \($0)" }, models).map { $0 }) == [])
  }

  @Test func aMappingModelForOtherVersionsIsNamedWithTheReason() throws {
    let models = try versions(["Moody 2", "Moody 3"])
    let third = try ManagedObjectModel(entities: models[1].entities + [EntityDescription("Toy")])
    let mappings = MappingFolders([folder])
    #expect(try mappings.mappingModels(from: [models[0]], to: [third])[0, 0].isEmpty)
    let notes = mappings.passedOver([("Moody 2", models[0]), ("Moody 3", third)])
    let note = try #require(notes.first { $0.contains("Moody 2-Moody 3.xcmappingmodel") })
    #expect(note.contains("its newer version is nearest to Moody 3, and lacks Toy"))
    #expect(!note.contains("older"))
  }
}
