// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The one connection that writes, and what it has accepted since the last commit.
///
/// Rules:
/// 1. The accepted change sets are kept until a commit succeeds. When SQLite gives up a transaction
///    by itself (a full disk, a failing one), they are executed again before anything else.
/// 2. A change set that fails is undone: by its savepoint, or with its transaction if it is the
///    first, or by SQLite if it was a single statement.
/// 3. Others may write between a lost transaction and its restoration. A change set that they made
///    impossible is left out and reported; the others are kept.
struct Writer {
  let connection: Connection
  let plan: StorePlan
  let files: ExternalFiles?
  private let place: StorePlace?
  /// By number of a root entity, less one; nil where no key was needed yet.
  var blocks: [KeyBlock?]
  var history: History?
  var present = PresentRows()
  var accepted: [ChangeSet] = []
  /// Change sets that were left out, until somebody asks for them.
  var losses: [LostChanges] = []
  private(set) var pendingMetadata: [UInt8]?
  let triggers: StoreTriggers
  /// Rows that an app's triggers changed with the last change set.
  private var changedByTriggers: [RowKey] = []
  /// Keys were set aside in the open transaction.
  var hasUnprotectedKeys = false
  private var updates: [UpdateStatement.Key: UpdateStatement] = [:]

  init(
    _ connection: Connection, _ plan: StorePlan, _ files: ExternalFiles?, _ place: StorePlace?,
    _ triggers: StoreTriggers
  ) throws(StoreError) {
    self.connection = connection
    self.plan = plan
    self.files = files
    self.place = place
    blocks = Array(repeating: nil, count: plan.model.shapes.count)
    self.triggers = triggers
    if triggers.hasOwn { try connection.countTouches() }
  }

  mutating func takeKeysChangedByTriggers() -> [RowKey] {
    defer { changedByTriggers = [] }
    return changedByTriggers
  }

  /// There are changes that readers of the committed state must not see.
  var hasAccepted: Bool { !accepted.isEmpty || pendingMetadata != nil }

  // MARK: - Transactions

  /// Makes sure that everything accepted is in the open transaction.
  mutating func restore() throws(StoreError) {
    guard hasAccepted, connection.isOutsideTransaction else { return }
    try executeAgain(without: [])
  }

  mutating func begin() throws(StoreError) {
    connection.wait.sign?.leaveGap()
    defer { connection.wait.end() }
    try connection.statement(StatementNumber(.begin), .beginToWrite).run()
    checkPresent()
  }

  /// What was read or raised in a transaction that is undone is not known any more.
  mutating func forget() {
    for place in blocks.indices { blocks[place]?.persisted = 0 }
    history?.forget()
    present.forget()
  }

  mutating func rollback() {
    forget()
    guard !connection.isOutsideTransaction else { return }
    // A rollback that fails leaves SQLite outside the transaction all the same.
    try? connection.statement(StatementNumber(.rollback), .rollback).run()
  }

  /// Runs `body` in the open transaction, or in one of its own that is committed at once.
  mutating func transact<Output>(
    _ body: (inout Writer) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try checkIfLost()
    connection.limit.renew()
    try restore()
    guard connection.isOutsideTransaction else { return try body(&self) }
    try begin()
    do {
      let output = try body(&self)
      try endTransaction()
      if hasUnprotectedKeys { protectKeys() }
      try checkPlace()
      return output
    } catch {
      rollback()
      dropUnprotectedKeys()
      throw error
    }
  }

  /// Commits the accepted changes; does not look whether the file is in place where `checking` is false,
  /// because the caller does so when the log is synced.
  mutating func commit(checking: Bool = true) throws(StoreError) {
    guard hasAccepted || !losses.isEmpty else { return }
    connection.limit.renew()
    try restore()
    guard losses.isEmpty else { throw untoldLosses }
    try files?.sync()
    try endTransaction()
    if hasUnprotectedKeys { protectKeys() }
    accepted.removeAll(keepingCapacity: true)
    pendingMetadata = nil
    // Whatever became of the store's file: the next change sets name no file of these.
    files?.settle()
    if checking { try checkPlace() }
  }

  /// Throws where the last check did and the files have not come back.
  func checkIfLost() throws(StoreError) {
    if place?.wasLost == true { try checkPlace() }
  }

  /// Throws where what was committed is not in the file at the store's path.
  func checkPlace() throws(StoreError) {
    do throws(StoreError) { try place?.check() } catch {
      // What the log holds belongs to the file that was opened, and would be read as part of another
      // one that lies there now. Where this fails the log stays, and closing tries again.
      try? emptyLog()
      throw error
    }
  }

  /// Moves the whole log into the database, unless others are using it or it is somebody else's.
  func emptyLog() throws(StoreError) {
    guard place?.ownsLog == true else { return }
    try connection.withoutWaiting { () throws(StoreError) in
      _ = try connection.checkpoint(truncating: true)
    }
  }

  private func endTransaction() throws(StoreError) {
    defer { connection.wait.end() }
    try connection.statement(StatementNumber(.commit), .commit).run()
  }

  /// Steps back to the committed state, runs `body`, and takes the accepted changes again. Only a
  /// database in memory needs it, since it has one connection.
  mutating func withCommittedState<Output>(
    _ body: (Connection) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    guard hasAccepted else { return try body(connection) }
    rollback()
    let output = try body(connection)
    try restore()
    return output
  }

  // MARK: - Change sets

  /// `rest` can refuse the change set that is done; nil means that nothing will.
  mutating func execute(
    _ changes: ChangeSet, then rest: (() throws(StoreError) -> Void)? = nil
  ) throws(StoreError) {
    try checkIfLost()
    connection.limit.renew()
    try restore()
    let mayMeetLosses = !losses.isEmpty
    if mayMeetLosses { try checkLosses(changes) }
    connection.touches?.forget()
    let isFirst = connection.isOutsideTransaction
    let isGuarded = !isFirst && (rest != nil || mayMeetLosses || !isSingleStatement(changes))
    let mark = files?.mark
    if isFirst { try begin() }
    if isGuarded {
      try connection.statement(StatementNumber(.savepoint), .begin(.changes)).run()
    }
    do {
      try writeParkingIfNeeded(changes)
      if let touches = connection.touches {
        changedByTriggers = try keys(changedBy: touches, beyond: changes)
        // Among them may be rows that are gone.
        if !changedByTriggers.isEmpty { present.forget() }
      }
      if mayMeetLosses { try checkTargets(of: changes) }
      try rest?()
      if isGuarded { try release() }
    } catch {
      forget()
      if isFirst { rollback() } else if isGuarded { undo(.changes) }
      if let mark { files?.discard(after: mark) }
      throw error
    }
    guard changes.hasWrites else { return isFirst ? rollback() : () }
    accepted.append(changes)
  }

  private func isSingleStatement(_ changes: ChangeSet) -> Bool {
    // A trigger may fail and keep what its statement did, and triggers are looked after once it is done.
    guard !triggers.hasOwn, !triggers.hasDerivations else { return false }
    guard history == nil, changes.expected.isEmpty, changes.links.isEmpty, changes.count == 1 else {
      return false
    }
    return changes.deleted.allSatisfy { plan.joins[$0.key.entity - 1].isEmpty }
  }

  func release() throws(StoreError) {
    try connection.statement(StatementNumber(.release), .release(.changes)).run()
  }

  func undo(_ savepoint: SQLStatement.Savepoint) {
    // Outside a transaction SQLite has undone everything; what was accepted is restored later.
    guard !connection.isOutsideTransaction else { return }
    // A failure here ends the whole transaction, which is then restored in the same way.
    try? connection.run(.undo(savepoint))
  }

  /// Two rows that exchange a unique value meet it twice for a moment. When that happens the
  /// values are taken out of all updated rows first, and the change set is written once more.
  mutating func writeParkingIfNeeded(_ changes: ChangeSet) throws(StoreError) {
    let canPark = changes.updated.contains { rows in
      rows.page.count > 1
        && !plan.uniqueSlots[plan.layout.tablesByEntity[rows.page.layout.rootEntity - 1]].isEmpty
    }
    guard canPark else { return try writeExplained(changes, parking: false) }
    try connection.run(.begin(.parking))
    do {
      try writeExplained(changes, parking: false)
      try connection.run(.release(.parking))
    } catch  where error.isUniqueViolation && !connection.isOutsideTransaction {
      try connection.run(.rollBack(to: .parking))
      forget()
      try writeExplained(changes, parking: true)
      try connection.run(.release(.parking))
    }
  }

  private mutating func writeExplained(
    _ changes: ChangeSet, parking: Bool
  ) throws(StoreError) {
    do { try write(changes, parking: parking) } catch { throw plan.explained(error) }
  }

  private mutating func write(_ changes: ChangeSet, parking: Bool) throws(StoreError) {
    var conflicts: [RowKey] = []
    try compare(changes.expected, &conflicts)
    if changes.hasWrites { try history?.record(changes, connection, plan) }
    if !changes.deleted.isEmpty { present.forget() }
    try delete(changes.deleted, &conflicts)
    if parking { for rows in changes.updated { try park(rows) } }
    for rows in changes.updated { try update(rows, &conflicts) }
    guard conflicts.isEmpty else { throw plan.conflict(conflicts) }
    for page in changes.inserted { try insert(page) }
    for change in changes.links { try link(change) }
    if triggers.hasDerivations { try writeDerived(changes) }
  }

  // MARK: - Statements

  func statement(
    _ use: StatementNumber.Use, _ number: Int, _ made: @autoclosure () -> SQLStatement
  ) throws(StoreError) -> Statement {
    try connection.statement(StatementNumber(use, number), made())
  }

  /// The update of one set of changed slots; the few hundred used are kept.
  mutating func updateStatement(_ key: UpdateStatement.Key) throws(StoreError) -> UpdateStatement {
    if let known = updates[key] { return known }
    if updates.count >= 500 {
      for update in updates.values { update.statement.finalize() }
      updates.removeAll()
    }
    let made = try UpdateStatement(key, connection, plan)
    updates[key] = made
    return made
  }

  mutating func setMetadata(_ plist: [UInt8]) throws(StoreError) {
    try transact { (writer) throws(StoreError) in
      try writer.writeMetadata(plist)
      if writer.hasAccepted { writer.pendingMetadata = plist }
    }
  }

  func writeMetadata(_ plist: [UInt8]) throws(StoreError) {
    try connection.run(plan.metadata.set(contents: plist))
  }

  /// Lets go of the prepared statements, so that the connection can be closed.
  mutating func close() {
    if place?.ownsLog == false { connection.keepLog() }
    for update in updates.values { update.statement.finalize() }
    updates.removeAll()
    connection.close()
  }
}

/// An update of certain slots of one table's rows.
struct UpdateStatement {
  struct Key: Hashable {
    let table: Int
    /// A bit per slot.
    let slots: [UInt64]
  }
  let statement: Statement
  let transfers: [SlotTransfer]
  let parameters: Int

  init(_ key: Key, _ connection: Connection, _ plan: StorePlan) throws(StoreError) {
    let table = plan.layout.tables[key.table]
    let layout = plan.model.shape(numbered: table.rootEntity).layout
    let slots = layout.slots.indices.filter { key.slots[$0 >> 6] & (1 << UInt64($0 & 63)) != 0 }
    let update = plan.tableStatements(key.table).update(slots, layout)
    statement = try Statement(update.statement, on: connection)
    transfers = update.transfers
    parameters = update.parameters
  }
}
