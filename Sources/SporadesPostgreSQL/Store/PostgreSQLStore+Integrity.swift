// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
public import SporadesStore

extension PostgreSQLStore: CheckableStore {
  /// Finds rows of entities that the model does not have there, references that lead nowhere or to another entity, and rows
  /// that no read could show. The server's own constraints prevent other damage.
  public func checkIntegrity(
    _ body: (IntegrityProblem) throws(StoreError) -> Void
  ) throws(StoreError) {
    let statements = IntegrityStatements(plan.layout, model, plan.dialect)
    try read(.committed, asOne: true) { (reading) throws(StoreError) in
      for table in plan.layout.tables {
        let checks = statements.checksOfPlaces(in: table)
        for check in checks { try reading.report(check, body) }
        // A row of no known entity was reported, and ends the reading of all rows.
        try reading.reportUnreadable(table, body)
      }
    }
  }
}

extension ServerReading {
  fileprivate func report(
    _ check: IntegrityStatements.Check, _ body: (IntegrityProblem) throws(StoreError) -> Void
  ) throws(StoreError) {
    let answer = try connection.run(check.statement)
    for row in 0..<answer.count {
      let entity = answer.text(row, 1).flatMap(plan.number(ofEntity:)) ?? check.root
      let id = answer.integer(row, 0).map { plan.id(RowKey(entity: entity, primaryKey: $0)) }
      try body(
        IntegrityProblem(check.kind, check.problem, objectID: id, property: check.property))
    }
  }

  fileprivate func reportUnreadable(
    _ table: StoreLayout.Table, _ body: (IntegrityProblem) throws(StoreError) -> Void
  ) throws(StoreError) {
    let shape = plan.model.shape(numbered: table.rootEntity)
    let rows = try connection.run(plan.entity(shape.number).statements.selectAll)
    var problem: StoreError?
    do throws(StoreError) { _ = try ServerRowReader(plan, shape).pages(rows) } catch {
      guard error.code == .corrupt else { throw error }
      problem = error
    }
    if let problem { try body(IntegrityProblem(.unreadableValue, problem.detail)) }
  }
}
