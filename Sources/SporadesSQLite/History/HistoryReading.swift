// SPDX-License-Identifier: MIT
import CSQLite
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// Reads a part of a history, transaction by transaction.
struct HistoryReading {
  private let connection: Connection
  private let plan: StorePlan
  private let tables: CoreDataHistory
  private let files: ExternalFiles?
  private let places: CoreDataHistory.ReadColumns
  /// The texts that the part has met, by their keys.
  private var texts: [Int64: String] = [:]
  private var forms: [Int64: Form] = [:]
  /// The form of the last change, which the next one often repeats.
  private var lastForm: Form?
  /// The columns of the last update, which the next one often repeats.
  private var lastColumns:
    (entity: Int64, bytes: [UInt8], details: PersistentHistoryChange.Details)?

  /// The form of the changes of one entity's objects. A class, because every change asks for it.
  private final class Form {
    /// The store's number of the entity.
    let entity: Int64
    let shape: EntityShape
    let slots: HistorySlots
    let kept: [AttributeShape]

    init(_ entity: Int64, _ shape: EntityShape, _ model: ManagedObjectModel) {
      self.entity = entity
      self.shape = shape
      slots = HistorySlots(shape, model)
      kept = shape.keptInHistory
    }
  }

  init(
    _ connection: Connection, _ plan: StorePlan, _ tables: CoreDataHistory,
    _ files: ExternalFiles?
  ) {
    self.connection = connection
    self.plan = plan
    self.tables = tables
    self.files = files
    places = tables.readColumns
  }

  /// The transactions of a part. The statement of the changes goes beside that of the transactions, so that a change
  /// does not repeat what is in its transaction.
  mutating func transactions(
    _ range: HistoryRange
  ) throws(StoreError) -> [PersistentHistoryTransaction] {
    let last = range.through ?? .max
    let statement = try connection.statement(tables.transactions(since: range.since != nil))
    statement.bind(range.after ?? 0, at: 1)
    statement.bind(last, at: 2)
    if let since = range.since {
      statement.bind(.real(since.timeIntervalSinceReferenceDate), at: 3)
    }
    defer { statement.reset() }
    var rows = ChangeRows()
    defer { rows.statement?.reset() }
    var all: [PersistentHistoryTransaction] = []
    var (size, bound) = (0, RowBound())
    while size < range.limit, try statement.step() {
      try bound.count(1, of: statement)
      let number = statement.integer(places.number)
      let facts = try facts(number, statement)
      guard range.includesChanges else {
        size += 1
        all.append(PersistentHistoryTransaction(facts, changes: nil))
        continue
      }
      if rows.statement == nil {
        try rows.begin(connection.statement(tables.changes), number, last)
      }
      let changes = try changes(of: facts, &rows)
      size += changes.count
      all.append(PersistentHistoryTransaction(facts, changes: changes))
    }
    return all
  }

  /// The rows of changes, which are read in the order of their transactions.
  private struct ChangeRows {
    var statement: Statement?
    /// The statement stands on a row that is not taken yet.
    var hasRow = false
    var bound = RowBound()

    mutating func begin(
      _ statement: Statement, _ first: Int64, _ last: Int64
    ) throws(StoreError) {
      statement.bind(first, at: 1)
      statement.bind(last, at: 2)
      self.statement = statement
      hasRow = try statement.step()
    }
  }

  /// Takes the changes of a transaction.
  private mutating func changes(
    of facts: PersistentHistoryTransaction.Facts, _ rows: inout ChangeRows
  ) throws(StoreError) -> [PersistentHistoryChange] {
    guard let statement = rows.statement else { return [] }
    var changes: [PersistentHistoryChange] = []
    while rows.hasRow {
      let transaction = statement.integer(0)
      guard transaction <= facts.number else { break }
      // Changes without their transaction, and those of a transaction that is too old, are left out.
      if transaction == facts.number { changes.append(try change(statement, facts)) }
      try rows.bound.count(1, of: statement)
      rows.hasRow = try statement.step()
    }
    return changes
  }

  // MARK: - Transactions

  private mutating func facts(
    _ number: Int64, _ statement: Statement
  ) throws(StoreError) -> PersistentHistoryTransaction.Facts {
    var values: [CoreDataHistory.TextColumn: String] = [:]
    for (column, text, key) in places.texts {
      if let key, !statement.isNull(key) {
        values[column] = try self.text(numbered: statement.integer(key))
      } else if let text {
        values[column] = statement.value(text).text
      }
    }
    return PersistentHistoryTransaction.Facts(
      number: number,
      timestamp: Date(timeIntervalSinceReferenceDate: statement.real(places.timestamp)),
      storeID: plan.scope.identifier, author: values[.author], contextName: values[.context],
      bundleID: values[.bundle], processID: values[.process])
  }

  /// The text of a key; nil if its row is gone.
  private mutating func text(numbered key: Int64) throws(StoreError) -> String? {
    if let known = texts[key] { return known }
    guard tables.keepsTextsApart else { return nil }
    let statement = try connection.statement(tables.text)
    statement.bind(key, at: 1)
    defer { statement.reset() }
    let text = try statement.step() ? statement.value(0).text : nil
    texts[key] = text
    return text
  }

  // MARK: - Changes

  private mutating func change(
    _ statement: Statement, _ facts: PersistentHistoryTransaction.Facts
  ) throws(StoreError) -> PersistentHistoryChange {
    let number = statement.integer(1)
    guard
      let type = Int(exactly: statement.integer(2)).flatMap(
        PersistentHistoryChange.ChangeType.init)
    else {
      throw StoreError(corruptHistory: "Change \(number) of the history has an unknown kind")
    }
    let entity = statement.integer(3)
    let form = try form(of: entity)
    let key = try statement.key(4, of: CoreDataHistory.Table.changes.name)
    let row = RowKey(entity: form.shape.number, primaryKey: key)
    let details: PersistentHistoryChange.Details? =
      switch type {
      case .insert: nil
      case .update: updated(statement, 5, entity, form)
      case .delete: try tombstone(statement, 6, row, form)
      }
    return PersistentHistoryChange(
      number, type, of: ManagedObjectID(key: row, scope: plan.scope), details, in: facts)
  }

  private mutating func form(of entity: Int64) throws(StoreError) -> Form {
    if let last = lastForm, last.entity == entity { return last }
    if let known = forms[entity] {
      lastForm = known
      return known
    }
    let shape = plan.model.shapes[try plan.place(ofEntity: entity)]
    let form = Form(entity, shape, plan.model)
    forms[entity] = form
    lastForm = form
    return form
  }

  /// The changed properties of an update; nil if its bits do not fit the entity.
  private mutating func updated(
    _ statement: Statement, _ column: Int32, _ entity: Int64, _ form: Form
  ) -> PersistentHistoryChange.Details? {
    guard let bytes = statement.value(column).blob else { return nil }
    if let last = lastColumns, last.entity == entity, last.bytes == bytes { return last.details }
    guard let places = form.slots.places(in: bytes) else { return nil }
    let details = PersistentHistoryChange.Details(
      updatedProperties: form.slots.properties(at: places, of: form.shape))
    lastColumns = (entity, bytes, details)
    return details
  }

  /// The kept values of a deleted object; nil if its entity keeps none.
  private func tombstone(
    _ statement: Statement, _ column: Int32, _ row: RowKey, _ form: Form
  ) throws(StoreError) -> PersistentHistoryChange.Details? {
    guard !form.kept.isEmpty else { return nil }
    var values: [String: Value] = [:]
    for (place, attribute) in form.kept.prefix(tables.tombstones).enumerated() {
      let value = try value(of: attribute, statement, column + Int32(place), row, form)
      if !value.isNull { values[attribute.name] = value }
    }
    return PersistentHistoryChange.Details(tombstone: values)
  }

  private func value(
    of attribute: AttributeShape, _ statement: Statement, _ column: Int32, _ row: RowKey,
    _ form: Form
  ) throws(StoreError) -> Value {
    guard attribute.description.allowsExternalBinaryDataStorage,
      let bytes = statement.value(column).blob, let slot = attribute.slot
    else { return statement.value(column).modelValue(attribute.type) }
    if let name = ValueName(stored: bytes), let files {
      let place = ColumnPlace(key: row, slot: slot, layout: form.shape.layout)
      return .data(try files.contents(of: name, place))
    }
    return .data(Data(bytes.first == 1 ? bytes.dropFirst() : bytes[...]))
  }
}
