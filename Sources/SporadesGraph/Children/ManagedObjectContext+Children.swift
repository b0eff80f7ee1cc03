// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// The answers of a context to its children.
extension ManagedObjectContext {
  /// Gives new objects their permanent ids and members of orders their positions, before a child
  /// reads them.
  func prepareForChild() throws {
    try assignPositions()
    guard changes.hasTemporaryKeys else { return }
    try obtainPermanentIDs(for: changes.listed)
    changes.keysArePermanent()
  }

  func rowsForChild(_ fetch: StoreFetch) throws -> [RowPage] {
    guard let pending = PendingChanges(self, concerning: fetch) else {
      return try source.rows(fetch)
    }
    return copies(of: try pending.subjects(fetch))
  }

  func keysForChild(_ fetch: StoreFetch) throws -> [RowKey] {
    let pending = PendingChanges(self, concerning: fetch)
    return try pending?.subjects(fetch).map(\.key) ?? source.keys(fetch)
  }

  func rowsForChild(_ keys: [RowKey]) throws -> [RowPage] {
    let objects = keys.map { object(forKey: $0) }
    try fulfil(objects)
    return copies(of: objects.filter { !$0.isRemoved })
  }

  func rowsForChild(_ entity: EntityShape, _ owners: [RowKey], _ slot: Int) throws -> [RowPage] {
    var members: [ManagedObject] = []
    for owner in owners {
      let object = object(forKey: owner)
      guard
        let relationship = object.home.binding.toManyRelationships.first(where: {
          guard case .inverseReference(slot, _) = $0.storage else { return false }
          return model.shape(numbered: $0.destination).layout === entity.layout
        })
      else { continue }
      members += object.members(relationship)
    }
    try fulfil(members)
    return copies(of: members)
  }

  func linksForChild(_ relationship: RelationshipShape, _ owners: [RowKey]) throws -> [StoredLink] {
    owners.flatMap { key in
      let owner = object(forKey: key)
      let members = owner.memberFaults(relationship)
      let links = owner.toMany(relationship)
      return members.map {
        StoredLink(owner: key, other: $0.key, position: links.positionInRow(of: $0))
      }
    }
  }

  /// Copies of rows, unsaved changes included, for a child.
  private func copies(of subjects: [RowSubject]) -> [RowPage] {
    guard let first = subjects.first else { return [] }
    let layout = model.shape(numbered: first.key.entity).layout
    var copies = RowCopies(layout, count: subjects.count)
    for subject in subjects {
      switch subject.place {
      case .object(let object):
        if let page = object.page { copies.append(object.rowIndex, of: page) }
      case .row(let page, let index): copies.append(index, of: page)
      }
    }
    return copies.finish()
  }

  /// Copies of the objects' rows, unsaved changes included, for a child.
  private func copies(of objects: [ManagedObject]) -> [RowPage] {
    guard let layout = objects.first?.home.shape.layout else { return [] }
    var copies = RowCopies(layout, count: objects.count)
    for object in objects {
      guard let page = object.page else { continue }
      copies.append(object.rowIndex, of: page)
    }
    return copies.finish()
  }

  // MARK: - A child's save

  /// Applies a child's saved changes as changes of this context.
  func applySave(_ saved: ChangeSet) throws {
    try check(saved)
    var reordered: [Int: Set<RowKey>] = [:]
    for page in saved.inserted {
      for index in 0..<page.count { insertRow(page, index) }
    }
    for page in saved.inserted {
      for index in 0..<page.count { applyReferences(page, index, &reordered) { _ in true } }
    }
    for rows in saved.updated {
      for index in 0..<rows.page.count { applyUpdate(rows, index, &reordered) }
    }
    for row in saved.deleted { delete(object(forKey: row.key)) }
    for change in saved.links { applyLinks(change) }
    watchExpected(saved)
    for owners in reordered.values {
      for owner in owners { restoreOrder(object(forKey: owner)) }
    }
  }

  /// Takes the transient values that a child set.
  func takeTransients(_ transients: [RowKey: [Int: Value]]) throws(StoreError) {
    let objects = transients.keys.map { object(forKey: $0) }
    // because an object may set transient values when it is read
    try fulfil(faultsAmong: objects)
    for object in objects where !object.state.contains(.gone) {
      for (index, value) in transients[object.key] ?? [:] { object.setTransient(index, value) }
    }
  }

  /// Throws if the child changed rows that this context deleted, before any change is applied.
  private func check(_ saved: ChangeSet) throws {
    let keys = saved.updated.flatMap { rows in (0..<rows.page.count).map(rows.page.key) }
    let objects = (keys + saved.deleted.map(\.key)).map { object(forKey: $0) }
    try fulfil(objects)
    let lost = objects.filter { $0.isRemoved || $0.isFault }
    guard lost.isEmpty else {
      let ids = lost.map(\.objectID)
      throw StoreError(
        .conflict(ids),
        "The parent context deleted \(ids), which the child changed. Refresh the child, and make the changes again."
      )
    }
    let dangling = saved.references(model).filter { reference in
      guard let target = registered(reference.target) else { return false }
      return target.isDeleted && !isReinserted(target, saved) || target.state.contains(.gone)
    }
    guard dangling.isEmpty else { throw ReferenceCheck.refusal(dangling, stack.scope) }
  }

  /// Whether the child saves the object as new, although this context deletes it.
  private func isReinserted(_ object: ManagedObject, _ saved: ChangeSet) -> Bool {
    saved.inserted.contains { page in (0..<page.count).contains { page.key($0) == object.key } }
  }

  private func insertRow(_ page: RowPage, _ index: Int) {
    let key = page.key(index)
    if let known = registered(key), restoreDeleted(known, page, index) { return }
    let home = home(numbered: key.entity)
    let object = home.makeObject(ObjectSeed(home: home, key: key))
    let open = home.insertPage
    let row = unsafe open.openRow(key, version: 1)
    for slot in page.layout.slots.indices where page.layout.slots[slot].kind != .reference {
      unsafe open.copySlot(slot, to: row, from: page, index)
    }
    object.show(open, open.count - 1)
    object.state.formUnion([.inserted, .open])
    changes.list(object)
    register(object)
  }

  private func applyUpdate(
    _ rows: UpdatedRows, _ index: Int, _ reordered: inout [Int: Set<RowKey>]
  ) {
    let object = object(forKey: rows.page.key(index))
    openRow(of: object)
    applyReferences(rows.page, index, &reordered) { rows.isChanged(index, slot: $0) }
    for slot in rows.page.layout.slots.indices where rows.isChanged(index, slot: slot) {
      guard rows.page.layout.slots[slot].kind != .reference else { continue }
      object.setSlot(slot, from: rows.page, index)
    }
  }

  /// Sets the references of a row through their relationships, so that the other sides stay
  /// consistent; then sets the row's positions.
  private func applyReferences(
    _ page: RowPage, _ index: Int, _ reordered: inout [Int: Set<RowKey>],
    where isChanged: (_ slot: Int) -> Bool
  ) {
    let object = object(forKey: page.key(index))
    for slot in page.layout.referenceSlots where isChanged(slot) {
      let target =
        page.isNull(index, slot: slot)
        ? nil : self.object(forKey: RowKey(rawValue: page.word(index, slot: slot)))
      setReference(slot, of: object, target)
    }
    // A position that another owner gave may be equal to the former one, and so no change.
    let moved = object.home.binding.toOneRelationships.compactMap { relationship -> Int? in
      guard case .reference(let slot, let position?) = relationship.storage else { return nil }
      return isChanged(slot) ? position : nil
    }
    for slot in page.layout.positionSlots where isChanged(slot) || moved.contains(slot) {
      object.setSlot(slot, from: page, index)
      for reference in page.layout.referenceSlots {
        guard let owner = object.reference(reference) else { continue }
        reordered[owner.entity, default: []].insert(owner)
      }
    }
  }

  /// Sorts the members of an owner's ordered relationships by the positions that a child saved.
  private func restoreOrder(_ owner: ManagedObject) {
    for relationship in owner.home.binding.toManyRelationships where relationship.isOrdered {
      owner.knownToMany(relationship)?.sort()
    }
  }

  private func applyLinks(_ change: LinkChange) {
    let owner = object(forKey: change.owner)
    let relationship = owner.home.binding.toManyRelationships.first {
      guard case .join(change.join, change.isFirst) = $0.storage else { return false }
      return true
    }
    guard let relationship else { return }
    for key in change.removed { owner.unlink(object(forKey: key), relationship) }
    for link in change.added { owner.link(object(forKey: link.other), relationship) }
    if relationship.isOrdered { applyOrder(change, of: owner, relationship) }
  }

  /// Sorts the members of an order that a child saved. The child's order decides for the members
  /// that the child knew. A member that this context removed stays removed. A member that only this
  /// context added stays behind its predecessor.
  private func applyOrder(
    _ change: LinkChange, of owner: ManagedObject, _ relationship: RelationshipShape
  ) {
    let ordered = (change.added + change.moved).filter { $0.position != nil }
      .sorted { ($0.position ?? 0) < ($1.position ?? 0) }.map { object(forKey: $0.other) }
    guard !ordered.isEmpty else { return }
    let members = owner.memberFaults(relationship)
    let present = Set(members)
    owner.reorder(relationship, ordered.filter(present.contains).joined(by: members))
  }
}
