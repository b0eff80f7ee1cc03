// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Insertions by a batch.
//
// One object shows one new row after the other, so a batch makes rows and no objects. A row that needs its object
// after the closure has returned ends that: a row with a relationship or a transient value, and a save that must
// resolve a conflict. All rows then get objects, and are saved as objects are.
extension ManagedObjectContext {
  func insert<Object>(
    _ batch: BatchInsertRequest<Object>, _ shape: EntityShape
  ) throws -> BatchOutcome {
    do {
      return try insertRows(batch, shape)
    } catch let error as StoreError {
      throw error.asRefusalOfBatch(shape)
    }
  }

  private func insertRows<Object>(
    _ batch: BatchInsertRequest<Object>, _ shape: EntityShape
  ) throws -> BatchOutcome {
    try inScratch(batch.mergePolicy) { scratch in
      var rows = BatchInsertion(scratch, shape)
      while try rows.insert({ object in
        guard let typed = object as? Object else {
          throw ContextError.unboundClass("\(Object.self)")
        }
        return try batch.fill(typed)
      }) {}
      try scratch.throwFailures(after: 0)
      if batch.onUniqueConflict == .fail, let outcome = try rows.saveRows() { return outcome }
      return try rows.saveObjects()
    }
  }
}

/// The new rows of a batch.
private struct BatchInsertion {
  private let context: ManagedObjectContext
  private let home: ObjectHome
  /// The object that shows the row which the closure fills.
  private var object: ManagedObject?
  /// The pages of the rows that have no objects.
  private var pages: [RowPage] = []
  /// The objects, if rows need them.
  private var objects: [ManagedObject]?
  private var validation = ObjectValidation(callsHooks: false)
  /// The number of rows so far.
  private var count = 0
  /// The number of the row of each failure.
  private var failedRows: [Int] = []

  init(_ context: ManagedObjectContext, _ shape: EntityShape) {
    self.context = context
    home = context.home(numbered: shape.number)
    // Derived values are computed of objects.
    if context.stack.derivesAcrossObjects
      || context.stack.derivedAttributes.contains(where: { $0.family.contains(shape.number) })
      || context.stack.coordinator != nil
    {
      objects = []
    }
  }

  /// Has the closure fill one more row. Returns false if there is none.
  mutating func insert(_ fill: (ManagedObject) throws -> Bool) throws -> Bool {
    if objects != nil { return try insertObject(fill) }
    let object = try nextRow()
    guard let page = object.page else { trap("A new row lies in a page.") }
    let isRow = try fill(object)
    let last = object.page ?? page
    // A row that grew out of its page lies in another one.
    if last !== page { page.dropLastRow() }
    guard isRow else {
      last.dropLastRow()
      return false
    }
    guard !needsObject(object) else {
      objects = makeObjects(besides: object)
      return true
    }
    count += 1
    validation.checkModel(object)
    while failedRows.count < validation.failures.count { failedRows.append(count) }
    if pages.last !== last, !pages.contains(where: { $0 === last }) { pages.append(last) }
    return true
  }

  private mutating func nextRow() throws -> ManagedObject {
    if let object {
      context.beginRow(of: object)
      return object
    }
    let seed = ObjectSeed(home: home, key: context.nextTemporaryKey)
    let new = home.makeObject(seed)
    context.beginRow(of: new)
    object = new
    return new
  }

  /// A relationship or a transient value was set.
  private func needsObject(_ object: ManagedObject) -> Bool {
    object.extras != nil || !context.changes.listed.isEmpty
      || home.shape.layout.referenceSlots.contains { object.reference($0) != nil }
  }

  private mutating func insertObject(_ fill: (ManagedObject) throws -> Bool) throws -> Bool {
    let object = try context.insert(entityNamed: home.shape.name)
    guard try fill(object) else {
      context.delete(object)
      return false
    }
    objects?.append(object)
    return true
  }

  // MARK: - Objects for rows

  /// The objects of all rows.
  mutating func makeObjects() -> [ManagedObject] {
    if let objects { return objects }
    let made = makeObjects(besides: nil)
    objects = made
    return made
  }

  /// Makes objects of all rows. The last row has the object, if it is given.
  private mutating func makeObjects(besides last: ManagedObject?) -> [ManagedObject] {
    var made: [ManagedObject] = []
    for page in pages {
      for index in 0..<page.count
      where last.map({ $0.page !== page || $0.rowIndex != index }) ?? true {
        let key = context.nextTemporaryKey
        let new = home.makeObject(ObjectSeed(home: home, key: key))
        new.show(page, index)
        unsafe new.row?.key = new.key
        new.state.formUnion([.inserted, .open])
        context.changes.list(new)
        made.append(new)
      }
    }
    if let last {
      context.changes.list(last)
      made.append(last)
    }
    pages = []
    object = nil
    return made
  }

  // MARK: - Saving

  /// Saves the rows without objects. Returns nil if they need objects, or if a conflict must be resolved.
  mutating func saveRows() throws -> BatchOutcome? {
    guard objects == nil else { return nil }
    guard validation.failures.isEmpty else {
      throw ValidationError(
        failures: zip(validation.failures, failedRows).map { $0.inRow($1) })
    }
    let keys = try assignKeys()
    guard !keys.isEmpty else {
      return BatchOutcome(effects: BatchEffects(changes: ChangeSet(), keys: []))
    }
    let changes = ChangeSet(
      inserted: pages, author: context.transactionAuthor, contextName: context.name)
    changes.roundDates(to: context.datePrecision)
    let receipt: SaveReceipt
    do {
      receipt = try context.source.accept(context.request(changes))
    } catch {
      switch error.code {
      case .constraint, .conflict: return nil
      default: throw error
      }
    }
    for page in pages { page.seal() }
    return BatchOutcome(
      effects: BatchEffects(changes: changes, keys: keys), notDurable: context.noteReceipt(receipt))
  }

  /// Saves objects of all rows. A failure names the row of its object.
  mutating func saveObjects() throws -> BatchOutcome {
    let objects = makeObjects()
    do {
      return try context.saveBatch(of: objects)
    } catch let error as ValidationError {
      let numbers = Dictionary(
        zip(objects.map(\.objectID), 1...), uniquingKeysWith: { first, _ in first })
      throw ValidationError(
        failures: error.failures.map { failure in
          numbers[failure.objectID].map { failure.inRow($0) } ?? failure
        })
    }
  }

  /// Gives the rows their permanent keys.
  private func assignKeys() throws(StoreError) -> [RowKey] {
    let count = pages.reduce(0) { $0 + $1.count }
    guard count > 0 else { return [] }
    let root = context.model.shape(numbered: home.shape.rootNumber)
    var next = try context.source.reserveKeys(count, for: root, inStore: 0).lowerBound
    var keys: [RowKey] = []
    keys.reserveCapacity(count)
    for page in pages {
      for index in 0..<page.count {
        let key = RowKey(entity: home.shape.number, primaryKey: next)
        unsafe page.row(index).key = key
        keys.append(key)
        next += 1
      }
    }
    return keys
  }
}

extension BatchInsertRequest {
  fileprivate var mergePolicy: MergePolicy {
    switch onUniqueConflict {
    case .fail: .error
    case .skip: .rollback
    case .update: .objectTrump
    }
  }
}

extension ValidationError.Failure {
  /// The failure with the number of its row in the batch.
  fileprivate func inRow(_ number: Int) -> Self {
    Self(
      code, objectID, property: property, "\(detail) It is row \(number) of the batch.",
      underlying: underlying)
  }
}
