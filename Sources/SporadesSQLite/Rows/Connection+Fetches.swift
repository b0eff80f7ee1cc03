// SPDX-License-Identifier: MIT
import SporadesSQL
import SporadesStore

extension Connection {
  /// The statement of a fetch, with its values bound. Throws if the fetch does not fit the model.
  func statement(
    _ fetch: StoreFetch, _ purpose: KnownFetches.Purpose, _ plan: StorePlan
  ) throws(StoreError) -> Statement {
    guard let form = fetch.form else {
      return try statement(compile(fetch, purpose, plan))
    }
    if let known = knownFetches.statement(form, purpose) {
      known.bindParameters(of: fetch, plan.scope)
      return known
    }
    let compiled = try compile(fetch, purpose, plan)
    let made = try statement(compiled)
    knownFetches.note(made, compiled, fetch, form, purpose, plan.scope)
    return made
  }

  /// Whether an index holds everything that the keys of a fetch need.
  func isCovered(_ fetch: StoreFetch, _ plan: StorePlan) throws(StoreError) -> Bool {
    let statement = try compile(fetch, .primaryKeys, plan)
    let steps = try rows(SQLStatement("EXPLAIN QUERY PLAN " + statement.sql, statement.bindings))
    return steps.count == 1 && steps[0].last?.text?.contains("USING COVERING INDEX") == true
  }

  private func compile(
    _ fetch: StoreFetch, _ purpose: KnownFetches.Purpose, _ plan: StorePlan
  ) throws(StoreError) -> SQLStatement {
    let compiler = try plan.compiler(fetch)
    return switch purpose {
    case .rows: compiler.rows()
    case .keys: compiler.keys()
    case .primaryKeys: compiler.primaryKeys()
    }
  }
}
