// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesModel
import SporadesSQLite
import SporadesStore

/// A store of persons with photos in a folder of its own, and what its folder of large values holds.
struct LargeStore {
  let path = Sample.temporaryPath()

  static let slot = Sample.slot("Person", "photo")
  static let persons = StoreFetch(Sample.shape("Person"))

  /// Bytes that no other number gives, too many for a row.
  static func photo(_ number: Int, count: Int = 150_000) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number &* 7) })
  }

  func open(_ change: (inout SQLiteStoreOptions) -> Void = { _ in }) throws -> SQLiteStore {
    var options = SQLiteStoreOptions()
    change(&options)
    return try SQLiteStore(path: path, model: Sample.model, options: options)
  }

  var root: URL { URL(fileURLWithPath: path).deletingLastPathComponent() }
  var support: URL { root.appendingPathComponent(".Store_SUPPORT") }
  var folder: URL { support.appendingPathComponent("_EXTERNAL_DATA") }

  /// The names of the files, none where there is no folder.
  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

  /// Runs statements on a connection of its own.
  func sql(_ text: String) {
    var database: OpaquePointer?
    unsafe sqlite3_open(path, &database)
    unsafe sqlite3_exec(database, text, nil, nil, nil)
    unsafe sqlite3_close(database)
  }

  /// Makes the photo of a person name a file as a column does, whatever the name is.
  func name(_ text: String, for key: Int64) {
    let digits = text.utf8.map { String(format: "%02x", $0) }.joined()
    sql("UPDATE ZPERSON SET ZPHOTO = x'02\(digits)00' WHERE Z_PK = \(key)")
  }
}

extension SQLiteStore {
  func insertPhotos(_ numbers: ClosedRange<Int>) throws {
    try execute(
      ChangeSet(
        inserted: [
          Sample.page(
            "Person",
            numbers.map {
              (Int64($0), ["name": .string("\($0)"), "photo": .data(LargeStore.photo($0))])
            })
        ]))
  }

  /// Gives a person another photo.
  func setPhoto(_ number: Int, of key: Int64, version: Int64) throws {
    let page = Sample.page(
      "Person", [(key, ["photo": .data(LargeStore.photo(number))])], version: version)
    try execute(ChangeSet(updated: [Sample.updates(page, [LargeStore.slot])]))
  }

  func photo(_ key: Int64, in view: StoreView = .accepted) throws -> Data? {
    let page = try rows(for: [Sample.key("Person", key)], in: view).first
    return try page?.data(0, slot: LargeStore.slot)
  }
}
