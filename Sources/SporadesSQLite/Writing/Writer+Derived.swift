// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// Core Data maintains derived attributes with triggers, which add and subtract as rows come and go. A change
// set contains the final values.
extension Writer {
  // MARK: - Triggers of a known form

  /// Compares the values that the triggers made with those of the change set.
  ///
  /// An update leaves such a value to the triggers. Both values are the same unless somebody changed the total
  /// without a new version of its row. The value is then computed of everything that is stored, and the row counts as
  /// changed by a trigger, so that contexts read it again.
  mutating func settleDerived(_ changes: ChangeSet) throws(StoreError) {
    for rows in changes.updated {
      try settleDerived(rows.page) { rows.isChanged($0, slot: $1) }
    }
    for page in changes.inserted { try settleDerived(page) { _, _ in true } }
  }

  private mutating func settleDerived(
    _ page: RowPage, _ isWritten: (Int, Int) -> Bool
  ) throws(StoreError) {
    let table = plan.layout.tablesByEntity[page.layout.rootEntity - 1]
    for (slot, number) in plan.maintained[table] {
      let derivation = plan.layout.derivations[number]
      let stored = try statement(.derivedValue, number, derivation.value)
      for index in 0..<page.count where isWritten(index, slot) {
        let key = page.key(index).primaryKey
        stored.bind(key, at: 1)
        defer { stored.reset() }
        guard try !stored.step() || !value(page, index, slot).isSame(as: stored.value(0)) else {
          continue
        }
        let renewal = try connection.statement(derivation.renewal)
        renewal.bind([key, key])
        try renewal.run()
        changedByTriggers.append(page.key(index))
      }
    }
  }

  // MARK: - Other triggers

  /// Writes the derived values again after all triggers have run.
  func writeDerived(_ changes: ChangeSet) throws(StoreError) {
    for rows in changes.updated {
      try writeDerived(rows.page) { rows.isChanged($0, slot: $1) }
    }
    for page in changes.inserted { try writeDerived(page) { !page.isNull($0, slot: $1) } }
  }

  private func writeDerived(
    _ page: RowPage, _ isNew: (Int, Int) -> Bool
  ) throws(StoreError) {
    let table = plan.layout.tablesByEntity[page.layout.rootEntity - 1]
    let statements = plan.tableStatements(table)
    for slot in page.layout.slots.indices {
      guard case .attribute(let attribute) = page.layout.slots[slot].role, attribute.isDerived,
        plan.maintained[table][slot] == nil
      else { continue }
      let statement = try connection.statement(statements.set(slot))
      for index in 0..<page.count where isNew(index, slot) {
        statement.bind([value(page, index, slot), .integer(page.key(index).primaryKey)])
        try statement.run()
      }
    }
  }

  private func stored(_ text: String, _ page: RowPage, _ slot: Int) -> SQLValue {
    let table = plan.layout.table(ofEntity: page.layout.rootEntity)
    return table.columns[slot].type == .decimal ? DecimalText.stored(text) : .text(text)
  }

  private func value(_ page: RowPage, _ index: Int, _ slot: Int) -> SQLValue {
    guard !page.isNull(index, slot: slot) else { return .null }
    let word = page.word(index, slot: slot)
    return switch page.layout.slots[slot].kind {
    case .integer, .truth: .integer(Int64(bitPattern: word))
    case .real: .real(Double(bitPattern: word))
    case .text: stored(page.text(index, slot: slot) ?? "", page, slot)
    case .bytes: .blob(unsafe page.withBytes(index, slot: slot) { unsafe Array($0) } ?? [])
    case .reference: .integer(RowKey(rawValue: word).primaryKey)
    case .large: preconditionFailure("A derived value lies in its row.")
    }
  }
}

extension SQLValue {
  /// Whether a value is the stored one. SQLite keeps a whole real number as an integer, and NaN as null.
  fileprivate func isSame(as other: SQLValue) -> Bool {
    switch (self, other) {
    case (.integer(let whole), .real(let real)), (.real(let real), .integer(let whole)):
      Int64(exactly: real) == whole
    case (.real(let real), .null): real.isNaN
    default: self == other
    }
  }
}
