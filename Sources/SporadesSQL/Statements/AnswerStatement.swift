// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// A statement that answers a question, with the code that reads its rows.
///
/// The database must answer as memory does. It treats decimals as doubles, and lacks some functions over groups. The
/// statement then selects the values of single objects, and memory computes the groups.
package struct AnswerStatement {
  /// What the rows of the statement are.
  enum Form {
    /// Rows of the answer.
    case objects([AnswerColumn])
    /// The values of groups.
    case groups(PreparedQuestion.Groups, [AnswerColumn], [AggregateColumn])
    /// The values of single objects, which groups are made of.
    case values(PreparedQuestion.Groups, [AnswerColumn])
  }

  package let statement: SQLStatement
  private let question: TableQuestion
  private let form: Form

  init(_ question: TableQuestion, _ form: Form, _ statement: SQLStatement) {
    self.question = question
    self.form = form
    self.statement = statement
  }

  /// The answer. Each call of `next` returns the values of the statement's next row. `object` makes the id of an
  /// object from its key, the number of its entity in the store, and the entity that it is of at least.
  package func answer(
    object: (Int64, Int64, Int) -> ManagedObjectID, _ next: () throws(StoreError) -> [SQLValue]?
  ) throws(StoreError) -> TableAnswer {
    switch form {
    case .objects(let columns):
      var values: [Value] = []
      while let row = try next() { try Self.append(columns, row, object, to: &values) }
      return TableAnswer(width: columns.count, values)
    case .groups(let groups, let keys, let aggregates):
      var found: [GroupValues] = []
      while let row = try next() {
        var place = 0
        var group = GroupValues(keys: [], aggregates: [])
        for key in keys { group.keys.append(try key.value(row, &place, object)) }
        for column in aggregates { group.aggregates.append(try column.value(row, &place)) }
        found.append(group)
      }
      return try groups.answer(found, to: question)
    case .values(let groups, let columns):
      var table = GroupTable(groups)
      while let row = try next() {
        var values: [Value] = []
        try Self.append(columns, row, object, to: &values)
        table.add(row: values)
      }
      return try table.answer(to: question)
    }
  }

  private static func append(
    _ columns: [AnswerColumn], _ row: [SQLValue], _ object: (Int64, Int64, Int) -> ManagedObjectID,
    to values: inout [Value]
  ) throws(StoreError) {
    var place = 0
    for column in columns { values.append(try column.value(row, &place, object)) }
  }
}
