// SPDX-License-Identifier: MIT
import Sporades
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@testable import SporadesSearch

/// Damage within an index, and odd rows of others, in the ways of SQLite's tests (corrupt, corrupt2, integrity, rebuild, aa,
/// blob, secure6, contentless).
@Suite struct DamageCasesTests {
  private static let index = "SPORADES_ZWORDROW:SEARCH"
  private static let searches: [(typed: String, numbers: [Int])] = [
    ("x*", Array(1...100)), ("a", Array(1...100)), ("\"a b\"", Array(1...100)),
    ("x70 OR x71", [1, 51]), ("x353", [5, 55]), ("b NOT c", []), ("zzz", []),
  ]

  private static func table() throws -> RowTable<WordRow> {
    let table = try RowTable<WordRow>(
      (1...100).map { number in
        [(0..<10).map { "x\(number * 7 % 50)\($0)" }.joined(separator: " "), "a b c"]
      })
    #expect(try table.numbers("x70") == [1, 51])
    return table
  }

  private func numbers(_ typed: String, _ stack: DataStack) throws -> [Int] {
    try stack.main.performAndWait { context in
      try WordRow.search(Search(typed)).fetch(in: context).map(\.number).sorted()
    }
  }

  private func expectRight(_ stack: DataStack) throws {
    for (typed, rows) in Self.searches {
      let found = try numbers(typed, stack)
      #expect(found == rows, "\(typed)")
    }
  }

  private func expectMended(_ store: SQLiteStore, _ stack: DataStack) throws {
    try expectRight(stack)
    #expect(try store.searchIndexProblems() == [])
  }

  /// Searches that do not meet the damage find the right rows. The comparison names it, and a new index is right.
  @Test(arguments: [
    "UPDATE \"\(index)_data\" SET block = X'44' WHERE id = 1",
    "DELETE FROM \"\(index)_content\" WHERE id = 3",
    "UPDATE \"\(index)_content\" SET c0 = 'xyz' WHERE id = 1",
    "UPDATE \"\(index)_docsize\" SET sz = X'44' WHERE id = 3",
    "DELETE FROM \"\(index)_docsize\" WHERE id = 3",
    "INSERT INTO \"\(index)_docsize\" VALUES (200, X'04')",
    "INSERT INTO \"\(index)_content\" VALUES (200, 'x', '', '', '')",
  ]) func damageIsNamed(damage: String) throws {
    let table = try Self.table()
    try table.reopened(after: damage) { (store, stack) throws in
      try expectRight(stack)
      #expect(try store.searchIndexProblems() != [])
      try store.rebuildSearchIndex()
      try expectMended(store, stack)
    }
  }

  /// An index in which FTS5 does not find a word, because it does not open it or reads no list, is made again before the
  /// answer.
  @Test(arguments: [
    "DELETE FROM \"\(index)_data\"", "UPDATE \"\(index)_config\" SET v = 50 WHERE k = 'version'",
    "DELETE FROM \"\(index)_config\"", "DROP TABLE \"\(index)_config\"",
    "DROP TABLE \"\(index)_content\"",
    "DELETE FROM \"\(index)_data\" WHERE id > 10",
    "UPDATE \"\(index)_data\" SET block = substr(block, 1, length(block) - 1) WHERE id > 10",
    "UPDATE \"\(index)_data\" SET block = 14 WHERE id > 10",
    "UPDATE \"\(index)_data\" SET block = X'00000000' || substr(block, 5) WHERE id > 10",
    "UPDATE \"\(index)_data\" SET block = X'FFFFFFFF' || substr(block, 5) WHERE id > 10",
    "UPDATE \"\(index)_data\" SET block = substr(block, 1, length(block) / 2) WHERE id > 10",
  ]) func anIndexThatDoesNotOpenIsMadeAgain(damage: String) throws {
    let table = try Self.table()
    try table.reopened(after: damage) { (store, stack) throws in
      try expectMended(store, stack)
    }
  }

  @Test(arguments: [
    "UPDATE \"\(index)_config\" SET v = 50 WHERE k = 'version'", "DELETE FROM \"\(index)_data\"",
    "DROP TABLE \"\(index)_idx\"", "DROP TABLE \"\(index)_docsize\"",
    "DELETE FROM \"\(index)_idx\"",
    "UPDATE \"\(index)_data\" SET block = X'' WHERE id = 10", "DROP TABLE \"\(index)_data\"",
    "DROP TABLE \"\(index)_config\"; DROP TABLE \"\(index)_data\"; DROP TABLE \"\(index)_idx\"",
  ]) func eachDamagedIndexGoes(damage: String) throws {
    let table = try Self.table()
    try table.reopened(after: damage) { (store, stack) throws in
      try store.removeSearchIndex()
      let stranger = try Stranger(table.path)
      #expect(
        try stranger.texts("SELECT name FROM sqlite_master WHERE name LIKE 'SPORADES_%'") == [])
      try expectMended(store, stack)
    }
    let other = try Self.table()
    try other.reopened(after: damage) { (store, stack) throws in
      try store.rebuildSearchIndex()
      try expectMended(store, stack)
    }
  }

  /// An index that cannot be removed stays as it is.
  @Test func anIndexWithAnotherTokenizerStays() throws {
    func renaming(_ old: String, _ new: String) -> String {
      """
      PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, '\(old)', '\(new)')
      WHERE name = '\(Self.index)'; PRAGMA writable_schema = RESET
      """
    }
    let table = try Self.table()
    try table.reopened(after: renaming("ascii", "blah")) { (store, stack) throws in
      let error = #expect(throws: StoreError.self) { try numbers("a", stack) }
      #expect(error.map { "\($0)".contains("no such tokenizer: blah") } == true)
      #expect(throws: StoreError.self) { try store.rebuildSearchIndex() }
      #expect(throws: StoreError.self) { try store.removeSearchIndex() }
    }
    let stranger = try Stranger(table.path)
    let structure = "SELECT length(block) > 7 FROM \"\(Self.index)_data\" WHERE id = 10"
    #expect(try stranger.texts(structure) == ["1"])
    try stranger.run(renaming("blah", "ascii"))
    let store = try SQLiteStore(
      path: table.path, model: try ManagedObjectModel([WordRow.self]))
    try expectMended(store, DataStack(store: store, classes: [WordRow.self]))
    try store.close()
  }

  // MARK: - Rows of others

  private static func insertion(_ keys: [Int64], text: String = "abc def ghi") -> String {
    keys.enumerated().map { place, key in
      """
      INSERT INTO ZWORDROW (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZA) VALUES (\(key), 1, 1, \(place + 100), '\(text)');
      """
    }.joined()
  }

  /// SQLite's tables have keys of any sign and size. A search finds all of them, and a store refuses rows whose keys have no
  /// place in an id.
  @Test(
    arguments: [
      ([0], true), ([2, 42], true), ([1 << 36, 2 << 36, 549_755_813_887], true),
      ([-100_000, -99_999, 9_223_372_036_854_775_800], false), ([-450, 0, 2, 42], false),
      ([1 << 43, 2 << 43], false), ([.min + 1, .max], false), ([-1], false),
    ] as [([Int64], Bool)], [false, true])
  func keysOfAnySize(keys: (keys: [Int64], areIDs: Bool), isMade: Bool) throws {
    let table = try RowTable<WordRow>([["first"]])
    if isMade { #expect(try table.numbers("first") == [1]) }
    try table.reopened(after: Self.insertion(keys.keys)) { (store, stack) throws in
      for _ in 0..<2 {
        let count = try stack.main.performAndWait { try WordRow.search("def").count(in: $0) }
        #expect(count == keys.keys.count)
        if keys.areIDs {
          #expect(try numbers("first OR gh*", stack) == [1] + keys.keys.indices.map { $0 + 100 })
        } else {
          #expect(throws: StoreError.self) { try numbers("def", stack) }
        }
        #expect(try store.searchIndexProblems() == [])
        try store.rebuildSearchIndex()
      }
    }
  }

  /// What is no text has no words, whatever its bytes are.
  @Test(arguments: [
    "X'0000000041424320444546'", "X'41424300444546'", "NULL", "X'D1'", "X''",
  ]) func valuesThatAreNoTexts(value: String) throws {
    let table = try RowTable<WordRow>([["first", "abc"], ["second", "xyz"]])
    #expect(try table.numbers("abc") == [1])
    try table.reopened(after: "UPDATE ZWORDROW SET ZA = \(value) WHERE ZNUMBER = 1") {
      (store, stack) throws in
      func count(_ typed: String) throws -> Int {
        try stack.main.performAndWait { try WordRow.search(Search(typed)).count(in: $0) }
      }
      #expect(try ["first", "a:abc", "555"].map(count) == [0, 0, 0])
      #expect(try ["abc", "second"].map(count) == [1, 1])
      #expect(try store.searchIndexProblems() == [])
    }
  }
}
