// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// Writes change sets, and collects the names of what they refer to.
struct ChangesWriter {
  private let model: ManagedObjectModel
  private var body = ByteWriter()
  /// By the numbers of entities and joins, the places of their names in the lists.
  private var entities = Names()
  private var layouts = Names()
  private var joins = Names()

  /// Numbers of the model, in the order in which they were met first.
  private struct Names {
    private(set) var met: [Int] = []
    private var places: [Int: UInt32] = [:]

    mutating func place(of number: Int) -> UInt32 {
      if let known = places[number] { return known }
      let place = UInt32(truncatingIfNeeded: met.count)
      met.append(number)
      places[number] = place
      return place
    }
  }

  init(_ model: ManagedObjectModel) { self.model = model }

  /// All bytes: the names, then the change sets.
  consuming func finished(count: Int) -> [UInt8] {
    var head = ByteWriter()
    head.write(count: entities.met.count)
    for number in entities.met { head.write(model.shape(numbered: number).name) }
    head.write(count: layouts.met.count)
    for number in layouts.met {
      let layout = model.shape(numbered: number).layout
      head.write(layout.rootEntityName)
      head.write(count: layout.slots.count)
      for slot in layout.slots {
        head.write(slot.kind.rawValue)
        head.write(slot.name)
      }
    }
    head.write(count: joins.met.count)
    for index in joins.met {
      head.write(model.shape(numbered: model.joins[index].first.entity).name)
      head.write(model.joins[index].first.relationship.name)
    }
    head.write(count: count)
    return head.bytes + body.bytes
  }

  mutating func write(_ changes: ChangeSet) throws(StoreError) {
    body.write(optional: changes.author)
    body.write(optional: changes.contextName)
    body.write(count: changes.inserted.count)
    for page in changes.inserted { try write(page, changed: nil) }
    body.write(count: changes.updated.count)
    for rows in changes.updated {
      try write(rows.page, changed: rows)
      for word in rows.changedSlots { body.write(word) }
    }
    body.write(count: changes.deleted.count)
    for row in changes.deleted {
      write(row.key)
      body.write(row.version)
    }
    body.write(count: changes.links.count)
    for change in changes.links { write(change) }
    body.write(count: changes.expected.count)
    for row in changes.expected {
      write(row.key)
      body.write(row.version)
    }
  }

  private mutating func write(_ key: RowKey) {
    body.write(entities.place(of: key.entity))
    body.write(key.primaryKey)
  }

  // MARK: - Rows

  private mutating func write(_ page: RowPage, changed: UpdatedRows?) throws(StoreError) {
    body.write(layouts.place(of: page.layout.rootEntity))
    body.write(count: page.count)
    for index in 0..<page.count {
      write(page.key(index))
      body.write(page.version(index))
      for (slot, description) in page.layout.slots.enumerated() {
        // A store does not write a large value that did not change, so nobody need read its file.
        let isLeftOut =
          description.kind == .large && changed.map { !$0.isChanged(index, slot: slot) } ?? false
        try write(page, index, slot, description.kind, isLeftOut: isLeftOut)
      }
    }
  }

  private mutating func write(
    _ page: RowPage, _ index: Int, _ slot: Int, _ kind: RowLayout.Kind, isLeftOut: Bool
  ) throws(StoreError) {
    let isNull = isLeftOut || page.isNull(index, slot: slot)
    body.write(!isNull)
    guard !isNull else { return }
    switch kind {
    case .integer, .real: body.write(page.word(index, slot: slot))
    case .truth: body.write(page.word(index, slot: slot) != 0)
    case .reference: write(RowKey(rawValue: page.word(index, slot: slot)))
    case .text, .bytes:
      var copy: [UInt8] = []
      unsafe page.withBytes(index, slot: slot) { unsafe copy.append(contentsOf: $0) }
      body.write(blob: copy)
    case .large:
      if let data = try page.bytes(index, slot: slot) { body.write(blob: data) }
    }
  }

  // MARK: - Links

  private mutating func write(_ change: LinkChange) {
    body.write(joins.place(of: change.join))
    body.write(change.isFirst)
    write(change.owner)
    body.write(count: change.added.count)
    for link in change.added { write(link) }
    body.write(count: change.removed.count)
    for key in change.removed { write(key) }
    body.write(count: change.moved.count)
    for link in change.moved { write(link) }
  }

  private mutating func write(_ link: LinkChange.Link) {
    write(link.other)
    body.write(optional: link.position)
    body.write(optional: link.ownerPosition)
  }
}
