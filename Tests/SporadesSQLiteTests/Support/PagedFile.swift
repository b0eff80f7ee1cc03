// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import Testing

/// A database as the pages it is made of, to change where they lead.
struct PagedFile {
  private let path: String
  private var bytes: [UInt8]
  private static let pageSize = 4096

  init(_ path: String) throws {
    self.path = path
    bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  func write() throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

  /// The number of a table's first page, which has others below it.
  func root(of table: String) throws -> Int {
    let database = unsafe try StoreFixture.database(path)
    defer { unsafe sqlite3_close(database) }
    var statement: OpaquePointer?
    defer { unsafe sqlite3_finalize(statement) }
    let sql = "SELECT rootpage FROM sqlite_master WHERE name = '\(table)'"
    try #require(unsafe sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
    try #require(unsafe sqlite3_step(statement) == SQLITE_ROW)
    let page = Int(unsafe sqlite3_column_int64(statement, 0))
    // 5 is a page inside a table's tree (https://sqlite.org/fileformat2.html#b_tree_pages).
    try #require(bytes[start(of: page)] == 5)
    return page
  }

  private func start(of page: Int) -> Int { (page - 1) * Self.pageSize }

  private func number(at place: Int, width: Int) -> Int {
    bytes[place..<place + width].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Where the numbers of the pages below stand: before each key, and last in the head.
  private func links(of page: Int) -> [Int] {
    let start = start(of: page)
    let cells = (0..<number(at: start + 3, width: 2)).map {
      start + number(at: start + 12 + 2 * $0, width: 2)
    }
    return cells + [start + 8]
  }

  func child(of page: Int) -> Int { number(at: links(of: page)[0], width: 4) }

  mutating func leadAll(of page: Int, to other: Int) {
    for link in links(of: page) {
      for place in 0..<4 {
        bytes[link + place] = UInt8(truncatingIfNeeded: other >> (8 * (3 - place)))
      }
    }
  }
}
