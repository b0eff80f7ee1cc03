// SPDX-License-Identifier: MIT
import SporadesModel
public import SporadesPlans
import SporadesSQL
public import SporadesStore

extension PostgreSQLStore: ExplainingStore {
  /// The server's plan of the statement that answers a question, and what memory does behind it.
  public func explain(
    _ question: ExplainedQuestion, in view: StoreView
  ) throws(StoreError) -> FetchPlan {
    let (statement, rest) = try asked(question)
    let answer = try read(view) { (reading) throws(StoreError) in
      try reading.connection.run(
        SQLStatement("EXPLAIN (FORMAT JSON) \(statement.sql)", statement.bindings)
      ).text(0, 0)
    }
    let names = PlanNames(statement.sql, model, plan.layout)
    let steps = try ServerPlanReader.steps(
      answer ?? "", names, plan.tables.planSources, statement.sql)
    return FetchPlan(statement: statement.sql, steps: steps + rest)
  }

  /// The statement that answers a question, and the steps in memory behind it.
  private func asked(
    _ question: ExplainedQuestion
  ) throws(StoreError) -> (statement: SQLStatement, rest: [FetchPlan.Step]) {
    let compiler = try plan.compiler(question.fetch)
    let computing = FetchPlan.Step(.combine, FetchPlan.computing)
    if case .table(let table) = question {
      let answering = try AnswerCompiler(table, plan.compiler(table.fetch))
      let answer = try answering.statement()
      if answering.isExact { return (answer.statement, answer.readsValues ? [computing] : []) }
    }
    let statement =
      if case .keys = question, compiler.isExact { compiler.keysOfServer } else {
        compiler.rowsOfServer
      }
    var rest: [FetchPlan.Step] = []
    if compiler.leavesOrder {
      rest.append(FetchPlan.Step(.sort, "Puts the rows in the order of their keys in memory."))
    }
    if !compiler.isExact {
      rest.append(
        FetchPlan.Step(.combine, "Decides in memory about these rows what the server does not."))
      if !question.fetch.sortTerms.isEmpty {
        rest.append(FetchPlan.Step(.sort, "Sorts the rows in memory."))
      }
    }
    if case .table = question { rest.append(computing) }
    return (statement, rest)
  }
}
