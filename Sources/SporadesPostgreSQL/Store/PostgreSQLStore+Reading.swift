// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesSQL
import SporadesSelection
public import SporadesStore

// Fetches, questions about values, and rows by key: the server answers as much as it decides, and memory the rest.
extension PostgreSQLStore {
  // MARK: - Fetches

  public func rows(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowPage] {
    try answering(fetch, in: view) { (reading, compiler) throws(StoreError) in
      try reading.rows(compiler.fetch, compiler)
    }
  }

  public func keys(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowKey] {
    try answering(fetch, in: view) { (reading, compiler) throws(StoreError) in
      try reading.keys(compiler.fetch, compiler)
    }
  }

  public func answer(
    _ question: TableQuestion, in view: StoreView
  ) throws(StoreError) -> TableAnswer {
    var question = question
    let prepared: PreparedQuestion
    do throws(FetchPredicateError) {
      try question.fetch.check(model)
      prepared = try PreparedQuestion(question, model)
    } catch {
      throw StoreError(refusing: error)
    }
    let fetch = question.fetch
    if let companion = companion(for: fetch) {
      return try answering(fetch, by: companion, in: view) {
        (reading, compiler) throws(StoreError) in
        var bound = question
        bound.fetch = compiler.fetch
        let answering = try AnswerCompiler(bound, compiler)
        return try answer(bound, prepared, by: answering.statement(), answering, reading)
      }
    }
    let answering = try AnswerCompiler(question, plan.compiler(fetch))
    let statement = try answering.statement()
    return try read(view, asOne: !answering.isExact) { (reading) throws(StoreError) in
      try answer(question, prepared, by: statement, answering, reading)
    }
  }

  private func answer(
    _ question: TableQuestion, _ prepared: PreparedQuestion, by statement: AnswerStatement,
    _ answering: AnswerCompiler, _ reading: ServerReading
  ) throws(StoreError) -> TableAnswer {
    guard !answering.isExact else { return try reading.answer(statement) }
    // The columns of the statement have joined tables, which the rows do without.
    let compiler = try plan.compiler(question.fetch)
    var keyPaths: [[String]] = []
    question.forEachKeyPath { keyPaths.append($0) }
    return try prepared.answer(
      over: try reading.subjects(question.fetch, compiler, reading: keyPaths))
  }

  // MARK: - Rows by key

  public func rows(for keys: [RowKey], in view: StoreView) throws(StoreError) -> [RowPage] {
    guard !keys.isEmpty else { return [] }
    return try read(view) { (reading) throws(StoreError) in try reading.rows(for: keys) }
  }

  public func absent(_ keys: [RowKey]) throws(StoreError) -> [RowKey] {
    guard !keys.isEmpty else { return [] }
    return try read(.accepted) { (reading) throws(StoreError) in try reading.absent(keys) }
  }

  public func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?,
    in view: StoreView
  ) throws(StoreError) -> [RowPage] {
    try read(view) { (reading) throws(StoreError) in
      try reading.rows(of: entity, referencing: owners, in: slot, position: position)
    }
  }

  public func links(
    of relationship: RelationshipShape, owners: [RowKey], in view: StoreView
  ) throws(StoreError) -> [StoredLink] {
    try read(view) { (reading) throws(StoreError) in
      try reading.links(of: relationship, owners: owners)
    }
  }
}
