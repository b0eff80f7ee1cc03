// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
public import SporadesStore

extension PostgreSQLStore: CheckableStore {
  /// Finds rows of entities that the model does not have there, references that lead nowhere or to another entity or do not lead back, and rows
  /// that no read could show. The server's own constraints prevent other damage.
  public func checkIntegrity(
    _ body: (IntegrityProblem) throws(StoreError) -> Void
  ) throws(StoreError) {
    let statements = IntegrityStatements(plan.layout, model, plan.dialect)
    // A read whose connection is lost begins again, and no problem is told twice.
    let problems = try read(.committed, asOne: true) {
      (reading) throws(StoreError) -> [IntegrityProblem] in
      var problems: [IntegrityProblem] = []
      for table in plan.layout.tables {
        let checks = statements.checksOfPlaces(in: table) + statements.checksOfSides(in: table)
        for check in checks { problems += try reading.problems(of: check) }
        // A row of no known entity was reported, and ends the reading of all rows.
        if let problem = try reading.unreadable(table) { problems.append(problem) }
      }
      return problems
    }
    for problem in problems { try body(problem) }
  }
}

extension ServerReading {
  fileprivate func problems(
    of check: IntegrityStatements.Check
  ) throws(StoreError) -> [IntegrityProblem] {
    let answer = try connection.run(check.statement)
    return (0..<answer.count).map { row in
      let entity = answer.text(row, 1).flatMap(plan.number(ofEntity:)) ?? check.root
      let id = answer.integer(row, 0).map { plan.id(RowKey(entity: entity, primaryKey: $0)) }
      return IntegrityProblem(check.kind, check.problem, objectID: id, property: check.property)
    }
  }

  /// The problem of a table with a row that no read could show.
  fileprivate func unreadable(
    _ table: StoreLayout.Table
  ) throws(StoreError) -> IntegrityProblem? {
    let shape = plan.model.shape(numbered: table.rootEntity)
    let rows = try connection.run(plan.entity(shape.number).statements.selectAll)
    do throws(StoreError) { _ = try ServerRowReader(plan, shape).pages(rows) } catch {
      guard error.code == .corrupt else { throw error }
      return IntegrityProblem(.unreadableValue, error.detail)
    }
    return nil
  }
}
