// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// The changes of a change set, as far as it tells them itself, each object once.
struct HistoryNotes {
  private let model: ManagedObjectModel
  private let history: HistoryWords
  private var inserted: [RowKey] = []
  /// The changed objects in the order in which they were met, and their changed properties.
  private var order: [RowKey] = []
  private var updated: [RowKey: Set<String>] = [:]

  init(_ model: ManagedObjectModel, _ history: HistoryWords) {
    self.model = model
    self.history = history
  }

  mutating func add(_ changes: ChangeSet) {
    for rows in changes.updated { add(rows) }
    for rows in changes.rewritten { add(rows) }
    for page in changes.inserted { add(page) }
    for change in changes.links { add(change) }
    for key in inserted + changes.deleted.map(\.key) { updated[key] = nil }
  }

  private mutating func note(_ key: RowKey, _ names: some Sequence<String>) {
    if updated[key] == nil { order.append(key) }
    updated[key, default: []].formUnion(names)
  }

  private mutating func add(_ rows: UpdatedRows) {
    for index in 0..<rows.page.count {
      let key = rows.page.key(index)
      let names = history.properties(ofEntity: key.entity)
      note(key, names.filter { rows.isChanged(index, slot: $0.key) }.values)
    }
  }

  private mutating func add(_ rows: RewrittenRows) {
    for key in rows.keys {
      let names = history.properties(ofEntity: key.entity)
      note(key, rows.slots.compactMap { names[$0] })
    }
  }

  private mutating func add(_ page: RowPage) {
    let references = history.tree(ofRoot: page.layout.rootEntity)?.references ?? [:]
    for index in 0..<page.count {
      inserted.append(page.key(index))
      for (slot, reference) in references {
        guard let owner = page.reference(index, slot: slot) else { continue }
        note(owner, reference.names)
      }
    }
  }

  private mutating func add(_ change: LinkChange) {
    note(change.owner, history.names(ofJoin: change.join, isFirst: change.isFirst))
    let names = history.names(ofJoin: change.join, isFirst: !change.isFirst)
    for other in change.removed + change.added.map(\.other) { note(other, names) }
  }

  /// The lists of kinds, entities, keys and properties. A name has no comma.
  func lists(_ plan: ServerPlan) -> [ServerValue] {
    let changed = order.filter { updated[$0] != nil }
    let keys = inserted + changed
    let kinds = inserted.map { _ in ChangeKind.insert } + changed.map { _ in ChangeKind.update }
    let properties = changed.map { key -> ServerValue in
      .text((updated[key] ?? []).sorted().joined(separator: ","))
    }
    return [
      .list(.int2, kinds.map { .int2(Int16($0.rawValue)) }),
      .list(.text, keys.map { .text(plan.name(ofEntity: $0.entity)) }),
      .int8List(keys.map(\.primaryKey)),
      .list(.text, inserted.map { _ in .null(.text) } + properties),
    ]
  }
}
