// SPDX-License-Identifier: MIT
import Foundation
import SporadesArchives
import SporadesModel
import SporadesModelFiles
import Testing

/// Compiled models are written as Xcode's compiler writes them.
@Suite(.enabled(if: StoreFixture.areThere, "needs the fixtures"))
struct CompiledModelFileTests {
  private static let root = URL(fileURLWithPath: StoreFixture.root + "/mom")
  private static let resources = "alemar11+CoreDataPlus/Tests/Resources"

  static let files: [String] =
    (FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? [])
    .filter { $0.hasSuffix(".mom") }.sorted()

  @Test func theFixturesAreThere() { #expect(Self.files.count == 7) }

  /// The archive that is written of a compiled model's contents is the same, object by object.
  @Test(arguments: files)
  func writtenAgainItIsTheSame(_ path: String) throws {
    let original = Self.root.appendingPathComponent(path)
    let model = try ManagedObjectModel(contentsOf: original)
    let file = URL(fileURLWithPath: Sample.temporaryPath() + ".mom")
    let omissions = try model.write(to: file)
    #expect(omissions.map(\.description) == [])
    let differences = try ArchiveComparison.differences(
      Array(Data(contentsOf: original)), Array(Data(contentsOf: file)))
    #expect(differences.filter { !Self.known.contains($0) } == [])
  }

  /// The compiler names itself.
  private static let known: Set = [
    "NSManagedObjectModel.CDMCompilerToolVersion: a field, no field",
    "NSManagedObjectModel.CDMCompilerXcodeVersion: a field, no field",
  ]

  @Test(arguments: ["SampleModel", "SampleModel3"])
  func theListOfVersionsIsXcodes(_ name: String) throws {
    let folder = Self.root.appendingPathComponent(
      "\(Self.resources)/\(name)/Fixtures/\(name).momd")
    let versions = try ModelFile.versions(at: folder)
    let written = URL(fileURLWithPath: Sample.temporaryPath() + ".momd")
    let current = try #require(versions.first { $0.isCurrent })
    try ModelFile.write(
      versions.map { ($0.name, try $0.model()) }, current: current.name, to: written)
    func list(_ folder: URL) throws -> [String: Any] {
      let data = try Data(contentsOf: folder.appendingPathComponent("VersionInfo.plist"))
      #expect(data.starts(with: Array("bplist00".utf8)))
      let list = unsafe try PropertyListSerialization.propertyList(from: data, format: nil)
      return try #require(list as? [String: Any])
    }
    var (original, own) = (try list(folder), try list(written))
    // Compilers before Xcode 15 wrote no checksums.
    let checksums = "NSManagedObjectModel_VersionChecksums"
    if original[checksums] == nil { own[checksums] = nil }
    #expect(NSDictionary(dictionary: original) == NSDictionary(dictionary: own))
    original[checksums] = nil
    #expect(original.count == 2)
  }
}
