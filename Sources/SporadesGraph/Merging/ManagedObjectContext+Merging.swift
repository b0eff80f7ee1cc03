// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// Merging of another context's save.
//
// Rules:
// 1. Objects that are not in memory are not touched. The next fetch reads them.
// 2. An unchanged object shows the saved row. A changed object keeps its changes on top of it.
// 3. A to-many relationship in memory that a saved row joined or left is read again on the next
//    access.
// 4. Both sides of a one-to-one relationship agree afterwards, because each lies in a row of its own.
extension ManagedObjectContext {
  /// With `announcing`, deleted objects keep their values until ``release(_:)``.
  func merge(_ saved: ChangeSet, asShown: Bool = false, announcing: Bool = false) {
    pendingIndex = nil
    var rebased: [ManagedObject] = []
    for page in saved.inserted { mergeRows(page, asShown, &rebased) }
    for rows in saved.updated { mergeRows(rows.page, asShown, &rebased) }
    for row in saved.deleted { mergeDeletion(row.key, announcing) }
    if !saved.deleted.isEmpty && !isEmpty {
      clearReferences(to: saved.deleted)
      dropLinks(to: saved.deleted)
    }
    for link in saved.links { mergeLinks(link) }
    for key in saved.relinked { invalidateMembers(of: key) }
    unlinkSavedPartners(of: rebased)
    extendDeletions(reaching: saved)
  }

  /// Merges the rows, and appends the changed objects among theirs to `rebased`.
  private func mergeRows(_ page: RowPage, _ asShown: Bool, _ rebased: inout [ManagedObject]) {
    guard isInUse(page.layout) else { return }
    let positions = page.layout.positionSlots
    for index in 0..<page.count { mergeRow(page, index, positions, asShown, &rebased) }
  }

  /// Clears references of changed objects to rows that are gone.
  private func clearReferences(to rows: [DeletedRow]) {
    guard !changes.listed.isEmpty else { return }
    let deleted = Set(rows.map(\.key))
    for object in changes.listed where !object.isDeleted && object.isRowChanged {
      for slot in object.home.shape.layout.referenceSlots {
        guard let key = object.referenceInMemory(slot), deleted.contains(key) else { continue }
        object.setNull(slot)
      }
    }
  }

  /// Detaches an object whose row is gone.
  func detach(_ object: ManagedObject) {
    unregister(object)
    object.becomeFault()
    object.state.insert(.gone)
  }

  /// Makes everything in memory stale. Unchanged objects become faults; changed ones read the
  /// members of their relationships again.
  func invalidateAll() {
    pendingIndex = nil
    for object in objectsInMaps {
      if !object.isRowChanged && !object.isNew {
        dropRow(of: object)
      } else if !object.isNew && !object.isDeleted {
        for links in object.extras?.toMany ?? [] { links.invalidate() }
      }
    }
  }

  /// Whether no object is in memory that a save of others could affect.
  private var isEmpty: Bool {
    changes.listed.isEmpty && !maps.contains { ($0?.count ?? 0) > 0 }
  }

  /// Whether rows of the layout can affect an object in memory: one of the same tree, or the owner
  /// of a relationship into it.
  private func isInUse(_ layout: RowLayout) -> Bool {
    stack.touchedRoots[layout.rootEntity - 1].contains { root in
      mapPlaces(ofRoot: root).contains { (maps[$0]?.count ?? 0) > 0 }
    }
  }

  /// Removes gone objects from many-to-many relationships in memory. The store removed their links
  /// without a notice.
  ///
  /// Changed relationships drop them here. All others drop them on their next access, because
  /// visiting every registered object would make the merge of one deletion too expensive.
  private func dropLinks(to deleted: [DeletedRow]) {
    let entities = Set(deleted.map(\.key.entity))
    let areLinked = entities.contains { entity in
      model.shape(numbered: entity).relationships.contains { $0.storage.isJoin }
    }
    guard areLinked else { return }
    hearing.memberMerges += 1
    for object in changes.listed where object.state.contains(.linked) {
      for links in object.extras?.toMany ?? [] {
        links.dropFormerMembers(of: object, upTo: hearing.memberMerges)
      }
    }
  }

  private func mergeRow(
    _ page: RowPage, _ index: Int, _ positions: [Int], _ asShown: Bool,
    _ rebased: inout [ManagedObject]
  ) {
    let key = page.key(index)
    let known = registered(key)
    // because a fetch may have shown a later save whose arrival is still to come
    if let known, !asShown, known.version > page.version(index) { return }
    let isMoved = positions.contains { slot in
      known?.numberInMemory(slot)
        != (page.isNull(index, slot: slot) ? nil : Int64(bitPattern: page.word(index, slot: slot)))
    }
    for slot in page.layout.referenceSlots {
      let current = reference(page, index, slot)
      let former = known?.referenceInMemory(slot)
      if let known, !known.isFault, former == current, !isMoved { continue }
      if let current { invalidate(owner: current, page.layout, slot) }
      if let former { invalidate(owner: former, page.layout, slot) }
    }
    guard let known else { return }
    // because a fault does not tell which owner it left, nor does a row that a fetch showed before
    if known.isFault || asShown, !page.layout.referenceSlots.isEmpty { hearing.memberMerges += 1 }
    if known.isRowChanged {
      rebase(known, on: page, index)
      rebased.append(known)
    } else {
      known.show(page, index)
      known.state.remove(.gone)
    }
  }

  private func reference(_ page: RowPage, _ index: Int, _ slot: Int) -> RowKey? {
    page.isNull(index, slot: slot) ? nil : RowKey(rawValue: page.word(index, slot: slot))
  }

  /// Invalidates the to-many relationship of the owner that is stored in `slot` of the layout.
  func invalidate(
    owner key: RowKey, _ layout: RowLayout, _ slot: Int, losing object: ManagedObject? = nil
  ) {
    guard let owner = registered(key), let extras = owner.extras else { return }
    for links in extras.toMany {
      guard case .inverseReference(slot, _) = links.relationship.storage,
        model.shape(numbered: links.relationship.destination).layout === layout
      else { continue }
      if let object { links.dropGone(object) }
      links.invalidate()
    }
  }

  /// Invalidates the to-many relationships of an owner whose members others changed. A member that is
  /// a fault here does not tell which owner it left.
  private func invalidateMembers(of key: RowKey) {
    for links in registered(key)?.extras?.toMany ?? [] {
      if case .inverseReference = links.relationship.storage { links.invalidate() }
    }
  }

  private func mergeDeletion(_ key: RowKey, _ announcing: Bool) {
    guard let object = registered(key) else { return }
    if object.isFault, !object.home.shape.layout.referenceSlots.isEmpty {
      hearing.memberMerges += 1
    }
    for slot in object.home.shape.layout.referenceSlots {
      let former = object.base.flatMap { $0.page.reference($0.index, slot: slot) }
      for owner in [object.referenceInMemory(slot), former].compactMap(\.self) {
        invalidate(owner: owner, object.home.shape.layout, slot, losing: object)
      }
    }
    guard announcing else { return detach(object) }
    unregister(object)
    object.announceDeletion()
  }

  private func mergeLinks(_ change: LinkChange) {
    for key in change.ends {
      guard let object = registered(key), let extras = object.extras else { continue }
      for links in extras.toMany {
        if case .join(change.join, _) = links.relationship.storage {
          links.invalidate()
        }
      }
    }
  }

}

extension RelationshipShape.Storage {
  fileprivate var isJoin: Bool {
    if case .join = self { true } else { false }
  }
}
