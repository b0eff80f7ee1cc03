// SPDX-License-Identifier: MIT
import SporadesModel

extension UndoStep {
  /// Compares two states. Nil if they have no difference that undo can revert.
  init?(_ before: ObjectSnapshot, _ after: ObjectSnapshot) {
    self.before = before
    self.after = after
    guard before.isPresent || after.isPresent else { return nil }
    // An object that was deleted may have changed in the same event before. Later saves of others
    // do not count.
    if isDeletion, let former = before.row {
      slots = former.layout.valueSlots.filter { slot in
        after.row.map { !$0.holds(0, slot: slot, sameAs: former, 0) } ?? true
      }
    }
    guard before.isPresent && after.isPresent else { return }
    compareRows()
    compareLinks()
    if slots.isEmpty && references.isEmpty && links.isEmpty { return nil }
  }

  private mutating func compareRows() {
    guard let former = before.row, let now = after.row else { return }
    for (slot, description) in now.layout.slots.enumerated() {
      switch description.role {
      case .attribute(let attribute):
        guard !attribute.isDerived, !now.holds(0, slot: slot, sameAs: former, 0) else { continue }
        slots.append(slot)
      case .toOne, .owner:
        if before.references[slot] !== after.references[slot] { references.append(slot) }
      case .position: break
      }
    }
  }

  private mutating func compareLinks() {
    for now in after.links {
      let former = before.links(of: now.relationship) ?? .init(relationship: now.relationship)
      let linked = now.added.without(former.added) + now.membersAgain(since: former)
      let unlinked = now.removed.without(former.removed) + now.formerMembers(since: former)
      var order: [ManagedObject]?
      if let past = former.order, let present = now.order,
        !past.elementsEqual(present, by: ===)
      {
        order = past
      }
      guard !linked.isEmpty || !unlinked.isEmpty || order != nil else { continue }
      links.append(
        LinkDifference(
          relationship: now.relationship, linked: linked, unlinked: unlinked, order: order))
    }
  }
}

extension ObjectSnapshot.Links {
  /// Objects that had left, and have not any more. Others may have ended the same links meanwhile: these objects are no
  /// members, and nothing has changed here.
  fileprivate func membersAgain(since former: Self) -> [ManagedObject] {
    let back = former.removed.without(removed)
    guard isLoaded, !back.isEmpty else { return back }
    return back.filter(Set(members).contains)
  }

  /// Objects that had been added, and are not any more. Others may have made the same links meanwhile: these objects are
  /// members still.
  fileprivate func formerMembers(since former: Self) -> [ManagedObject] {
    let gone = former.added.without(added)
    return isLoaded ? gone.without(members) : gone
  }
}

extension RowLayout {
  fileprivate var valueSlots: [Int] {
    slots.indices.filter {
      if case .attribute(let attribute) = slots[$0].role { !attribute.isDerived } else { false }
    }
  }
}

extension [ManagedObject] {
  fileprivate func without(_ others: [ManagedObject]) -> [ManagedObject] {
    guard !isEmpty, !others.isEmpty else { return self }
    let others = Set(others.map(ObjectIdentifier.init))
    return filter { !others.contains(ObjectIdentifier($0)) }
  }
}

// MARK: - Objects that a save united with others

extension UndoStep {
  /// The step after a save united the objects with those that stay: it is about these now. Nil for the insertion of one
  /// that was united: there is nothing left to take back, for the row that stays is another's.
  func following(_ united: [ManagedObject: ManagedObject]) -> UndoStep? {
    if isInsertion && united[object] != nil { return nil }
    var step = self
    step.before.follow(united)
    step.after.follow(united)
    for index in links.indices { step.links[index].follow(united) }
    return step
  }
}

extension UndoStep.LinkDifference {
  fileprivate mutating func follow(_ united: [ManagedObject: ManagedObject]) {
    linked = linked.following(united)
    unlinked = unlinked.following(united)
    order = order?.following(united)
  }
}

extension ObjectSnapshot {
  fileprivate mutating func follow(_ united: [ManagedObject: ManagedObject]) {
    object = united[object] ?? object
    references = references.mapValues { united[$0] ?? $0 }
    for index in links.indices { links[index].follow(united) }
  }
}

extension ObjectSnapshot.Links {
  fileprivate mutating func follow(_ united: [ManagedObject: ManagedObject]) {
    added = added.following(united)
    removed = removed.following(united)
    order = order?.following(united)
    members = members.following(united)
  }
}

extension [ManagedObject] {
  /// The objects that stay, each once.
  fileprivate func following(_ united: [ManagedObject: ManagedObject]) -> [ManagedObject] {
    guard contains(where: { united[$0] != nil }) else { return self }
    var seen: Set<ManagedObject> = []
    return map { united[$0] ?? $0 }.filter { seen.insert($0).inserted }
  }
}
