// SPDX-License-Identifier: MIT
import SporadesModel

/// Reverts one event.
///
/// Rules:
/// 1. An object is restored before anything links to it, and removed after all links to it.
/// 2. The usual setters change the links, so both sides stay consistent.
/// 3. An object whose row others deleted is left alone, and so are links to it.
struct UndoApplication {
  private let context: ManagedObjectContext

  init(_ context: ManagedObjectContext) { self.context = context }

  func revert(_ steps: [UndoStep]) {
    context.pendingIndex = nil
    // because an object that comes back may get another key, those of before and after are told
    let former = steps.map(\.object.key)
    defer {
      context.pendingIndex = nil
      context.notifyChildren(ofTakenBack: former + steps.map(\.object.key))
    }
    for step in steps where step.isDeletion { restore(step) }
    for step in steps where isUsable(step) { setValues(step) }
    for step in steps where isUsable(step) { setLinks(step) }
    for step in steps where step.isInsertion && isPresent(step.object) {
      context.removeInserted(step.object)
    }
    for step in steps where isUsable(step) { setOrders(step) }
    for step in steps where isPresent(step.object) { context.clearRevertedChange(of: step.object) }
    for step in steps { awakeObject(of: step) }
  }

  private func isPresent(_ object: ManagedObject) -> Bool {
    !object.isDeleted && !object.state.contains(.gone)
  }

  /// Whether the graph had the object before the event and has it now.
  private func isUsable(_ step: UndoStep) -> Bool {
    step.before.isPresent && isPresent(step.object)
  }

  private func awakeObject(of step: UndoStep) {
    step.object.awake(
      fromSnapshotEvents: step.isInsertion
        ? .undoInsertion : step.isDeletion ? .undoDeletion : .undoUpdate)
  }

  // MARK: - Objects

  private func restore(_ step: UndoStep) {
    let object = step.object
    guard !isPresent(object), let row = step.before.row else { return }
    if object.isRemoved {
      object.state.subtract([.deleted, .gone])
      context.changes.list(object)
    } else {
      context.reinsert(object, as: row)
    }
    // because the members in memory date from the deletion
    for links in object.extras?.toMany ?? [] { links.forgetAllButDropped() }
  }

  // MARK: - Values

  private func setValues(_ step: UndoStep) {
    guard let row = step.before.row, unsafe step.object.loadRow() != nil else { return }
    for slot in step.slots { step.object.setSlot(slot, from: row, 0) }
    if step.isDeletion {
      for slot in row.layout.referenceSlots {
        // because the other side has forgotten the object, and setting the reference again adds it
        step.object.setNull(slot)
        guard let target = step.before.references[slot], isPresent(target) else { continue }
        context.setReference(slot, of: step.object, target)
      }
    } else {
      for slot in step.references {
        let target = step.before.references[slot].flatMap { isPresent($0) ? $0 : nil }
        context.setReference(slot, of: step.object, target)
      }
    }
  }

  // MARK: - Links

  private func setLinks(_ step: UndoStep) {
    if step.isDeletion { return setAllLinks(step) }
    for difference in step.links {
      guard case .join = difference.relationship.storage else { continue }
      _ = step.object.members(difference.relationship)
      for other in difference.linked { step.object.unlink(other, difference.relationship) }
      for other in difference.unlinked where isPresent(other) {
        step.object.link(other, difference.relationship)
      }
    }
  }

  /// Restores the links of an object that was deleted.
  private func setAllLinks(_ step: UndoStep) {
    for links in step.before.links {
      switch links.relationship.storage {
      case .join: context.relink(step.object, links)
      case .inverseReference(let slot, _): noteChangedMembers(step.object, slot, links)
      case .reference, .memory: break
      }
    }
  }

  /// Members that had joined or left before the deletion are a change of the object still. Most members' own rows have
  /// told that of joining by now.
  private func noteChangedMembers(
    _ object: ManagedObject, _ slot: Int, _ links: ObjectSnapshot.Links
  ) {
    let known = Set(object.knownToMany(links.relationship)?.added ?? [])
    for member in links.added
    where !known.contains(member) && isPresent(member) && member.related(slot) === object {
      object.toManyForChange(links.relationship).add(member)
    }
    for member in links.removed
    where !member.state.contains(.gone) && (member.isDeleted || member.related(slot) !== object) {
      object.toManyForChange(links.relationship).remove(member)
    }
  }

  private func setOrders(_ step: UndoStep) {
    let orders =
      step.isDeletion
      ? step.before.links.compactMap { links in links.order.map { (links.relationship, $0) } }
      : step.links.compactMap { links in links.order.map { (links.relationship, $0) } }
    for (relationship, order) in orders {
      let current = step.object.members(relationship)
      let present = Set(current.map(ObjectIdentifier.init))
      let kept = order.filter { present.contains(ObjectIdentifier($0)) }
      let known = Set(kept.map(ObjectIdentifier.init))
      step.object.reorder(
        relationship, kept + current.filter { !known.contains(ObjectIdentifier($0)) })
    }
  }
}
