// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesSQLite
import Testing

/// A new file is compared with one that Apple's frameworks made of the same model.
///
/// The differences are those of `docs/new-files.md`, no more and no fewer. `SPORADES_STORES` names a folder with
/// further real stores, whose differences are printed.
@Suite(.enabled(if: StoreFixture.areThere, "needs the fixtures")) struct NewFileTests {
  /// A row of the table in the documentation.
  private struct Row {
    let store: String
    /// A difference, with a star for any text.
    let pattern: [Substring]
    let count: Int

    init?(_ line: Substring) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, let count = Int(cells[2]) else { return nil }
      store = cells[0] == "all" ? "" : cells[0]
      pattern = cells[1].filter { $0 != "`" }.split(
        separator: "*", omittingEmptySubsequences: false)
      self.count = count
    }

    func covers(_ difference: String, of path: String) -> Bool {
      guard path.hasSuffix(store), difference.hasPrefix(pattern[0]),
        difference.hasSuffix(pattern[pattern.count - 1])
      else { return false }
      var rest = difference[...]
      for part in pattern where !part.isEmpty {
        guard let place = rest.range(of: part) else { return false }
        rest = rest[place.upperBound...]
      }
      return true
    }
  }

  private static func table() throws -> [Row] {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = package.appendingPathComponent("docs/new-files.md")
    return try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap(Row.init)
  }

  /// The paths of all real stores, each with a model: the one in the file, or Xcode's.
  private static func stores() throws -> [(path: String, model: ManagedObjectModel)] {
    let folder = StoreFixture.root + "/stores/"
    let carriers = try StoreFixture.carriers.map { path in
      let url = URL(fileURLWithPath: folder + path)
      return (path, try #require(try ManagedObjectModel.cachedModel(forStoreAt: url)))
    }
    let others = StoreFixture.all.filter { fixture in
      !StoreFixture.carriers.contains { fixture.name.hasSuffix($0) }
    }.map { (String($0.name.dropFirst("stores/".count)), $0.model) }
    return carriers + others
  }

  private func differences(_ path: String, _ model: ManagedObjectModel) throws -> [String] {
    let new = Sample.temporaryPath()
    try SQLiteStore(path: new, model: model).close()
    return try FileSchema(StoreFixture.copy(of: path)).differences(in: FileSchema(new))
  }

  @Test func differsFromRealFilesAsTheDocumentationSays() throws {
    let rows = try Self.table()
    var counts = Array(repeating: 0, count: rows.count)
    for (path, model) in try Self.stores() {
      for difference in try differences(StoreFixture.root + "/stores/" + path, model) {
        guard let row = rows.firstIndex(where: { $0.covers(difference, of: path) }) else {
          Issue.record("not in docs/new-files.md: \(path) | \(difference)")
          continue
        }
        counts[row] += 1
      }
    }
    for (row, count) in zip(rows, counts) where count != row.count {
      let pattern = row.pattern.joined(separator: "*")
      Issue.record("docs/new-files.md has another number than \(count): \(row.store) | \(pattern)")
    }
  }

  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["SPORADES_STORES"] != nil, "is run by hand"))
  func listsTheDifferencesOfOtherStores() throws {
    let folder = ProcessInfo.processInfo.environment["SPORADES_STORES"] ?? ""
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    where !name.hasSuffix("-wal") && !name.hasSuffix("-shm") {
      let path = folder + "/" + name
      guard let model = try ManagedObjectModel.cachedModel(forStoreAt: URL(fileURLWithPath: path))
      else { continue }
      for difference in try differences(path, model) { print("\(name) | \(difference)") }
    }
  }
}
