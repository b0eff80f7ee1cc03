// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
package import SporadesStore

/// The single connection that writes, and the change sets accepted since the last commit.
///
/// Rules:
/// 1. The accepted change sets are kept until a commit succeeds. If their transaction was lost with the connection, they
///    are executed again before anything else.
/// 2. A failed change set is undone: by its savepoint, or by a rollback if it is the first of its transaction.
/// 3. Others may write between a lost transaction and its restoration. A change set that they made impossible is left out
///    and reported; the others are kept.
/// 4. A commit whose answer was lost is looked up by the number of the write, and is never done twice.
package struct ServerWriter {
  package let plan: ServerPlan
  let tables: any WrittenTables
  package let source: ServerSource
  /// Nil while a writer that shares its connections has nothing to do.
  private var held: ServerConnection?
  /// A connection that has ended behind the writer's work, whose process the server may still have.
  private var lost: ServerConnection?
  private let connections: ServerPool
  package var accepted: [ChangeSet] = []
  package var losses: [LostChanges] = []
  /// Tells others of commits; nil unless the options ask for that.
  var signals: ServerSignals?
  /// Names this writer on the server.
  var client: UUID { source.promises.client }
  private(set) var lastWrite: Int64 = 0
  /// The number of a commit whose answer was lost, until the server has told whether it took place.
  var unanswered: Int64?
  /// A commit may not be on the server's disk yet.
  private var mayLackSync = false
  /// The open transaction has the savepoint of its last change set.
  package var hasSavepoint = false
  var updates: [UpdateKey: TableStatements.UpdateText] = [:]

  /// A table and the slots that an update changes.
  struct UpdateKey: Hashable {
    let table: Int
    let slots: [Int]
  }

  init(
    _ connection: ServerConnection, of connections: ServerPool, _ plan: ServerPlan,
    _ tables: any WrittenTables, _ source: ServerSource
  ) throws(StoreError) {
    held = connection
    self.connections = connections
    self.plan = plan
    self.tables = tables
    self.source = source
    guard tables.keepsBooks else { return }
    try connection.run(
      "INSERT INTO \(ServerLayout.clients) (id, last_write) VALUES ($1, 0)", [clientValue])
  }

  // MARK: - The connection

  /// The connection of a writer that has begun.
  package var connection: ServerConnection {
    get {
      guard let held else { preconditionFailure("A writer works that has not begun.") }
      return held
    }
    set { held = newValue }
  }

  /// Has a connection from now on.
  mutating func begin() throws(StoreError) {
    guard held == nil else { return }
    held = try connections.lend(insteadOf: lost)
    lost = nil
  }

  /// Gives a shared connection back, unless something is still to be done on it.
  mutating func rest() {
    guard connections.isShared, let held, held.isBroken || !held.isInTransaction,
      accepted.isEmpty, losses.isEmpty, unanswered == nil
    else { return }
    connections.takeBack(held)
    if held.isBroken { lost = held }
    self.held = nil
  }

  var clientValue: ServerValue { .uuid(client.bytes) }

  var reading: ServerReading { ServerReading(connection: connection, plan: plan) }

  // MARK: - Change sets

  /// Executes a change set. `rest` runs afterwards and can refuse the change set by throwing.
  mutating func execute(
    _ changes: ChangeSet, then rest: (() throws(StoreError) -> Void)? = nil
  ) throws(StoreError) {
    try restore()
    let mayMeetLosses = !losses.isEmpty
    if mayMeetLosses { try losses.check(changes, plan.model, plan.scope) }
    let isFirst = !connection.isInTransaction
    do throws(StoreError) {
      try tables.write(changes, isFirst: isFirst, by: &self)
      if mayMeetLosses { try checkTargets(of: changes) }
      try rest?()
    } catch {
      throw cause(of: error, changes, isFirst: isFirst)
    }
    guard changes.hasWrites else { return isFirst ? rollback() : () }
    accepted.append(changes)
  }

  /// Undoes a failed change set, and finds out what the server's error means.
  private mutating func cause(
    of error: StoreError, _ changes: ChangeSet, isFirst: Bool
  ) -> StoreError {
    guard !connection.isBroken else { return error }
    do throws(StoreError) {
      try undo(isFirst: isFirst)
      try checkMigrations(after: error)
      return try plan.explained(error, of: changes, in: reading)
    } catch let cause {
      // What undoing lost is restored from the accepted change sets.
      rollback()
      return cause.code == .modelChanged ? cause : error
    }
  }

  /// Undoes a change set: by its savepoint, or by a rollback if it is the first of its transaction.
  func undo(isFirst: Bool) throws(StoreError) {
    tables.note(.lastUndone)
    try connection.run(isFirst ? "ROLLBACK" : "ROLLBACK TO SAVEPOINT change")
  }

  /// Ends the transaction without its changes.
  mutating func rollback() {
    hasSavepoint = false
    tables.note(.allUndone)
    guard !connection.isBroken, connection.isInTransaction else { return }
    // `try?`, because a connection that cannot roll back has ended, and its transaction with it.
    _ = try? connection.run("ROLLBACK")
  }

  // MARK: - Commits

  /// Makes the accepted change sets permanent.
  mutating func commit(_ durability: Durability) throws(StoreError) {
    if !accepted.isEmpty || !losses.isEmpty { try restore() }
    guard losses.isEmpty else { throw losses.unreported(plan.scope) }
    if accepted.isEmpty {
      guard durability == .immediate, mayLackSync else { return }
      try connectIfBroken()
    }
    try end(durability) { (writer, number) throws(StoreError) in
      try writer.sendCommit(number, durability)
    }
  }

  /// Ends a transaction by what `send` sends with its number. An end whose answer was lost is looked up.
  mutating func end(
    _ durability: Durability, _ send: (ServerWriter, Int64) throws(StoreError) -> Void
  ) throws(StoreError) {
    let number = lastWrite + 1
    do throws(StoreError) { try send(self, number) } catch {
      hasSavepoint = false
      guard connection.isBroken else {
        rollback()
        try checkMigrations(after: error)
        throw error
      }
      unanswered = number
      try connectIfBroken()
      guard lastWrite == number else { throw losses.last?.reason ?? error }
      // A commit without an answer may not have reached the standbys.
      return try durability == .immediate ? commit(.immediate) : ()
    }
    noteCommit(number, durability)
  }

  package mutating func noteCommit(_ number: Int64, _ durability: Durability) {
    lastWrite = number
    if tables.keepsBooks { source.promises.note(number, from: connection.serverStart) }
    mayLackSync = durability == .eventual
    hasSavepoint = false
    accepted.removeAll(keepingCapacity: true)
    tables.note(.committed)
    signals?.note()
  }

  /// Commits what is written, and what `rest` sends before.
  func sendCommit(
    _ number: Int64, _ durability: Durability, after rest: () throws(StoreError) -> Void = {}
  ) throws(StoreError) {
    let answers = try connection.pipelined { (connection) throws(StoreError) in
      if !connection.isInTransaction { try connection.send("BEGIN") }
      try rest()
      try sendEnd(number, durability)
    }
    guard ["COMMIT", "RELEASE"].contains(answers.last?.deed) else {
      throw StoreError(
        .io, "\(connection.place): The server rolled a transaction back instead of committing it.")
    }
  }

  /// Sends the end of a transaction, with its number.
  func sendEnd(_ number: Int64, _ durability: Durability) throws(StoreError) {
    try sendNumber(number, durability)
    try connection.send("COMMIT")
  }

  /// Sends the number of a transaction, by which its commit is looked up if the answer is lost.
  func sendNumber(_ number: Int64, _ durability: Durability) throws(StoreError) {
    // Connections wait for the disk unless they are told otherwise.
    if durability == .eventual, connection.inner == nil {
      try connection.send("SELECT set_config('synchronous_commit', 'off', true)")
    }
    try tables.sendNumber(number, durability, by: self)
  }

  /// Finds out whether a refusal comes from a migration by another process.
  func checkMigrations(after error: StoreError) throws(StoreError) {
    guard !connection.isBroken, error.serverFailure != nil, tables.keepsBooks else { return }
    let answer = try connection.run(
      "SELECT migrations FROM \(ServerLayout.names.metadata.table)")
    guard answer.integer(0, 0) == plan.migrations else { throw .migrated(at: connection.place) }
  }

  private mutating func settleUnanswered() throws(StoreError) {
    guard let number = unanswered else { return }
    try tables.settle(number, by: &self)
    unanswered = nil
  }

  // MARK: - Lost transactions

  /// Brings all accepted changes into the open transaction.
  mutating func restore() throws(StoreError) {
    try connectIfBroken()
    // A read in the transaction may have failed, which leaves nothing of it.
    if connection.isInFailedTransaction { rollback() }
    guard !accepted.isEmpty, !connection.isInTransaction else { return }
    let all = accepted
    try Cancellation.shielding { () throws(StoreError) in try executeAgain(all, without: []) }
  }

  mutating func connectIfBroken() throws(StoreError) {
    connection.notice()
    if connection.isBroken {
      hasSavepoint = false
      connection = try source.replace(connection)
    }
    try settleUnanswered()
  }

  /// Commits, and ends the writer.
  mutating func close() throws(StoreError) {
    do throws(StoreError) { try begin() } catch {
      // A writer without a connection has accepted nothing, and its row may stay at a server that is away.
      guard !mayLackSync else { throw error }
      return
    }
    try commit(.immediate)
    removeRow()
    // What could not be looked up until now is not asked for any more.
    abandon()
  }

  /// Nothing is accepted, and no sync of the durability is owed: no connection has to say so.
  func isSettled(to durability: Durability) -> Bool {
    held == nil && !(durability == .immediate && mayLackSync)
  }

  /// Gives up what could not be committed, with its connection.
  mutating func abandon() {
    if let held { connections.takeBack(held) }
    held = nil
  }

  /// Removes the writer's row. Its number goes to a row that stays, so that the sum of all numbers only grows.
  private func removeRow() {
    guard tables.keepsBooks else { return }
    // `try?`, because a row that stays costs little, and the next writer who closes removes it when it is old.
    _ = try? connection.run(
      """
      WITH gone AS (DELETE FROM \(ServerLayout.clients) WHERE id = $1 OR (seen < now() - interval '30 days' AND id <> $2) \
      RETURNING last_write) INSERT INTO \(ServerLayout.clients) AS c (id, last_write) \
      SELECT $2, coalesce(sum(last_write), 0)::bigint FROM gone \
      ON CONFLICT (id) DO UPDATE SET last_write = c.last_write + excluded.last_write
      """, [clientValue, .uuid(Self.formerWriters)])
  }

  /// Stands for all writers that have closed.
  private static let formerWriters = [UInt8](repeating: 0, count: 16)
}
