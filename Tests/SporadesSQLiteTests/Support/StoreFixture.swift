// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesModel
import SporadesModelFiles
import SporadesSQLite
import Testing

/// A copy of a store that Apple's frameworks wrote, with the model whose hashes are the store's.
struct StoreFixture: Sendable, CustomTestStringConvertible {
  let name: String
  /// The place of the copy; sidecars lie beside it.
  let path: String
  let model: ManagedObjectModel

  var testDescription: String { name }

  /// From iOS 11 on, indexes have the names and forms they have today. Two stores are left out that
  /// still have an index their app's model had before.
  var hasModernIndexes: Bool { Self.modern.contains { name.contains($0) } }

  private static let modern = [
    "SampleModel_V1", "SampleModel3_V1", "SampleStore2.0", "/Test.sqlite", "Bookmarks_V1",
  ]

  static var root: String {
    if let path = ProcessInfo.processInfo.environment["SPORADES_FIXTURES"] { return path }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().appendingPathComponent("shared/fixtures").path
  }

  static var areThere: Bool { FileManager.default.fileExists(atPath: root + "/INDEX.md") }

  /// The stores of the index whose model is there in full.
  static let all: [StoreFixture] = {
    guard let index = try? String(contentsOfFile: root + "/INDEX.md", encoding: .utf8) else {
      return []
    }
    return index.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard cells.count > 4, cells[1].hasPrefix("stores/"), cells[4].hasPrefix("full: ") else {
        return nil
      }
      return StoreFixture(store: cells[1], model: String(cells[4].dropFirst(6)))
    }
  }()

  /// The stores that carry a model, by their paths below the fixtures.
  static let carriers: [String] = {
    let stores = URL(fileURLWithPath: root + "/stores")
    let paths = FileManager.default.enumerator(atPath: stores.path)?.compactMap { $0 as? String }
    return (paths ?? []).sorted().filter { path in
      guard !path.hasSuffix("-wal"), !path.hasSuffix("-shm") else { return false }
      let file = stores.appendingPathComponent(path)
      // A failure means that the path is a folder or no store.
      return (try? ManagedObjectModel.cachedModel(forStoreAt: file)) != nil
    }
  }()

  /// Stores whose Xcode model is not to be had, with the model they carry within themselves.
  static let cached: [StoreFixture] = [
    "log2timeline+plaso/RMAdminStore-Local.sqlite", "tkanarsky+osxphotos/Photos-10.15.7.sqlite",
    "alemar11+CoreDataPlus/_SampleModelV1.sqlite",
  ].compactMap { areThere ? StoreFixture(carryingItsModel: "stores/" + $0) : nil }

  /// Stores with a history; the model that one of them carries has other hashes than it says.
  static let histories =
    cached
    + [
      "log2timeline+plaso/knowledgec-10.13.db", "alemar11+CoreDataPlus/SampleModel2_V2.sqlite",
    ].compactMap {
      areThere ? StoreFixture(carryingItsModel: "stores/" + $0) : nil
    }

  private init?(carryingItsModel store: String) {
    (name, path) = (store, Self.root + "/" + store)
    do {
      let url = URL(fileURLWithPath: try Self.copy(of: path))
      model = try #require(try ManagedObjectModel.cachedModel(forStoreAt: url))
    } catch {
      Issue.record("\(store): \(error)")
      return nil
    }
  }

  init(name: String, path: String, model: ManagedObjectModel) {
    (self.name, self.path, self.model) = (name, path, model)
  }

  private init?(store: String, model: String) {
    let url = URL(fileURLWithPath: Self.root + "/" + model)
    do { self.model = try ManagedObjectModel(contentsOf: url) } catch {
      Issue.record("\(model): \(error)")
      return nil
    }
    name = store
    path = Self.root + "/" + store
  }

  /// A new copy of the fixture, sidecars included.
  func copy() throws -> String { try Self.copy(of: path) }

  static func copy(of path: String) throws -> String {
    let target = Sample.temporaryPath()
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: target + suffix)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: target + suffix)
    }
    return target
  }

  func open() throws -> SQLiteStore { try SQLiteStore(path: copy(), model: model) }

  func database() throws -> OpaquePointer? { unsafe try Self.database(copy()) }

  static func database(_ path: String) throws -> OpaquePointer? {
    var database: OpaquePointer?
    try #require(unsafe sqlite3_open(path, &database) == SQLITE_OK)
    return unsafe database
  }
}
