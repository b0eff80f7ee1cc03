// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// What a context answers its children.
extension ManagedObjectContext {
  func objectsForChild(_ fetch: StoreFetch) throws -> [ManagedObject] {
    let pending = PendingChanges(self)
    return pending.concern(fetch) ? try pending.objects(fetch) : try storedObjects(fetch)
  }

  func rowsForChild(_ fetch: StoreFetch) throws -> [RowPage] {
    guard PendingChanges(self).concern(fetch) else { return try source.rows(fetch) }
    return copies(of: try objectsForChild(fetch))
  }

  func rowsForChild(_ keys: [RowKey]) throws -> [RowPage] {
    let objects = keys.map { object(forKey: $0) }
    try fulfil(objects)
    return copies(of: objects.filter { !$0.isDeleted })
  }

  func rowsForChild(_ entity: EntityShape, _ owners: [RowKey], _ slot: Int) throws -> [RowPage] {
    var members: [ManagedObject] = []
    for owner in owners {
      let object = object(forKey: owner)
      guard let relationship = object.home.binding.toManyRelationships.first(where: {
        guard case .inverseReference(slot, _) = $0.storage else { return false }
        return model.shape(numbered: $0.destination).layout === entity.layout
      }) else { continue }
      members += object.members(relationship)
    }
    try fulfil(members)
    return copies(of: members)
  }

  func linksForChild(_ relationship: RelationshipShape, _ owners: [RowKey]) throws -> [StoredLink] {
    owners.flatMap { owner in
      object(forKey: owner).members(relationship).map { StoredLink(owner: owner, other: $0.key) }
    }
  }

  /// Rows as the child is to see them, unsaved changes included.
  private func copies(of objects: [ManagedObject]) -> [RowPage] {
    guard let layout = objects.first?.home.shape.layout else { return [] }
    var builder = RowPageBuilder(layout: layout, capacity: objects.count)
    for object in objects {
      guard let page = object.page else { continue }
      builder.appendCopy(of: Int(object.rowIndex), in: page)
    }
    return [builder.finish()]
  }

  // MARK: - A child's save

  /// Takes over what a child changed, as changes of this context.
  func take(_ saved: ChangeSet) throws {
    for page in saved.inserted {
      for index in 0..<page.count { adopt(page, index) }
    }
    for page in saved.inserted {
      for index in 0..<page.count { takeReferences(page, index, nil) }
    }
    for rows in saved.updated {
      for index in 0..<rows.page.count { try takeUpdate(rows, index) }
    }
    for row in saved.deleted { delete(object(forKey: row.key)) }
    for change in saved.links { takeLinks(change) }
  }

  private func adopt(_ page: RowPage, _ index: Int) {
    let key = page.key(index)
    let home = home(numbered: key.entity)
    let object = home.binding.type.init(ObjectSeed(home: home, key: key))
    let open = changes.insertPage(page.layout)
    let row = unsafe open.openRow(key, version: 1)
    for slot in page.layout.slots.indices where page.layout.slots[slot].kind != .reference {
      unsafe copySlot(slot, from: page, index, to: row, open)
    }
    object.show(open, open.count - 1)
    object.state.formUnion([.inserted, .open])
    changes.list(object)
    register(object)
  }

  private func takeUpdate(_ rows: UpdatedRows, _ index: Int) throws {
    let object = object(forKey: rows.page.key(index))
    try fulfil([object])
    guard !object.isDeleted, !object.isFault else {
      throw StoreError(.conflict([object.objectID]), "\(object.objectID) was deleted in the parent.")
    }
    open(object)
    let words = rows.page.layout.nullWords
    let mask = Array(rows.changedSlots[(index * words)..<((index + 1) * words)])
    for slot in rows.page.layout.slots.indices
    where mask[slot >> 6] & (1 << UInt64(slot & 63)) != 0 {
      guard rows.page.layout.slots[slot].kind != .reference else { continue }
      object.takeSlot(slot, from: rows.page, index)
    }
    takeReferences(rows.page, index, mask)
  }

  /// Sets the references of a row through their relationships, which keeps the other side right.
  private func takeReferences(_ page: RowPage, _ index: Int, _ mask: [UInt64]?) {
    let object = object(forKey: page.key(index))
    for slot in page.layout.referenceSlots {
      if let mask, mask[slot >> 6] & (1 << UInt64(slot & 63)) == 0 { continue }
      let target =
        page.isNull(index, slot: slot)
        ? nil : self.object(forKey: RowKey(rawValue: page.word(index, slot: slot)))
      let relationship = object.home.binding.toOneRelationships.first {
        guard case .reference(slot, _) = $0.storage else { return false }
        return true
      }
      if let relationship {
        object.setToOne(relationship, target)
      } else {
        object.setReference(slot, target)
      }
    }
  }

  private func takeLinks(_ change: LinkChange) {
    let owner = object(forKey: change.owner)
    let relationship = owner.home.binding.toManyRelationships.first {
      guard case .join(change.join, change.isFirst) = $0.storage else { return false }
      return true
    }
    guard let relationship else { return }
    for key in change.removed { owner.unlink(object(forKey: key), relationship) }
    for link in change.added { owner.link(object(forKey: link.other), relationship) }
  }

  @unsafe
  private func copySlot(
    _ slot: Int, from page: RowPage, _ index: Int, to row: UnsafeMutablePointer<UInt64>,
    _ open: RowPage
  ) {
    guard !page.isNull(index, slot: slot) else { return }
    unsafe row[2 + slot >> 6] &= ~(1 << UInt64(slot & 63))
    let place = page.layout.firstSlotWord + slot
    switch page.layout.slots[slot].kind {
    case .integer, .real, .reference: unsafe row[place] = page.word(index, slot: slot)
    case .text, .bytes:
      unsafe page.withBytes(index, slot: slot) {
        unsafe row[place] = open.openBytes($0.baseAddress, $0.count).rawValue
      }
    }
  }
}

extension ManagedObject {
  /// Sets a slot to what another row with the same layout holds there.
  final func takeSlot(_ slot: Int, from page: RowPage, _ index: Int) {
    guard !page.isNull(index, slot: slot) else { return setNull(slot) }
    switch page.layout.slots[slot].kind {
    case .integer, .real, .reference: setWord(slot, page.word(index, slot: slot))
    case .text, .bytes:
      unsafe page.withBytes(index, slot: slot) { unsafe setBytes(slot, UnsafeRawBufferPointer($0)) }
    }
  }
}
