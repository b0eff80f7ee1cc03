// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

// Core Data maintains derived attributes with triggers, which add and subtract as rows come and go. A change
// set contains the final values.
extension Writer {
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
    let statements = plan.tableStatements(ofEntity: page.layout.rootEntity)
    for slot in page.layout.slots.indices {
      guard case .attribute(let attribute) = page.layout.slots[slot].role, attribute.isDerived
      else { continue }
      let statement = try connection.statement(statements.set(slot))
      for index in 0..<page.count where isNew(index, slot) {
        statement.bind([value(page, index, slot), .integer(page.key(index).primaryKey)])
        try statement.run()
      }
    }
  }

  private func value(_ page: RowPage, _ index: Int, _ slot: Int) -> SQLValue {
    guard !page.isNull(index, slot: slot) else { return .null }
    let word = page.word(index, slot: slot)
    return switch page.layout.slots[slot].kind {
    case .integer, .truth: .integer(Int64(bitPattern: word))
    case .real: .real(Double(bitPattern: word))
    case .text: .text(page.text(index, slot: slot) ?? "")
    case .bytes: .blob(unsafe page.withBytes(index, slot: slot) { unsafe Array($0) } ?? [])
    case .reference: .integer(RowKey(rawValue: word).primaryKey)
    case .large: preconditionFailure("A derived value lies in its row.")
    }
  }
}
