// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// Batches, whose statements change rows that nobody has read.
//
// Rules:
// 1. A batch is a transaction of its own, with a number as every commit has.
// 2. The writer carries out a batch only if the result is exactly what a change set of the same rows would give. Where it
//    cannot, or where the server refuses a value or a row, it undoes everything and returns nil. The caller then reads the
//    rows, and finds out why.
extension ServerWriter {
  /// Executes and commits a batch. Returns nil if the writer does not carry out this batch.
  mutating func execute(_ batch: StoreBatch) throws(StoreError) -> BatchEffects? {
    let rows = try plan.compiler(batch.fetch)
    guard tables.keepsBooks, rows.isExact else { return nil }
    let compiler = BatchCompiler(rows, plan.layout)
    let update: BatchCompiler.Update?
    switch batch.work {
    case .update(let assignments):
      update = try compiler.update(assignments)
      guard update != nil else { return nil }
    case .delete: update = nil
    }
    try commit(.eventual)
    try connectIfBroken()
    do throws(StoreError) {
      let effects =
        if let update { try self.update(update, batch) } else { try delete(compiler, batch) }
      if let effects { return try commit(effects) }
    } catch {
      rollback()
      guard error.isRefusalOfRows else { throw plan.explained(error) }
    }
    rollback()
    return nil
  }

  /// Begins a transaction with a statement.
  private func begin(_ statement: SQLStatement) throws(StoreError) -> ServerRows {
    let answers = try connection.pipelined { (connection) throws(StoreError) in
      try connection.send("BEGIN")
      // The owner's transaction has checked its constraints before.
      if connection.inner != nil { try connection.send("SET CONSTRAINTS ALL DEFERRED") }
      try connection.send(statement)
    }
    return answers[answers.count - 1]
  }

  private func update(
    _ update: BatchCompiler.Update, _ batch: StoreBatch
  ) throws(StoreError) -> BatchEffects? {
    guard case .update(let assignments) = batch.work else { return nil }
    let answer = try begin(update.statement)
    for (place, assignment) in update.computed.enumerated()
    where !assignment.attribute.description.isOptional {
      guard !(0..<answer.count).contains(where: { answer.isNull($0, place + 2) }) else {
        return nil
      }
    }
    let keys = try ServerRowReader(plan, batch.fetch.entity).keys(answer)
    let rows = RewrittenRows(keys: keys, slots: assignments.map(\.slot))
    let changes = ChangeSet(
      rewritten: keys.isEmpty ? [] : [rows], author: batch.author, contextName: batch.contextName)
    return BatchEffects(changes: changes, keys: keys)
  }

  private func delete(
    _ compiler: BatchCompiler, _ batch: StoreBatch
  ) throws(StoreError) -> BatchEffects? {
    let rows: SQLFragment = "\(compiler.keysAndVersions) FOR UPDATE OF t0"
    let found = try begin(rows.rendered(in: plan.dialect))
    var deletion = ServerDeletion(of: batch.fetch.family, connection, plan)
    var pipe = pipe
    return try deletion.delete(found, batch) { (changes) throws(StoreError) in
      try pipe.noteFormer(changes)
    }
  }

  /// Notes the changes in the history, and commits them. A caller that wants them on the disk commits again, so that a failure
  /// of that does not look like a batch that was undone.
  private mutating func commit(_ effects: BatchEffects) throws(StoreError) -> BatchEffects {
    guard effects.changes.count > 0 else {
      rollback()
      return effects
    }
    do throws(StoreError) {
      try end(.eventual) { (writer, number) throws(StoreError) in
        var pipe = writer.pipe
        try writer.sendCommit(number, .eventual) { () throws(StoreError) in
          try pipe.noteTransaction(effects.changes)
        }
      }
    } catch {
      // Nobody keeps the batch until a later lookup, so that it must not look like one that was undone.
      guard unanswered == nil else { throw .unclear(at: connection.place) }
      throw error
    }
    return effects
  }

  private var pipe: Pipe {
    Pipe(connection: connection, plan: plan, client: client, texts: [:], isGuarded: false)
  }
}

extension StoreError {
  /// A value that the server cannot compute or keep, or a constraint.
  fileprivate var isRefusalOfRows: Bool {
    guard let state = serverFailure?.state else { return false }
    return state.hasPrefix("22") || state.hasPrefix("23")
  }
}
