// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

/// The single connection that writes, and the change sets accepted since the last commit.
///
/// Rules:
/// 1. The accepted change sets are kept until a commit succeeds. If SQLite rolls back a transaction itself (a
///    full disk, a failing disk), the writer executes them again before anything else.
/// 2. A failed change set is undone: by its savepoint, by a rollback if it is the first of its transaction,
///    or by SQLite if it was a single statement.
/// 3. Other connections may write between a lost transaction and its restoration. A change set that they made
///    impossible is left out and reported; the others are kept.
struct Writer {
  let connection: Connection
  let plan: StorePlan
  let files: ExternalFiles?
  let place: StorePlace?
  /// The index is a root entity's number minus one. Nil if no key was needed yet.
  var blocks: [KeyBlock?]
  var history: History?
  var own = OwnTransactions()
  /// The identifier of the program's bundle, for the history.
  private var bundle: String?
  /// The number of the schema that the history was looked for in; nil before the first look.
  private var schemaOfHistory: Int64?
  var present = PresentRows()
  /// The version of the file when it was opened; nil once others have committed, and for a store in memory.
  var versionAtOpening: Int64?
  /// Others have committed, so that a change set may miss what they did.
  var mayMissOthers = false
  var accepted: [ChangeSet] = []
  /// Change sets that were left out and not reported yet.
  var losses: [LostChanges] = []
  var pendingMetadata: [UInt8]?
  /// The parts of commits over several stores that the store must still commit.
  var covered: [CoveredPart] = []
  let triggers: StoreTriggers
  /// The attributes whose former values the history keeps.
  private let kept: KeptValues
  /// Rows that got other values from triggers than from the last change set.
  var changedByTriggers: [RowKey] = []
  /// Called before each transaction, on its connection. Only a database in memory needs it, whose readers share the
  /// connection.
  var willBegin: (@Sendable (Connection) -> Void)?
  /// The rows that readers keep between their reads; nil where none are kept.
  var rowCache: RowCache?
  /// Brings tables of another module up to date before each commit.
  var companion: (any StoreCompanion)?
  /// The last schema for which somebody looked whether SQLite tells all changed rows, and the answer.
  var lookedAt: (schema: Int64, tellsAll: Bool)?
  /// Whether the open transaction has reserved keys.
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
    kept = KeptValues(plan)
    if triggers.hasOwn { try connection.countTouches() }
  }

  /// Finds the tables of the history in a file that is being opened.
  mutating func openHistory(bundle: String?) throws(StoreError) {
    self.bundle = bundle
    // The number is older than the tables, so that tables which appear in between are found later.
    schemaOfHistory = connection.model?.knownSchema
    try beginBesideOthers()
    history = try History(on: connection, bundle: bundle)
  }

  mutating func takeKeysChangedByTriggers() -> [RowKey] {
    defer { changedByTriggers = [] }
    return changedByTriggers
  }

  /// Whether there are changes that readers of the committed state must not see.
  var hasAccepted: Bool { !accepted.isEmpty || pendingMetadata != nil }

  // MARK: - Transactions

  /// Brings all accepted changes into the open transaction.
  mutating func restore() throws(StoreError) {
    guard hasAccepted, connection.isOutsideTransaction else { return }
    try Cancellation.shielding { () throws(StoreError) in try executeAgain(without: []) }
  }

  mutating func begin() throws(StoreError) {
    willBegin?(connection)
    connection.wait.sign?.leaveGap()
    defer { connection.wait.end() }
    try connection.statement(StatementNumber(.begin), .beginToWrite).run()
    do throws(StoreError) {
      if rowCache?.isUsed == true { try connection.watchRows() }
      try connection.model?.check(connection)
    } catch {
      rollback()
      throw error
    }
    try beginHistory()
    noteOthers()
  }

  /// Another connection may have written the history since the last transaction, or made its tables.
  private mutating func beginHistory() throws(StoreError) {
    history?.forget()
    do throws(StoreError) { try lookForHistory() } catch {
      rollback()
      throw error
    }
  }

  /// Finds the tables of a history that another connection has made since the last look.
  mutating func lookForHistory() throws(StoreError) {
    guard connection.model != nil else { return }
    let schema = try ModelMark.schema(of: connection)
    guard schema != schemaOfHistory else { return }
    history = try History(on: connection, bundle: bundle)
    schemaOfHistory = schema
  }

  /// Runs `body`, which may read outside a transaction. Throws `modelChanged` if it may have seen rows of another
  /// version of the model.
  mutating func checked<Output>(
    _ body: (inout Writer) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    let output: Output
    do { output = try body(&self) } catch { throw connection.cause(of: error) }
    if connection.schema.isDue { try connection.model?.check(connection) }
    return output
  }

  /// Forgets the values that a transaction read or raised, because it may be rolled back.
  mutating func forget() {
    own.forgetUncommitted()
    for place in blocks.indices { blocks[place]?.persisted = 0 }
    history?.forget()
    present.forget()
  }

  mutating func rollback() {
    forget()
    guard !connection.isOutsideTransaction else { return }
    // SQLite leaves the transaction even if the rollback fails.
    try? connection.statement(StatementNumber(.rollback), .rollback).run()
  }

  /// Commits the accepted changes, with the notes of a commit over several stores. The caller can check the place of the
  /// store itself, after its sync.
  mutating func commit(
    noting notes: CommitNotes? = nil, checksPlace: Bool = true
  ) throws(StoreError) {
    if let notes { cover(notes.finished) }
    if hasAccepted || !losses.isEmpty {
      connection.limit.renew()
      try restore()
    }
    guard losses.isEmpty else { throw losses.unreported(plan.scope) }
    guard hasAccepted else {
      if notes != nil || !covered.isEmpty {
        try transact { (writer) throws(StoreError) in try writer.write(notes) }
        covered = []
      }
      return
    }
    try write(notes)
    try files?.sync()
    try endTransaction()
    if hasUnprotectedKeys { protectKeys() }
    accepted.removeAll(keepingCapacity: true)
    covered = []
    pendingMetadata = nil
    // The next change sets name none of these files, even if the store's own file is lost.
    files?.settle()
    if checksPlace { try checkPlace() }
  }

  mutating func endTransaction() throws(StoreError) {
    defer { connection.wait.end() }
    // The version was compared when the transaction began, and nobody can change it before the commit.
    try companion?.settle(connection)
    connection.schema.isDue = false
    try commitTransaction()
    own.noteCommit()
  }

  /// Rolls back to the committed state, runs `body`, and executes the accepted changes again. Only a database
  /// in memory needs this, because it has a single connection.
  mutating func withCommittedState(
    _ body: (Connection) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard hasAccepted else { return try connection.checked(body) }
    rollback()
    try body(connection)
    try restore()
  }

  // MARK: - Change sets

  /// Executes a change set. `rest` runs afterwards and can refuse the change set by throwing.
  mutating func execute(
    _ changes: ChangeSet, then rest: (() throws(StoreError) -> Void)? = nil
  ) throws(StoreError) {
    changedByTriggers = []
    try checkBeforeWriting()
    connection.limit.renew()
    try restore()
    let mayMeetLosses = !losses.isEmpty
    if mayMeetLosses { try losses.check(changes, plan.model, plan.scope) }
    connection.touches?.forget()
    let isFirst = connection.isOutsideTransaction
    let isGuarded = !isFirst && (rest != nil || mayMeetLosses || !isSingleStatement(changes))
    let mark = files?.mark
    if isFirst { try begin() }
    if isGuarded {
      try beginChanges()
    }
    do {
      if mayMissOthers { try checkReferences(of: changes) }
      try write(changes)
      if let touches = connection.touches {
        changedByTriggers += try keys(changedBy: touches, beyond: changes)
        // The triggers may have deleted some of these rows.
        if !changedByTriggers.isEmpty { present.forget() }
      }
      if mayMeetLosses { try checkTargets(of: changes) }
      try rest?()
      if isGuarded { try release() }
    } catch {
      forget()
      if isFirst { rollback() } else if isGuarded { undoChanges() }
      endTransaction(brokenBy: error)
      if let mark { files?.discard(after: mark) }
      throw error
    }
    guard changes.hasWrites else { return isFirst ? rollback() : () }
    accepted.append(changes)
  }

  private func isSingleStatement(_ changes: ChangeSet) -> Bool {
    // A trigger may fail after its statement has changed rows, and rows changed by triggers are counted only
    // after the statement.
    guard !triggers.hasOwn, !triggers.hasForeignDerivations, plan.layout.derivations.isEmpty else {
      return false
    }
    guard history == nil, !mayMissOthers, changes.expected.isEmpty, changes.links.isEmpty,
      changes.count == 1
    else {
      return false
    }
    return changes.deleted.allSatisfy { plan.joins[$0.key.entity - 1].isEmpty }
  }

  func beginChanges() throws(StoreError) {
    try connection.statement(StatementNumber(.savepoint), .savepoint).run()
  }

  func release() throws(StoreError) {
    try connection.statement(StatementNumber(.release), .release).run()
  }

  mutating func undoChanges() {
    // Outside a transaction, SQLite has already undone everything. The restoration brings back the accepted
    // changes later.
    guard !connection.isOutsideTransaction else { return }
    // After a failure here, the restoration brings them back, too.
    do throws(StoreError) { try connection.run(.undo) } catch { rollback() }
  }

  /// Ends the transaction if SQLite could not read a page. It may refuse everything else in the transaction then. The
  /// restoration brings back the accepted changes.
  mutating func endTransaction(brokenBy error: StoreError) {
    if error.isUnreadablePage { rollback() }
  }

  mutating func write(_ changes: ChangeSet) throws(StoreError) {
    do throws(StoreError) { try writeRows(of: changes) } catch { throw plan.explained(error) }
  }

  private mutating func writeRows(of changes: ChangeSet) throws(StoreError) {
    var conflicts: [RowKey] = []
    try compare(changes.expected, &conflicts)
    let keptNumber = try recordHistory(of: changes)
    if !changes.deleted.isEmpty { present.forget() }
    try delete(changes.deleted, &conflicts)
    try update(changes.updated, &conflicts)
    guard conflicts.isEmpty else { throw plan.conflict(conflicts, deleted: try missing(conflicts)) }
    for page in changes.inserted { try insert(page) }
    for change in changes.links { try link(change) }
    if triggers.hasForeignDerivations { try writeDerived(changes) }
    if !plan.layout.derivations.isEmpty { try settleDerived(changes) }
    if let keptNumber { try kept.fill(keptNumber, connection, plan) }
  }

  /// Writes the history of a change set before its rows. Returns the number of its transaction if it changes values that
  /// the history keeps.
  private mutating func recordHistory(of changes: ChangeSet) throws(StoreError) -> Int64? {
    guard changes.hasWrites, let number = try history?.record(changes, connection, plan) else {
      return nil
    }
    own.note(number)
    return try kept.note(changes, number, connection, plan) ? number : nil
  }

  /// Writes the deletion of all rows into the history.
  mutating func recordRemovalOfAllRows() throws(StoreError) {
    if let number = try history?.recordRemovalOfAllRows(connection, plan) {
      try kept.noteAll(number, connection, plan)
    }
  }

  // MARK: - Statements

  func statement(
    _ use: StatementNumber.Use, _ number: Int, _ made: @autoclosure () -> SQLStatement
  ) throws(StoreError) -> Statement {
    try connection.statement(StatementNumber(use, number), made())
  }

  /// The update for one set of changed slots. A few hundred stay prepared.
  mutating func updateStatement(_ key: UpdateStatement.Key) throws(StoreError) -> UpdateStatement {
    if let known = updates[key] { return known }
    if updates.count >= 500 { updates.removeAll() }
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

  /// Finalizes the prepared statements and closes the connection.
  mutating func close() {
    keepForeignFiles()
    updates.removeAll()
    connection.close()
  }
}
