// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// A statement that answers a question, with the code that reads its rows.
///
/// The database must answer as memory does. It treats decimals as doubles, and lacks some functions over groups. The
/// statement then selects the values of single objects, and memory computes the groups.
package struct AnswerStatement {
  /// The meaning of the statement's rows.
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

  /// The answer. Each call of `next` moves the row to the statement's next row, and is false after the last.
  package func answer(
    _ row: some AnswerRow, _ next: () throws(StoreError) -> Bool
  ) throws(StoreError) -> TableAnswer {
    switch form {
    case .objects(let columns): return try objects(columns, row, next)
    case .groups(let groups, let keys, let aggregates):
      var found: [GroupValues] = []
      while try next() {
        var place: Int32 = 0
        var group = GroupValues(keys: [], aggregates: [])
        for key in keys { group.keys.append(try key.value(row, &place)) }
        for column in aggregates { group.aggregates.append(try column.value(row, &place)) }
        found.append(group)
      }
      return try groups.answer(found, to: question)
    case .values(let groups, let columns):
      var table = GroupTable(groups)
      while try next() {
        var values: [Value] = []
        try Self.append(columns, row, to: &values)
        table.add(row: values)
      }
      return try table.answer(to: question)
    }
  }

  /// The statement selects the values of single objects, and memory computes the groups.
  package var readsValues: Bool { if case .values = form { true } else { false } }

  /// The types of the columns, if each row of the statement is a row of the answer and each column the value of an
  /// attribute. Who runs the statement then packs the rows.
  package var attributeTypes: [AttributeType]? {
    guard case .objects(let columns) = form else { return nil }
    let types = columns.compactMap(\.attributeType)
    return types.count == columns.count ? types : nil
  }

  /// A column of an answer that a store hands over in parts.
  package enum PartColumn {
    case attribute(AttributeType)
    /// An object of the entity with the number, or of one that inherits from it.
    case object(Int)
  }

  /// The columns, if each row of the statement is a row of the answer, and each column an id or the value of an attribute.
  package var partColumns: [PartColumn]? {
    guard case .objects(let columns) = form else { return nil }
    let parts = columns.compactMap(\.part)
    return parts.count == columns.count ? parts : nil
  }

  private func objects(
    _ columns: [AnswerColumn], _ row: some AnswerRow, _ next: () throws(StoreError) -> Bool
  ) throws(StoreError) -> TableAnswer {
    var values: [Value] = []
    while try next() { try Self.append(columns, row, to: &values) }
    return TableAnswer(width: columns.count, values)
  }

  private static func append(
    _ columns: [AnswerColumn], _ row: some AnswerRow, to values: inout [Value]
  ) throws(StoreError) {
    var place: Int32 = 0
    for column in columns { values.append(try column.value(row, &place)) }
  }
}
