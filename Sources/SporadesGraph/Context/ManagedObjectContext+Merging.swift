// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// How a context takes over what another one saved.
//
// Rules:
// 1. Objects that are not in the context are left alone; the next fetch reads them.
// 2. An object without changes shows the saved row. One with changes keeps them, on top of it.
// 3. To-many relationships in memory that a saved row joined or left are read again when asked.
extension ManagedObjectContext {
  func merge(_ saved: ChangeSet, asShown: Bool = false) {
    pendingIndex = nil
    for page in saved.inserted { mergeRows(page, asShown) }
    for rows in saved.updated { mergeRows(rows.page, asShown) }
    for row in saved.deleted { mergeDeletion(row.key) }
    if !saved.deleted.isEmpty && !isEmpty {
      forgetReferences(to: saved.deleted)
      forgetLinked(to: saved.deleted)
    }
    for link in saved.links { mergeLinks(link) }
    extendDeletions(reaching: saved)
  }

  private func mergeRows(_ page: RowPage, _ asShown: Bool) {
    guard isInUse(page.layout) else { return }
    let positions = page.layout.positionSlots
    for index in 0..<page.count { mergeRow(page, index, positions, asShown) }
  }

  /// Unsaved changes here must not lead to rows that are gone.
  private func forgetReferences(to rows: [DeletedRow]) {
    guard !changes.listed.isEmpty else { return }
    let deleted = Set(rows.map(\.key))
    for object in changes.listed where !object.isDeleted && object.hasChanges {
      for slot in object.home.shape.layout.referenceSlots {
        guard let key = object.referenceInMemory(slot), deleted.contains(key) else { continue }
        object.setNull(slot)
      }
    }
  }

  /// The store was emptied: objects still held by someone are gone.
  func forgetAll() {
    for object in objectsInMaps {
      object.becomeFault()
      object.state.insert(.gone)
    }
    forgetObjects()
  }

  /// A store was removed: its objects are gone. Those with changes keep them until they are given
  /// up, and no save takes them.
  func forgetStore(_ number: Int) {
    defer { forgetMaps(ofStore: number) }
    let all = objectsInMaps.filter { $0.key.store == number && !$0.state.contains(.listed) }
    guard !all.isEmpty else { return }
    observers?.objectsMayHaveChanged(in: self)
    for object in all { leave(object) }
    observers?.post(
      ContextChange(.objectsDidChange, in: self, deleted: Set(all), invalidated: Set(all)))
  }

  /// Leaves an object whose row is gone.
  func leave(_ object: ManagedObject) {
    unregister(object)
    object.becomeFault()
    object.state.insert(.gone)
  }

  /// Everything in memory may be old: objects without changes become faults, and the others ask for
  /// the members of their relationships again.
  func outdateAll() {
    pendingIndex = nil
    for object in objectsInMaps {
      if !object.hasChanges && !object.state.contains(.listed) {
        forgetRow(of: object)
      } else if !object.isInserted && !object.isDeleted {
        for links in object.extras?.toMany ?? [] { links.outdate() }
      }
    }
  }

  /// A copy, because what objects do when they hear something may register others.
  private var objectsInMaps: [ManagedObject] {
    var all: [ManagedObject] = []
    for map in maps { map?.visit { all.append($0) } }
    return all
  }

  /// Nothing is in memory that a save of others could bear upon.
  private var isEmpty: Bool {
    changes.listed.isEmpty && !maps.contains { ($0?.count ?? 0) > 0 }
  }

  /// Whether any object could be touched by rows of the layout: one of its own tree, or the owner
  /// of a relationship into it.
  private func isInUse(_ layout: RowLayout) -> Bool {
    stack.touchedRoots[layout.rootEntity - 1].contains { root in
      mapPlaces(ofRoot: root).contains { (maps[$0]?.count ?? 0) > 0 }
    }
  }

  /// Takes objects that are gone out of many-to-many relationships in memory, whose links the store
  /// removed with them and told nobody.
  ///
  /// Changed relationships drop them here. The others do when they are asked for their members:
  /// visiting them all would make the merge of one deletion cost what is registered.
  private func forgetLinked(to deleted: [DeletedRow]) {
    let entities = Set(deleted.map(\.key.entity))
    let areLinked = entities.contains { entity in
      model.shape(numbered: entity).relationships.contains { $0.storage.isJoin }
    }
    guard areLinked else { return }
    linkedDeletions += 1
    for object in changes.linked {
      for links in object.extras?.toMany ?? [] { links.forgetGone(upTo: linkedDeletions) }
    }
  }

  private func mergeRow(_ page: RowPage, _ index: Int, _ positions: [Int], _ asShown: Bool) {
    let key = page.key(index)
    let known = registered(key)
    // A fetch may have shown a later save already, whose news are still to come.
    if let known, !asShown, known.version > page.version(index) { return }
    let isMoved = positions.contains { slot in
      known?.numberInMemory(slot)
        != (page.isNull(index, slot: slot) ? nil : Int64(bitPattern: page.word(index, slot: slot)))
    }
    for slot in page.layout.referenceSlots {
      let current = reference(page, index, slot)
      let former = known?.referenceInMemory(slot)
      if let known, !known.isFault, former == current, !isMoved { continue }
      if let current { outdate(owner: current, page.layout, slot) }
      if let former { outdate(owner: former, page.layout, slot) }
    }
    guard let known else { return }
    if known.hasChanges {
      rebase(known, on: page, index)
    } else {
      known.show(page, index)
      known.state.remove(.gone)
    }
  }

  private func reference(_ page: RowPage, _ index: Int, _ slot: Int) -> RowKey? {
    page.isNull(index, slot: slot) ? nil : RowKey(rawValue: page.word(index, slot: slot))
  }

  /// Forgets the members of the to-many relationship that is stored in `slot` of another tree.
  func outdate(
    owner key: RowKey, _ layout: RowLayout, _ slot: Int, losing object: ManagedObject? = nil
  ) {
    guard let owner = registered(key), let extras = owner.extras else { return }
    for links in extras.toMany {
      guard case .inverseReference(slot, _) = links.relationship.storage,
        model.shape(numbered: links.relationship.destination).layout === layout
      else { continue }
      if let object { links.lose(object) }
      links.outdate()
    }
  }

  private func mergeDeletion(_ key: RowKey) {
    guard let object = registered(key) else { return }
    for slot in object.home.shape.layout.referenceSlots {
      let former = object.base.flatMap { $0.page.reference($0.index, slot: slot) }
      for owner in [object.referenceInMemory(slot), former].compactMap(\.self) {
        outdate(owner: owner, object.home.shape.layout, slot, losing: object)
      }
    }
    leave(object)
  }

  private func mergeLinks(_ change: LinkChange) {
    for key in change.ends {
      guard let object = registered(key), let extras = object.extras else { continue }
      for links in extras.toMany {
        if case .join(change.join, _) = links.relationship.storage {
          links.outdate()
        }
      }
    }
  }

  /// Puts an object's changes on top of a newer row.
  func rebase(_ object: ManagedObject, on page: RowPage, _ index: Int) {
    guard !object.isInserted else { return }
    guard object.state.contains(.open) else { return object.show(page, index) }
    guard let former = object.page, former.isOpen else { return }
    let layout = page.layout
    let formerIndex = object.rowIndex
    let open = object.home.updatePage
    let row = unsafe open.openCopy(of: index, in: page)
    for slot in layout.slots.indices {
      let (word, bit) = (slot >> 6, UInt64(1) << UInt64(slot & 63))
      guard former.changedSlots(formerIndex, word: word) & bit != 0 else { continue }
      unsafe open.copySlot(slot, to: row, from: former, formerIndex)
      open.markChanged(open.count - 1, slot: slot)
    }
    object.show(open, open.count - 1)
  }
}

extension RelationshipShape.Storage {
  fileprivate var isJoin: Bool {
    if case .join = self { true } else { false }
  }
}
