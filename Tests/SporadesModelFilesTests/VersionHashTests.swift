// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import Testing

/// Hashes equal the hashes in stores of Apple's frameworks. Without the fixtures, the suite is skipped.
@Suite(.enabled(if: Fixtures.areAvailable))
struct VersionHashTests {
  private typealias Vectors = [String: [String: [String: String]]]

  @Test(arguments: [("confirmed_by_store", 28), ("computed_only", 146)])
  func hashesEqualEveryVector(group: String, count: Int) throws {
    let data = try Data(contentsOf: Fixtures.url("version_hash_vectors.json"))
    let vectors = try #require(try JSONDecoder().decode(Vectors.self, from: data)[group])
    #expect(vectors.count == count)
    var different: Set<String> = []
    for (path, expected) in vectors {
      let hashes = try Fixtures.model(path).entityVersionHashesByName.mapValues(hex)
      #expect(Set(hashes.keys) == Set(expected.keys))
      for (entity, hash) in hashes where hash != expected[entity] {
        different.insert(
          "\(URL(fileURLWithPath: path).deletingLastPathComponent().lastPathComponent) \(entity)")
      }
    }
    #expect(different == (group == "computed_only" ? Self.contradictory : []))
  }

  /// Vectors that contradict the hashes in stores. They contain the inverse of a relationship that is its own
  /// inverse, or treat composites as plain attributes.
  private static let contradictory: Set = [
    "113.xcdatamodel AwesomeComment", "Demo.xcdatamodel Comment", "Demo.xcdatamodel SocialComment",
    "ArtsyFolio v2.1.xcdatamodel Artwork", "CoreDataEvolutionIntegrationModel.xcdatamodel CDEItem",
    "GeneratedFlowModel.xcdatamodel FlowTask",
  ]

  @Test func contradictoryVectorsNameTheInverseOfARelationshipThatIsItsOwn() throws {
    let path = "models/3lvis+Sync/Tests/Sync/Models/113.xcdatamodeld/113.xcdatamodel/contents"
    var entities = try Fixtures.model(path).entities
    let place = try #require(entities.firstIndex { $0.name == "AwesomeComment" })
    let index = try #require(
      entities[place].relationships.firstIndex { $0.inverseName == $0.name })
    entities[place].relationships[index].inverseName = nil
    entities[place].relationships[index].unansweredInverseName = "awesomeComments"
    let hash = try ManagedObjectModel(entities: entities).entityVersionHashesByName[
      "AwesomeComment"]
    #expect(
      hash.map(hex) == "7ae76985974b1d8e5d4691bc7a7d97ab63486e2dd6faaed24ebb2bae86dfd583")
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  @Test(arguments: ["SampleModel", "SampleModel3"])
  func hashesAndChecksumsEqualThoseOfCompiledModels(name: String) throws {
    let list = Fixtures.url(
      "mom/alemar11+CoreDataPlus/Tests/Resources/\(name)/Fixtures/\(name).momd/VersionInfo.plist")
    let info = try PropertyListDecoder().decode(VersionInfo.self, from: Data(contentsOf: list))
    let versions = try ModelFile.versions(
      at: Fixtures.url(
        "models/alemar11+CoreDataPlus/Tests/Resources/\(name)/\(name).xcdatamodeld"))
    #expect(versions.count == info.hashes.count)
    for version in versions {
      let model = try version.model()
      let hashes = try #require(info.hashes[version.name]).mapValues { Array($0) }
      #expect(model.entityVersionHashesByName == hashes, "\(version.name)")
      #expect(model.isCompatible(withVersionHashes: hashes))
      if let checksum = info.checksums?[version.name] { #expect(model.versionChecksum == checksum) }
    }
  }

  private struct VersionInfo: Decodable {
    let hashes: [String: [String: Data]]
    let checksums: [String: String]?
    enum CodingKeys: String, CodingKey {
      case hashes = "NSManagedObjectModel_VersionHashes"
      case checksums = "NSManagedObjectModel_VersionChecksums"
    }
  }

  /// The values in the metadata of the stores that `fixtures/INDEX.md` names.
  @Test(
    arguments: [
      (
        "models/alemar11+CoreDataPlus/Tests/Resources/SampleModel3/SampleModel3.xcdatamodeld/"
          + "SampleModel3.xcdatamodel",
        "0KLB/FnL8roMcgeszeCxnPnvYqnn4VzB2DpFP6csqrDKzLB6fyG5rrVfjY5DtnQxx4355oWuKFublPf2Jo1UWg==",
        "u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik="
      ),
      (
        "models/contentful+contentful-persistence.swift/Tests/ContentfulPersistenceTests/"
          + "Test.xcdatamodeld/Test.xcdatamodel",
        "6EfkCVlZYIxr4rqME2NcWHkOzc51ilRSccLKUVgC5sGO8UPQ3W5ap+9rZ5VH8VLoQ/AV38RsdRWyjtYiQ0/zfQ==",
        "gW5zQaDo3eKxFNsxHZ1XfyoOL+OIJRPycZs1ji8H648="
      ),
      (
        "models/carekit-apple+CareKit/CareKitStore/CareKitStore/CoreData/CareKitStore.xcdatamodeld/"
          + "CareKitStore2.0.xcdatamodel",
        "gmTC3IwTCyYPc1WR2Svd4Qt14J4EnGV7+ptuZRt5VETXkb9gt/R69dD74mF8T2c/1ap2nd9BIrsDUQLv0d/itA==",
        ""
      ),
      (
        "models/duckduckgo+BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld/"
          + "BookmarksModel 5.xcdatamodel",
        "9WYf7a2enJKaL4wKAAgYwqyHAEQ12ZaJfnpBLqnbp6yzamL1LLxv+wKyoakpQaDZU1UTXD12xSVlsn0gDkf/oQ==",
        ""
      ),
      (
        "models/alemar11+CoreDataPlus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld/"
          + "SampleModel.xcdatamodel",
        "fACvwxty0QWritKFX3/LTtXZvI64UnFcRtP6qcjW1Yl0owr+rH+SpCvzy/uDYRpknMXbgacd3srn9wmE2KkL8Q==",
        ""
      ),
    ])
  func digestsEqualThoseOfStores(path: String, digest: String, checksum: String) throws {
    let model = try Fixtures.model(path)
    #expect(model.versionHashesDigest == digest)
    if !checksum.isEmpty { #expect(model.versionChecksum == checksum) }
  }
}
