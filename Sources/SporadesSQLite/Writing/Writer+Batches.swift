// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import SporadesSQL
import SporadesStore

// Batches, whose statements change rows that nobody has read.
//
// Rules:
// 1. A batch is a transaction of its own.
// 2. The writer carries out a batch only if the result is exactly what a change set of the same rows would give.
//    It finds out before the first statement, or by the rows that a statement returns. It then undoes everything
//    and returns nil.
extension Writer {
  /// Executes and commits a batch. Returns nil if the writer does not carry out this batch.
  mutating func execute(_ batch: StoreBatch) throws(StoreError) -> BatchEffects? {
    guard canCarryOut else { return nil }
    try commit()
    var unnamed: [ValueName] = []
    let effects = try transactUnlessNil { (writer) throws(StoreError) -> BatchEffects? in
      do throws(StoreError) {
        switch batch.work {
        case .update(let assignments): return try writer.update(batch, assignments)
        case .delete: return try writer.delete(batch, &unnamed)
        }
      } catch {
        let error = writer.plan.explained(error)
        // because a change set of the same rows may exchange unique values
        if error.isUniqueViolation { return nil }
        throw error
      }
    }
    guard effects != nil, !unnamed.isEmpty else { return effects }
    for name in unnamed { files?.drop(name) }
    files?.settle()
    return effects
  }

  /// The file has nothing that a change set keeps right beside the rows. SQLite returns changed rows since version
  /// 3.35.
  private var canCarryOut: Bool {
    history == nil && !triggers.hasOwn && !triggers.hasForeignDerivations
      && plan.layout.derivations.isEmpty && sqlite3_libversion_number() >= 3_035_000
  }

  // MARK: - Updates

  private func update(
    _ batch: StoreBatch, _ assignments: [StoreBatch.Assignment]
  ) throws(StoreError) -> BatchEffects? {
    let compiler = BatchCompiler(try plan.compiler(batch.fetch), plan.layout)
    guard let update = try compiler.update(assignments) else { return nil }
    let statement = try connection.statement(update.statement)
    defer { statement.reset() }
    var keys: [RowKey] = []
    while try statement.step() {
      for (place, assignment) in update.computed.enumerated() {
        guard statement.holds(assignment.attribute, at: Int32(place + 2)) else { return nil }
      }
      keys.append(key(in: statement, ofRoot: batch.fetch.entity.rootNumber))
    }
    let rows = RewrittenRows(keys: keys, slots: assignments.map(\.slot))
    let changes = ChangeSet(
      rewritten: keys.isEmpty ? [] : [rows], author: batch.author,
      contextName: batch.contextName)
    return BatchEffects(changes: changes, keys: keys)
  }

  // MARK: - Deletions

  /// Deletes the rows of a batch. `unnamed` are the files that no row names afterwards.
  private mutating func delete(
    _ batch: StoreBatch, _ unnamed: inout [ValueName]
  ) throws(StoreError) -> BatchEffects? {
    let deletion = BatchDeletion(of: batch.fetch.family, connection, plan)
    let compiler = BatchCompiler(try plan.compiler(batch.fetch), plan.layout)
    present.forget()
    return try deletion.delete(compiler.keysAndVersions, batch) { (key) throws(StoreError) in
      unnamed += try files(of: key)
    }
  }

  private func key(in statement: Statement, ofRoot root: Int) -> RowKey {
    RowKey(
      entity: plan.numbers.modelNumber(statement.integer(1), else: root),
      primaryKey: statement.integer(0))
  }
}

extension Statement {
  /// A computed value is one that the attribute can hold.
  fileprivate func holds(_ attribute: AttributeShape, at column: Int32) -> Bool {
    switch value(column) {
    case .null: attribute.description.isOptional
    case .integer(let number): attribute.type.integerRange.contains(number)
    case .real: attribute.type == .double || attribute.type == .date
    case .text, .blob: true
    }
  }
}
