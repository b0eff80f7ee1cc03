// SPDX-License-Identifier: MIT
import DoorTools
import Foundation
import RawStore
import Sporades

/// The work on the same tables with SQLite's C functions.
struct RawSide {
  private let path: String
  private let scale: DoorScale
  private let watch: DoorWatch

  /// The library makes the file, so that its tables are the same.
  init(_ path: String, _ scale: DoorScale, _ watch: DoorWatch) throws {
    (self.path, self.scale, self.watch) = (path, scale, watch)
    try DataStack(sqlite: URL(fileURLWithPath: path), entities: [Item.self]).store.close()
  }

  func run() {
    let database = RawDatabase(path, synchronous: .full)
    watch.time("door_insert", 1) { insert(database) }
    watch.time("door_fetch", 1) { fetch(database) }
    watch.time("door_lookup", 1) { lookUp(database) }
  }

  private func insert(_ database: borrowing RawDatabase) -> Int {
    var keys = RawKeys(database)
    database.execute("BEGIN IMMEDIATE")
    let first = keys.reserve(scale.objects)
    let statement = database.prepare(
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZCODE, ZNAME, ZCOUNT, ZSMALL, ZDATE) \
      VALUES (?1, 1, 1, ?2, ?3, ?4, ?5, ?6)
      """)
    for number in 0..<scale.objects {
      statement.bind(1, first + Int64(number))
      statement.bind(4, DoorSample.count(number))
      statement.bind(5, Int64(DoorSample.small(number)))
      statement.bind(6, DoorSample.seconds(number))
      var (code, name) = (DoorSample.code(number), DoorSample.name(number))
      code.withUTF8 { code in
        name.withUTF8 { name in
          unsafe statement.bind(2, code)
          unsafe statement.bind(3, name)
          statement.run()
        }
      }
    }
    database.execute("COMMIT")
    return scale.objects
  }

  /// A row as plain values.
  private struct Row {
    let key: Int64
    let code: String
    let name: String
    let count: Int64
    let small: Int16
    let date: Double

    init(_ row: borrowing RawStatement) {
      (key, count, small) = (row.integer(0), row.integer(3), Int16(row.integer(4)))
      (code, name, date) = (row.text(1), row.text(2), row.real(5))
    }

    static let select = "SELECT Z_PK, ZCODE, ZNAME, ZCOUNT, ZSMALL, ZDATE FROM ZITEM"
  }

  private func fetch(_ database: borrowing RawDatabase) -> Int {
    let statement = database.prepare(Row.select)
    var rows: [Row] = []
    while statement.step() { rows.append(Row(statement)) }
    return rows.reduce(0) { $0 &+ Int($1.count) &+ $1.name.utf8.count }
  }

  private func lookUp(_ database: borrowing RawDatabase) -> Int {
    let statement = database.prepare(Row.select + " WHERE ZCODE = ?1")
    return (0..<scale.lookups).reduce(0) { sum, index in
      var code = DoorSample.code(DoorSample.lookup(index, scale))
      return code.withUTF8 { code in
        unsafe statement.bind(1, code)
        let count = statement.step() ? Int(Row(statement).count) : -1
        statement.reset()
        return sum &+ count
      }
    }
  }
}
