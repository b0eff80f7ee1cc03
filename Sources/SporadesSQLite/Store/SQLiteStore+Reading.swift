// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  public func rows(
    _ fetch: StoreFetch, in view: StoreView
  ) throws(StoreError) -> [RowPage] {
    try answering(fetch, in: view) { (fetch) throws(StoreError) in
      try rows(bound: fetch, in: view)
    }
  }

  private func rows(
    bound fetch: StoreFetch, in view: StoreView
  ) throws(StoreError) -> [RowPage] {
    let reader = plan.reader(fetch.entity.number)
    let isWholeTable = isWholeTable(fetch)
    let state = try stateWithSharedRows(view, reader)
    return try read(view) { (connection) throws(StoreError) in
      if isWholeTable, let pages = try wholeTable(reader, connection) { return pages }
      if let form = fetch.form, let shared = state?.sharedRows(connection) {
        return try SharedReading(reader, plan, connection, shared).pages(fetch, form)
      }
      return try reader.pages(
        of: connection.statement(fetch, .rows, plan), expecting: fetch.limit ?? 0)
    }
  }

  /// The kept state that a view shows, if its rows may be shared with other states; else nil.
  private func stateWithSharedRows(
    _ view: StoreView, _ reader: RowReader
  ) throws(StoreError) -> KeptState? {
    guard case .generation(let generation) = view, liveStates == nil, reader.readsWholeRows else {
      return nil
    }
    return try generation.state(of: self, as: KeptState.self)
  }

  private func wholeTable(
    _ reader: RowReader, _ connection: Connection
  ) throws(StoreError) -> [RowPage]? {
    try scan(reader.entity.table, connection).pages { (connection, keys) throws(StoreError) in
      try KeyedRows(reader: reader, connection: connection).pages(in: keys)
    }
  }

  /// The fetch asks for all rows of a table, in the order of their keys.
  private func isWholeTable(_ fetch: StoreFetch) -> Bool {
    fetch.isUnbounded && plan.numbers.isSingle(fetch.entity.rootNumber)
  }

  /// The rows of the writer's uncommitted transaction are visible to the writer alone.
  func scan(_ table: Int, _ connection: Connection) -> TableScan {
    TableScan(
      statements: plan.tableStatements(table), connection: connection,
      readers: connection.isOutsideTransaction ? readers : nil)
  }

  public func keys(
    _ fetch: StoreFetch, in view: StoreView
  ) throws(StoreError) -> [RowKey] {
    try answering(fetch, in: view) { (fetch) throws(StoreError) in
      try keys(bound: fetch, in: view)
    }
  }

  private func keys(
    bound fetch: StoreFetch, in view: StoreView
  ) throws(StoreError) -> [RowKey] {
    let root = fetch.entity.rootNumber
    let numbers = plan.numbers
    let table = plan.statements(root).tableName
    return try read(view) { (connection) throws(StoreError) in
      let statement = try connection.statement(fetch, .keys, plan)
      // An unfinished statement blocks other writers.
      defer { statement.reset() }
      var keys: [RowKey] = []
      var bound = RowBound()
      while try statement.step() {
        try bound.count(1, of: statement)
        let entity = numbers.modelNumber(statement.integer(1), else: root)
        keys.append(RowKey(entity: entity, primaryKey: try statement.key(0, of: table)))
      }
      return keys
    }
  }

  public func answer(
    _ question: TableQuestion, in view: StoreView
  ) throws(StoreError) -> TableAnswer {
    try answering(question.fetch, in: view) { (fetch) throws(StoreError) in
      var bound = question
      bound.fetch = fetch
      return try answer(bound: bound, in: view)
    }
  }

  private func answer(
    bound question: TableQuestion, in view: StoreView
  ) throws(StoreError) -> TableAnswer {
    let compiler = try AnswerCompiler(question, plan.compiler(question.fetch))
    let compiled = try compiler.statement()
    let isWholeTable = isWholeTable(question.fetch) && compiled.attributeTypes != nil
    return try read(view) { (connection) throws(StoreError) in
      if isWholeTable, let answer = try wholeTable(question, connection) { return answer }
      do throws(StoreError) {
        return try answer(compiled, connection)
      } catch  where error.isIntegerOverflow {
        // SQLite adds integers one by one, and the whole sum may fit where a part does not.
        return try answer(compiler.statement(readingValues: true), connection)
      }
    }
  }

  private func answer(
    _ compiled: AnswerStatement, _ connection: Connection
  ) throws(StoreError) -> TableAnswer {
    let statement = try connection.statement(compiled.statement)
    defer { statement.reset() }
    if let types = compiled.attributeTypes { return try statement.packedAnswer(types) }
    let row = StatementRow(statement: statement, numbers: plan.numbers, scope: plan.scope)
    return try compiled.answer(row) { () throws(StoreError) in try statement.step() }
  }

  private func wholeTable(
    _ question: TableQuestion, _ connection: Connection
  ) throws(StoreError) -> TableAnswer? {
    let table = plan.reader(question.fetch.entity.number).entity.table
    return try scan(table, connection).parts { (connection, keys) throws(StoreError) in
      // A compiler for each range, because two threads do not share one.
      var fetch = try plan.compiler(question.fetch)
      fetch.keyRange = keys
      return try answer(AnswerCompiler(question, fetch).statement(), connection)
    }.map { TableAnswer(joining: $0) }
  }

  // MARK: - By key

  public func rows(
    for keys: [RowKey], in view: StoreView
  ) throws(StoreError) -> [RowPage] {
    guard let first = keys.first else { return [] }
    let isOfOne = keys.count == 1 || keys.allSatisfy { $0.entity == first.entity }
    let shape = model.shape(numbered: first.entity)
    let entity = isOfOne ? shape.number : shape.rootNumber
    let reader = plan.reader(entity)
    let state = keys.count > KeptRows.mostRows ? nil : try stateWithSharedRows(view, reader)
    return try read(view, isLookUp: true) { (connection) throws(StoreError) in
      if let shared = state?.sharedRows(connection) {
        return try SharedReading(reader, plan, connection, shared).pages(for: keys)
      }
      let rows = KeyedRows(reader: reader, connection: connection)
      return keys.count == 1
        ? try rows.pages(first.primaryKey) : try rows.pages(keys.map(\.primaryKey))
    }
  }

  public func absent(_ keys: [RowKey]) throws(StoreError) -> [RowKey] {
    guard keys.count <= Writer.fewKeys, !isReadOnly else { return try absentByReading(keys) }
    return try write { (writer) throws(StoreError) in
      try writer.checked { (writer) throws(StoreError) in try writer.absent(keys) }
    }
  }

  /// The object at a place, if its committed row no longer names the file; nil if the row still names it.
  ///
  /// Only a reader is used: a thread that finds a file missing while it writes a change set already holds the
  /// writer.
  func movedOn(
    _ name: ValueName, _ place: ColumnPlace
  ) throws(StoreError) -> ManagedObjectID? {
    guard let readers else { return nil }
    // The moved store's folder may contain the files.
    try self.place?.check()
    let holds = plan.tableStatements(ofEntity: place.key.entity)
      .holds(.blob(name.stored), place.slot, place.key.primaryKey)
    var isNamed: Int64?
    try readers.read { (connection) throws(StoreError) in
      isNamed = try connection.number(holds)
    }
    return isNamed == 0 ? ManagedObjectID(key: place.key, scope: plan.scope) : nil
  }
}

/// The row that a statement with an answer stands on.
private struct StatementRow: AnswerRow {
  let statement: Statement
  let numbers: EntityNumbers
  let scope: StoreScope

  func value(_ column: Int32) -> SQLValue { statement.value(column) }

  func value(_ column: Int32, of type: AttributeType) -> Value { value(column).modelValue(type) }

  func object(_ column: Int32, else entity: Int) -> ManagedObjectID? {
    guard let key = value(column).integer else { return nil }
    let number = numbers.modelNumber(value(column + 1).integer ?? 0, else: entity)
    return ManagedObjectID(key: RowKey(entity: number, primaryKey: key), scope: scope)
  }
}
