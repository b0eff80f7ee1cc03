// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import Testing

/// Models that people made in Xcode are read and written again. Without the fixtures, the suite is skipped.
///
/// `SPORADES_MODELS` names a folder with more models, which are compared, too.
@Suite(.enabled(if: Fixtures.areAvailable, "needs the fixtures"))
struct WrittenModelTests {
  private static let folders: [URL] = {
    let more = ProcessInfo.processInfo.environment["SPORADES_MODELS"]
    return [Fixtures.url("models")] + (more.map { [URL(fileURLWithPath: $0)] } ?? [])
  }()

  private static let paths: [URL] = folders.flatMap { folder in
    (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix("/contents") }.sorted()
      .map { folder.appendingPathComponent($0) }
  }

  /// All that a model does not keep of Xcode's files, or writes in another way.
  private static let known: Set = [
    // The layout of the diagram, and the versions of tools.
    "model/elements is lost", "model@lastSavedToolsVersion is another text",
    "model@systemVersion is another text",
    "model@minimumToolsVersion is another text", "model@sourceLanguage is another text",
    "model@sourceLanguage is new", "model@macOSVersion is lost", "model@iOSVersion is lost",
    "model@usedWithCloudKit is lost", "model@usedWithSwiftData is lost",
    // Files of older tools have the identifier first.
    "model has another order of attributes",
    // What the generated classes look like, and marks of a service that is gone.
    "entity@codeGenerationType is lost", "attribute@usesScalarValueType is new",
    "attribute@usesScalarValueType is another text", "attribute@syncable is lost",
    "relationship@syncable is lost", "entity@syncable is new",
    // The class `.Pet` is Pet, and `NSManagedObject` is none.
    "entity@representedClassName is another text", "entity@representedClassName is lost",
    // Older forms of indexes. Relationships have one anyway.
    "entity/compoundIndexes is lost", "entity/fetchIndex is new", "relationship@indexed is lost",
    // Numbers with other digits.
    "attribute@defaultValueString is another spelling",
    "attribute@minValueString is another spelling", "attribute@maxValueString is another spelling",
    // A renaming identifier that is the name itself, and user info without entries.
    "entity@elementID is lost", "entity/userInfo is lost", "attribute/userInfo is lost",
    "relationship/userInfo is lost",
    // Composites are named after their places.
    "attribute@composite is another text", "model/composite is lost", "model/composite is new",
  ]

  /// What only other public models show.
  private static let knownElsewhere: Set = [
    "attribute@storedInTruthFile is lost",
    "attribute@elementID is lost", "relationship@elementID is lost",
    // Defaults that are no values of their types.
    "attribute@defaultValueString is another text",
    // An index with the name of its attribute is a mark on it.
    "entity/fetchIndex is lost", "attribute@indexed is new",
  ]

  @Test func givesTheModelAgainAndXcodesFile() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("contents")
    var differences: Set<String> = []
    let isWide = Self.folders.count > 1
    let allowed = Self.known.union(isWide ? Self.knownElsewhere : [])
    #expect(Self.paths.count > 170)
    for path in Self.paths {
      let model: ManagedObjectModel
      do {
        model = try ManagedObjectModel(contentsOf: path)
      } catch {
        Issue.record("\(path.path)\n\(error)")
        continue
      }
      let omissions = try model.write(to: file, replacing: true)
      #expect(omissions.map(\.description) == [], "\(path.path)")
      let read = try ManagedObjectModel(contentsOf: file)
      #expect(read.differences(from: model).description == "", "\(path.path)")
      #expect(read.entityVersionHashesByName == model.entityVersionHashesByName)
      let found = XMLComparison.differences(
        try XMLTree.parse(String(contentsOf: path, encoding: .utf8)),
        try XMLTree.parse(String(contentsOf: file, encoding: .utf8)))
      for difference in found.subtracting(allowed).sorted() {
        Issue.record("\(path.path): \(difference)")
      }
      differences.formUnion(found)
    }
    #expect(allowed.subtracting(differences).sorted() == [])
  }

  @Test func aVersionInAFolderIsFoundAgain() throws {
    let folder = try TemporaryFolder()
    let model = try Fixtures.model(
      "models/alemar11+CoreDataPlus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld")
    for name in ["A.xcdatamodeld", "A.momd", "A.mom", "A.xcdatamodel"] {
      let url = folder.url.appendingPathComponent(name)
      try model.write(to: url)
      let read = try ManagedObjectModel(contentsOf: url)
      #expect(read.versionChecksum == model.versionChecksum)
      #expect(try ModelFile.versions(at: url).map(\.isCurrent) == [true])
    }
  }
}
