// SPDX-License-Identifier: MIT

// Steps that name objects which a save united with others.
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
