// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// Files with one damaged cell each: the opening refuses, the check names the table, or everything reads and writes.
///
/// A failure prints its seed. `SPORADES_DAMAGED_FILES` sets the number of files, and `SPORADES_FIRST_SEED` the first seed.
@Suite struct DamagedCellTests {
  private static let count = number("SPORADES_DAMAGED_FILES") ?? 60
  private static let first = number("SPORADES_FIRST_SEED") ?? 1

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  private static let values = [
    "NULL", "''", "'abc'", "'12abc'", "' 5'", "x''", "x'00'", "x'01'", "x'02'", "x'FFFE'",
    "CAST(x'FFFEFF' AS TEXT)", "zeroblob(16)", "x'02' || zeroblob(37)", "9e999", "1e300", "0.5",
    "0", "1", "-1", "2", "3", "255", "65536", "2147483648", "549755813887", "1099511627776",
    "281474976710655", "281474976710656", "9223372036854775807", "-9223372036854775808",
  ]

  @Test func eachIsNamedOrReadsRight() throws {
    var named = 0
    for seed in Self.first..<Self.first + Self.count {
      let failure = try check(seed: UInt64(seed), &named)
      guard let failure else { continue }
      Issue.record("seed \(seed): \(failure)")
      return
    }
    print("\(Self.count) damaged files, \(named) of them named")
    #expect(named > Self.count / 4)
  }

  /// The sentence of what is wrong; nil if nothing is.
  private func check(seed: UInt64, _ named: inout Int) throws -> String? {
    var random = SeededGenerator(seed: seed)
    let kennel = try Kennel()
    defer {
      let folder = URL(fileURLWithPath: kennel.path).deletingLastPathComponent()
      // A folder that stays is one of the temporary ones.
      try? FileManager.default.removeItem(at: folder)
    }
    let (table, sql) = try damage(kennel, &random)
    let store: SQLiteStore
    do { store = try kennel.open() } catch {
      named += 1
      return error is StoreError ? nil : "\(sql): \(error)"
    }
    var problems: [IntegrityProblem] = []
    try store.forEachIntegrityProblem { problems.append($0) }
    var failure: String?
    if problems.isEmpty {
      failure = Self.refusal(of: DataStack(store: store))
    } else {
      named += 1
      if !problems.contains(where: { $0.detail.contains(table) }) { failure = "\(problems)" }
    }
    try store.close()
    return failure.map { "\(sql): \($0)" }
  }

  /// Damages a cell that the file's own rules allow to be so.
  private func damage(
    _ kennel: Kennel, _ random: inout SeededGenerator
  ) throws -> (table: String, sql: String) {
    while true {
      let file = try PlainStore(kennel.path)
      let tables = try file.texts(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' "
          + "AND name <> 'Z_MODELCACHE'")
      let table = random.pick(tables)
      let column = random.pick(try file.texts("SELECT name FROM pragma_table_info('\(table)')"))
      let place = Int.random(in: 0..<3, using: &random)
      let sql =
        "UPDATE \(table) SET \(column) = \(random.pick(Self.values)) "
        + "WHERE rowid = (SELECT rowid FROM \(table) LIMIT 1 OFFSET \(place))"
      if try kennel.run(sql) { return (table, sql) }
    }
  }

  /// Why a store whose check finds nothing refuses something all the same.
  private static func refusal(of stack: DataStack) -> String? {
    do {
      try stack.look { context throws in
        for shape in Kennel.model.shapes {
          for object in try context.fetch(FetchRequest(shape.name)) {
            look(at: object, shape)
            object["mark"] = 5
          }
        }
        try context.save()
        for shape in Kennel.model.shapes {
          _ = try context.make(shape.name, ["name": "new"])
        }
        try context.save()
      }
    } catch let error as StoreError where error.code == .full {
      // The largest key of all is a key, and there is no other behind it.
      return nil
    } catch { return "\(error)" }
    return nil
  }

  private static func look(at object: ManagedObject, _ shape: EntityShape) {
    for property in shape.properties {
      switch property {
      case .attribute: _ = object[property.name]
      case .relationship(let relationship) where relationship.isToMany:
        for other in object.objects(forKey: property.name) { _ = other["mark"] }
      case .relationship: _ = object.object(forKey: property.name)?["mark"]
      case .fetched: break
      }
    }
  }
}

extension PlainStore {
  fileprivate func texts(_ sql: String) throws -> [String] {
    try rows(sql).compactMap { if case .text(let text)? = $0.first { text } else { nil } }
  }
}
