// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import SporadesSQL
package import SporadesStore

extension SQLiteStore {
  /// Hands over an answer in parts of some thousand rows, all of one state of the store, until `body` is false. A question
  /// whose values memory computes has a single part.
  package func forEachPart(
    of question: TableQuestion, in view: StoreView, _ body: (TableAnswer) -> Bool
  ) throws(StoreError) {
    let question = try bound(question, in: view)
    let compiled = try AnswerCompiler(question, plan.compiler(question.fetch)).statement()
    guard let columns = compiled.partColumns else {
      _ = body(try answer(question, in: view))
      return
    }
    try read(view) { (connection) throws(StoreError) in
      let statement = try connection.statement(compiled.statement)
      defer { statement.reset() }
      var parts = AnswerParts(statement: statement, columns: columns, plan: plan)
      // The limit of steps is one for each part, because an answer may be as long as the store.
      while let part = try parts.next(), body(part) { connection.limit.renew() }
    }
  }
}

/// Packs the rows of a statement, part by part.
private struct AnswerParts {
  let statement: Statement
  let columns: [AnswerStatement.PartColumn]
  let plan: StorePlan
  private var bound = RowBound()
  private var isAtEnd = false

  init(statement: Statement, columns: [AnswerStatement.PartColumn], plan: StorePlan) {
    self.statement = statement
    self.columns = columns
    self.plan = plan
  }

  private static let mostRows = 2_000
  /// The bytes of texts and other bytes at which a part ends, so that many large values are never in memory together.
  private static let mostBytes = 1 << 20

  /// The next rows; nil at the end.
  mutating func next() throws(StoreError) -> TableAnswer? {
    guard !isAtEnd else { return nil }
    var values = PackedValuesBuilder()
    var (rows, size) = (0, 0)
    while rows < Self.mostRows, size + values.byteCount < Self.mostBytes {
      guard try statement.step() else {
        isAtEnd = true
        break
      }
      try bound.count(1, of: statement)
      size += try packRow(&values)
      rows += 1
    }
    return rows == 0 ? nil : TableAnswer(width: columns.count, values.finish())
  }

  /// Packs a row. Returns the size of the values that are not texts.
  private func packRow(_ values: inout PackedValuesBuilder) throws(StoreError) -> Int {
    var (place, size): (Int32, Int) = (0, 0)
    for column in columns {
      switch column {
      case .attribute(let type):
        statement.pack(place, type, in: &values)
        if unsafe sqlite3_column_type(statement.pointer, place) == SQLITE_BLOB {
          size += Int(unsafe sqlite3_column_bytes(statement.pointer, place))
        }
        place += 1
      case .object(let entity):
        packObject(place, entity, &values)
        place += 2
      }
    }
    return size
  }

  private func packObject(_ place: Int32, _ entity: Int, _ values: inout PackedValuesBuilder) {
    guard let key = statement.value(place).integer else { return values.appendNull() }
    let number = plan.numbers.modelNumber(statement.value(place + 1).integer ?? 0, else: entity)
    let id = ManagedObjectID(key: RowKey(entity: number, primaryKey: key), scope: plan.scope)
    values.append(.objectID(id))
  }
}
