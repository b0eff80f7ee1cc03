// SPDX-License-Identifier: MIT
import SporadesModel

// The statements that carry former values over to another version of a model.
extension KeptValueStatements {
  /// Removes the values of entities.
  package func removal(ofEntities numbers: [Int64]) -> SQLStatement {
    rendered("DELETE FROM \(name: Self.table) WHERE ENTITY IN (\(CoreDataHistory.list(numbers)))")
  }

  /// Gives the values of an entity the new names of their attributes, and removes those of attributes that are gone. `names`
  /// has the new names by the old ones.
  package func rename(_ names: [String: String], ofEntity number: Int64) -> [SQLStatement] {
    let all = names.inOrder
    let old = all.map { "\(.text($0.key))" as SQLFragment }.joined(by: ", ")
    let removal: SQLFragment = """
      DELETE FROM \(name: Self.table) WHERE ENTITY = \(.integer(number)) AND NAME NOT IN (\(old))
      """
    let renamed = all.filter { $0.key != $0.value }
    guard !renamed.isEmpty else { return [rendered(removal)] }
    let cases = renamed.map { "WHEN \(.text($0.key)) THEN \(.text($0.value))" as SQLFragment }
    let rename: SQLFragment = """
      UPDATE \(name: Self.table) SET NAME = CASE NAME \(cases.joined(by: " ")) ELSE NAME END \
      WHERE ENTITY = \(.integer(number))
      """
    return [rendered(removal), rendered(rename)]
  }

  /// Gives the values the new numbers and keys of their objects; nil if all stay.
  package func renumber(_ changes: [HistoryChange]) -> SQLStatement? {
    let changes = changes.filter { $0.numbers.old != $0.numbers.new || $0.keyOffset != 0 }
    guard !changes.isEmpty else { return nil }
    let numbers = changes.map { ($0.numbers.old, CoreDataHistory.number($0.numbers.new)) }
    let offsets = changes.map { ($0.numbers.old, CoreDataHistory.number($0.keyOffset)) }
    return rendered(
      """
      UPDATE \(name: Self.table) SET \
      ENTITY = \(RowSuccession.choice("ENTITY", numbers, else: "ENTITY")), \
      PRIMARYKEY = PRIMARYKEY + \(RowSuccession.choice("ENTITY", offsets, else: "0")) \
      WHERE ENTITY IN (\(CoreDataHistory.list(changes.map(\.numbers.old))))
      """)
  }
}
