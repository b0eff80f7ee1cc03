// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesModel

extension ManagedObjectContext {
  /// The undo manager of the context. It is nil, and costs nothing, until one is set.
  public final var undoManager: ContextUndoManager? {
    get { events?.undoManager }
    set {
      guard newValue !== undoManager else { return }
      endEvent()
      undoManager?.context = nil
      guard let newValue else {
        events = nil
        return
      }
      trap(
        unless: newValue.context == nil,
        "An undo manager belongs to one context. Make another one for this context.")
      newValue.context = self
      let events = self.events ?? ContextEvents()
      events.undoManager = newValue
      events.restart(in: self)
      self.events = events
    }
  }

  /// Undoes the last group of changes. Without an undo manager, it does nothing but say so once.
  public final func undo() {
    checkQueue()
    guard let undoManager else { return UndoHint.missingManager.give() }
    undoManager.undo()
  }

  /// Redoes the group that was undone last. Without an undo manager, it does nothing but say so once.
  public final func redo() {
    checkQueue()
    guard let undoManager else { return UndoHint.missingManager.give() }
    undoManager.redo()
  }

  /// Ends an event: observers hear of its changes, its changes are recorded for undo, and
  /// ``ManagedObject/changedValuesForCurrentEvent()`` begins anew. Cascades and inverses do not
  /// need this call, because they happen at once.
  public final func processPendingChanges() {
    checkQueue()
    endEvent()
    observers?.postChanges(in: self)
  }

  /// Records the changes of an event for undo, and begins the next one.
  final func endEvent() {
    checkQueue()
    if let events { return events.endEvent(in: self) }
    guard hasChanges else { return }
    let events = ContextEvents()
    events.restart(in: self)
    self.events = events
  }

  /// Ends a block of the context.
  final func endBlock() {
    guard let manager = undoManager else { return }
    endEvent()
    manager.closeBlock()
  }

  /// Runs `body` without recording its changes for undo.
  final func withoutUndo<Output>(_ body: () -> Output) -> Output {
    guard let events else { return body() }
    endEvent()
    defer { events.restart(in: self) }
    return body()
  }

  // MARK: - Objects that come and go again

  /// Removes a new object and the links to it. Its own hooks and delete rules do not run.
  final func removeInserted(_ object: ManagedObject) {
    markDeleted(object)
    unlinkAll(object)
  }

  /// Inserts an object whose deletion was saved, under a new id.
  final func reinsert(_ object: ManagedObject, as row: RowPage) {
    let key = RowKey(
      entity: object.home.shape.number, primaryKey: nextTemporaryKey.primaryKey)
    let open = object.home.insertPage
    unsafe _ = open.openRow(key, version: 1)
    if stack.coordinator != nil { assignments[ObjectIdentifier(object)] = object.key.store }
    object.key = key
    object.dropExtras()
    object.show(open, open.count - 1)
    object.state.remove(.gone)
    object.state.formUnion([.inserted, .open])
    changes.list(object)
    for slot in row.layout.slots.indices where row.layout.slots[slot].kind != .reference {
      object.setSlot(slot, from: row, 0)
    }
  }

  /// Restores the many-to-many links of an object that is back.
  final func relink(_ object: ManagedObject, _ links: ObjectSnapshot.Links) {
    let relationship = links.relationship
    let inverse = relationship.inverse(in: object.home)
    if !object.isInserted {
      // because the store still has the links, members that dropped them read them again
      if let inverse {
        let removed = Set(links.removed)
        for member in object.members(relationship) {
          guard !removed.contains(member), let back = member.knownToMany(inverse)
          else { continue }
          back.invalidate()
          if back.isLoaded && !back.isKnown(object) { back.add(object) }
        }
      }
      for other in links.removed {
        let back = inverse.flatMap { other.knownToMany($0) }
        guard back?.removed.contains(where: { $0 === object }) == true else {
          object.unlink(other, relationship)
          continue
        }
        // because the other side still remembers that it was left
        object.toManyForChange(relationship).remove(other)
        object.noteChange(mayBeGone: true)
      }
    }
    let members = object.isInserted ? links.members : links.added
    for other in members where !other.isDeleted && !other.state.contains(.gone) {
      // because a file may have links to rows that it lacks, and these cannot be linked again
      guard unsafe other.loadRow() != nil else { continue }
      object.link(other, relationship)
    }
  }

  /// Marks an object as unchanged if it has the values of its last save.
  final func clearRevertedChange(of object: ManagedObject) {
    // because a parent context may have another order than the rows
    if parent.root != nil {
      for links in object.extras?.toMany ?? [] { links.clearRestoredOrder() }
    }
    guard !object.isInserted, !object.isDeleted, let base = object.base, let page = object.page,
      object.extras?.toMany.contains(where: \.hasChanges) != true
    else { return }
    for slot in page.layout.slots.indices {
      guard page.holds(object.rowIndex, slot: slot, sameAs: base.page, base.index) else {
        return
      }
    }
    object.show(base.page, base.index)
    object.state.subtract([.open, .updated])
  }
}

extension ManagedObject {
  /// The properties that changed in the current event, with their former values. An event begins
  /// with a save, with ``ManagedObjectContext/processPendingChanges()`` and, if there is an undo
  /// manager, with a block.
  public final func changedValuesForCurrentEvent() -> [String: Value] {
    if home.checksQueue { home.checkQueue(self) }
    // because the snapshot of a fault takes its row from the object
    if isFault && hasChangedLinks { home.context?.fulfil(self) }
    guard let past = home.context?.events?.snapshot(of: self), let row = past.row,
      let step = UndoStep(past, ObjectSnapshot(self))
    else {
      guard home.context?.events?.snapshot(of: self) == nil else { return [:] }
      return committedValues(forKeys: Array(changedValues().keys))
    }
    return values(before: step, row)
  }

  private final func values(before step: UndoStep, _ row: RowPage) -> [String: Value] {
    var all: [String: Value] = [:]
    for property in home.shape.properties {
      switch property {
      case .attribute(let attribute):
        guard attribute.leafSlots.contains(where: step.slots.contains) else { continue }
        all[property.name] = row.value(0, of: attribute, for: self)
      case .relationship(let relationship):
        if case .reference(let slot, _) = relationship.storage {
          guard step.references.contains(slot) else { continue }
          all[property.name] =
            step.before.references[slot].map { .objectID($0.objectID) } ?? .null
        } else if let change = step.links.first(where: { $0.relationship === relationship }) {
          let linked = Set(change.linked.map(ObjectIdentifier.init))
          let members = members(relationship).filter { !linked.contains(ObjectIdentifier($0)) }
          all[property.name] = .list(
            (change.order ?? members + change.unlinked).map { .objectID($0.objectID) })
        }
      case .fetched: break
      }
    }
    return all
  }
}

extension AttributeShape {
  fileprivate var leafSlots: [Int] { slot.map { [$0] } ?? elements.flatMap(\.leafSlots) }
}

private enum UndoHint {
  static let missingManager = Hint(
    "undo() or redo() was called on a context without an undo manager, so nothing is recorded and nothing was "
      + "undone. Set context.undoManager = ContextUndoManager() before the changes.")
}
