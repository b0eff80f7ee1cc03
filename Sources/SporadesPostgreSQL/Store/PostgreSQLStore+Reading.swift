// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesSQL
import SporadesSelection
public import SporadesStore

// Fetches, questions about values, and rows by key: the server answers as much as it decides, and memory the rest.
extension PostgreSQLStore {
  // MARK: - Fetches

  public func rows(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowPage] {
    if let companion = companion(for: fetch) {
      return try answering(fetch, by: companion, in: view) {
        (reading, compiler) throws(StoreError) in try reading.rows(compiler.fetch, compiler)
      }
    }
    let compiler = try plan.compiler(fetch)
    return try read(view, asOne: !compiler.isExact) { (reading) throws(StoreError) in
      try reading.rows(fetch, compiler)
    }
  }

  public func keys(_ fetch: StoreFetch, in view: StoreView) throws(StoreError) -> [RowKey] {
    if let companion = companion(for: fetch) {
      return try answering(fetch, by: companion, in: view) {
        (reading, compiler) throws(StoreError) in try reading.keys(compiler.fetch, compiler)
      }
    }
    let compiler = try plan.compiler(fetch)
    return try read(view, asOne: !compiler.isExact) { (reading) throws(StoreError) in
      try reading.keys(fetch, compiler)
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
      return try answer(question, prepared, by: companion, in: view)
    }
    let answering = try AnswerCompiler(question, plan.compiler(fetch))
    let statement = try answering.statement()
    if answering.isExact {
      return try read(view) { (reading) throws(StoreError) in try reading.answer(statement) }
    }
    // The columns of the statement have joined tables, which the rows do without.
    let compiler = try plan.compiler(fetch)
    var keyPaths: [[String]] = []
    question.forEachKeyPath { keyPaths.append($0) }
    return try read(view, asOne: true) { (reading) throws(StoreError) in
      try prepared.answer(over: try reading.subjects(fetch, compiler, reading: keyPaths))
    }
  }

  private func answer(
    _ question: TableQuestion, _ prepared: PreparedQuestion, by companion: any ServerCompanion,
    in view: StoreView
  ) throws(StoreError) -> TableAnswer {
    try answering(question.fetch, by: companion, in: view) {
      (reading, compiler) throws(StoreError) in
      var bound = question
      bound.fetch = compiler.fetch
      let answering = try AnswerCompiler(bound, compiler)
      let statement = try answering.statement()
      if answering.isExact { return try reading.answer(statement) }
      var keyPaths: [[String]] = []
      bound.forEachKeyPath { keyPaths.append($0) }
      // The columns of the statement have joined tables, which the rows do without.
      let rows = try plan.compiler(bound.fetch)
      return try prepared.answer(over: try reading.subjects(bound.fetch, rows, reading: keyPaths))
    }
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
