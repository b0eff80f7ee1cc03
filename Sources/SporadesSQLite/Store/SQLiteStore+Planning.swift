// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesSQL
package import SporadesStore

// The module that explains fetches asks these of a store.
extension SQLiteStore {
  /// The statement that answers a question. `computes` tells that the values are computed in memory from its rows.
  package func statement(
    for question: ExplainedQuestion
  ) throws(StoreError) -> (statement: SQLStatement, computes: Bool) {
    let compiler = try plan.compiler(bound(question.fetch, in: .committed))
    switch question {
    case .rows: return (compiler.rows(), false)
    case .keys: return (compiler.keys(), false)
    case .table(let table):
      let answer = try AnswerCompiler(bound(table, in: .committed), compiler).statement()
      return (answer.statement, answer.readsValues)
    }
  }

  /// All rows of a statement of the library.
  package func rows(
    of statement: SQLStatement, in view: StoreView
  ) throws(StoreError) -> [[SQLValue]] {
    try read(view) { (connection) throws(StoreError) in try connection.rows(statement) }
  }
}
