// SPDX-License-Identifier: MIT
import SporadesModel

/// The members of one object's to-many relationship, as far as the context has them in memory.
///
/// Until the first read of the members, it holds only the added and removed objects, and the store
/// is not asked for the others.
final class ToMany {
  let relationship: RelationshipShape
  private(set) var isLoaded: Bool
  private var addedList: MemberList {
    get { unsafe lists.added }
    _modify { yield unsafe &lists.added }
  }
  private var removedList: MemberList {
    get { unsafe lists.removed }
    _modify { yield unsafe &lists.removed }
  }
  private var loaded: MemberList {
    get { unsafe lists.loaded }
    _modify { yield unsafe &lists.loaded }
  }
  // @exclusivity(unchecked): the lists call nobody back. A link or its end would cost three or four checks.
  @exclusivity(unchecked) private var lists = Lists()
  private struct Lists {
    var added = MemberList()
    var removed = MemberList()
    var loaded = MemberList()
  }
  /// The order was changed since the last save.
  private(set) var isReordered = false
  /// The order that was made here, while the stored members wait to be read again.
  private var wantedOrder: [ManagedObject]?
  /// Members that left because this context deletes them. The store needs no write for it.
  private var dropped: [ManagedObject] = []
  /// The order before this context deleted members.
  private(set) var formerOrder: [ManagedObject]?
  /// The stored positions of members that are linked by a join, or that are faults; nil if they are
  /// not known.
  var positions: [RowKey: Int64]?
  /// The positions that the running save assigns.
  var newPositions: [RowKey: Int64]?
  /// Others may have made the same changes of links that lie in no row since the members were read.
  private var mayBeSettled = false
  /// The value of the context's `memberMerges` when former members were last dropped.
  private var mergesSeen = 0

  private var isOrdered: Bool { relationship.isOrdered }

  init(_ relationship: RelationshipShape, isLoaded: Bool) {
    self.relationship = relationship
    self.isLoaded = isLoaded
  }

  /// The objects added since the last save; in order if the relationship is ordered.
  var added: [ManagedObject] { addedList.objects }
  /// The objects removed since the last save.
  var removed: [ManagedObject] { removedList.objects }
  /// Whether links or their order were changed since the last save.
  var hasChanges: Bool { !addedList.isEmpty || !removedList.isEmpty || isReordered }
  /// The members that left because this context deletes them.
  var droppedDeleted: [ManagedObject] { dropped.filter(\.isDeleted) }
  /// Whether the object left because this context deleted it.
  func hasDropped(_ object: ManagedObject) -> Bool { dropped.contains { $0 === object } }
  /// Whether the members differ from the saved ones, in number or in order.
  var isChanged: Bool { hasChanges || dropped.contains(where: \.isDeleted) }
  /// The members. They are complete only if `isLoaded`.
  var members: [ManagedObject] { loaded.objects }

  /// Whether the object is a member as far as the context knows. The store is not asked.
  func isKnown(_ object: ManagedObject) -> Bool {
    isLoaded ? loaded.contains(object) : addedList.contains(object)
  }

  /// Drops the members that came from the store, so that the next read asks again. Changes made
  /// here stay, the order among them.
  func invalidate() {
    positions = nil
    if case .join = relationship.storage, hasChanges { mayBeSettled = true }
    if isReordered {
      if isLoaded { wantedOrder = members }
    } else {
      formerOrder = nil
    }
    loaded = MemberList()
    isLoaded = false
  }

  /// The position in the member's row. A known position of a fault is used without reading the row.
  func positionInRow(of member: ManagedObject) -> Int64? {
    guard case .inverseReference(_, let position?) = relationship.storage else { return nil }
    if member.isFault, let place = positions?[member.key] { return place }
    return member.number(position)
  }

  /// The position in memory. The row of a loaded member is newer than the stored positions.
  private func positionInMemory(of member: ManagedObject) -> Int64? {
    guard !member.isFault, case .inverseReference = relationship.storage else {
      return positions?[member.key]
    }
    return positionInRow(of: member)
  }

  /// Sorts the members by the positions in their rows.
  func sort() {
    wantedOrder = nil
    guard isLoaded, case .inverseReference(_, _?) = relationship.storage else { return }
    let members = members
    loaded = MemberList(
      OrderedPositions.order(of: members.map(positionInRow)).map { members[$0] })
  }

  /// Sets the members from the store, and applies the changes made here. In an order that was made
  /// here, a member that others added stays behind the one that it follows in the store.
  func load(_ stored: [ManagedObject]) {
    if mayBeSettled { dropSettled(stored) }
    loaded = MemberList(removedList.isEmpty ? stored : stored.filter { !removedList.contains($0) })
    isLoaded = true
    for object in added where !loaded.contains(object) { loaded.append(object) }
    guard let wanted = wantedOrder else { return }
    let present = Set(members)
    wantedOrder = nil
    loaded = MemberList(wanted.filter(present.contains).joined(by: members))
  }

  /// Forgets the links that others added or removed, too. A member that this context deletes is hidden among the
  /// stored ones, so nothing is known of its link.
  private func dropSettled(_ stored: [ManagedObject]) {
    mayBeSettled = false
    let present = Set(stored)
    for object in added where present.contains(object) && !removedList.contains(object) {
      _ = addedList.erase(object)
    }
    for object in removed where !present.contains(object) && !object.isDeleted {
      _ = removedList.erase(object)
    }
  }

  /// Shows members without change tracking.
  func show(_ objects: [ManagedObject]) {
    (mayBeSettled, wantedOrder) = (false, nil)
    load(objects)
  }

  /// Adds an object that is not a member. One that left and returns is a member as before, and the
  /// last one of an order.
  func add(_ object: ManagedObject) {
    // because a member of an order that is not in memory becomes its last one when it is added
    let isBack = !(isOrdered && !isLoaded) && !removedList.isEmpty && removedList.erase(object)
    if !isBack || mayBeSettled {
      if !mayBeSettled || !addedList.contains(object) { addedList.append(object) }
    } else if isOrdered && isLoaded {
      isReordered = true
    }
    if isLoaded { loaded.append(object) }
  }

  func remove(_ object: ManagedObject) {
    let isBack = !addedList.isEmpty && addedList.erase(object)
    if !isBack || mayBeSettled, !removedList.contains(object) { removedList.append(object) }
    if isLoaded { _ = loaded.erase(object) }
  }

  /// Drops a member whose link the store deletes by itself.
  func dropDeleted(_ object: ManagedObject) {
    // because a member that was added here is none of the saved ones
    if addedList.isEmpty || !addedList.contains(object) {
      dropped.append(object)
      if isOrdered && isLoaded && formerOrder == nil { formerOrder = members }
    }
    drop(object)
  }

  /// Drops a member whose row another context deleted, together with the changes made to it here.
  func dropGone(_ object: ManagedObject) {
    drop(object)
    if !removedList.isEmpty { _ = removedList.erase(object) }
    formerOrder?.removeAll { $0 === object }
  }

  private func drop(_ object: ManagedObject) {
    if !addedList.isEmpty { _ = addedList.erase(object) }
    if isLoaded { _ = loaded.erase(object) }
  }

  /// Forgets the members and the changes, except that members left because this context deletes them.
  func forgetAllButDropped() {
    let dropped = dropped
    clearChanges()
    invalidate()
    self.dropped = dropped
  }

  /// Forgets that an object was added or removed here. The next read asks whether it is a member. If so, it has the place
  /// that it got in an order made here.
  func forget(_ object: ManagedObject) {
    let order = isReordered && isLoaded ? members : wantedOrder
    dropGone(object)
    invalidate()
    wantedOrder = order
  }

  /// Drops the members that others deleted or moved, once per value of the context's
  /// `memberMerges`. Members that joined are read again.
  func dropFormerMembers(of owner: ManagedObject, upTo merges: Int) {
    guard merges != mergesSeen else { return }
    mergesSeen = merges
    for object in (isLoaded ? members : added) + removed where hasLeft(object, owner) {
      dropGone(object)
    }
  }

  private func hasLeft(_ object: ManagedObject, _ owner: ManagedObject) -> Bool {
    if object.state.contains(.gone) { return true }
    // A fault tells nothing, and the row of an object that was changed here tells what is here.
    guard case .inverseReference(let slot, _) = relationship.storage, !object.isFault,
      !object.isRowChanged
    else { return false }
    return object.reference(slot)?.identity != owner.key.identity
  }

  /// Changes the order of the members. The members must stay the same.
  func reorder(_ objects: [ManagedObject]) {
    guard isLoaded, !members.elementsEqual(objects, by: ===) else { return }
    loaded = MemberList(objects)
    isReordered = true
  }

  /// Clears `isReordered` if the order is the stored one again. It reads no positions; an order
  /// with unknown positions stays changed.
  func clearRestoredOrder() {
    guard isReordered, isLoaded, addedList.isEmpty, removedList.isEmpty else { return }
    var last = Int64.min
    for member in members {
      guard let place = positionInMemory(of: member), place > last, !isMoved(member) else { return }
      last = place
    }
    isReordered = false
  }

  /// Gives members that left and returned their saved positions, if the saved order is restored.
  func restorePositions(of owner: ManagedObject) {
    guard isLoaded, case .inverseReference(let slot, let position?) = relationship.storage else {
      return
    }
    var last = Int64.min
    var returned: [(ManagedObject, RowPlace)] = []
    for member in members {
      var place = positionInRow(of: member)
      if place == nil, let base = member.basePlace, base.reference(slot) == owner.key,
        !base.page.isNull(base.index, slot: position)
      {
        place = Int64(bitPattern: base.page.word(base.index, slot: position))
        returned.append((member, base))
      }
      guard let place, place > last else { return }
      last = place
    }
    for (member, base) in returned { member.setSlot(position, from: base.page, base.index) }
  }

  /// Whether the row has a position that is not stored.
  private func isMoved(_ member: ManagedObject) -> Bool {
    guard case .inverseReference(_, let position?) = relationship.storage else { return false }
    return member.differsFromBase(position)
  }

  /// Forgets the changes after a save. The members stay known.
  func didSave() {
    formerOrder = nil
    dropped = []
    guard hasChanges else { return }
    positions = newPositions
    newPositions = nil
    clearChanges()
  }

  /// Forgets the changes, so that the members count as stored.
  func clearChanges() {
    addedList = MemberList()
    removedList = MemberList()
    formerOrder = nil
    dropped = []
    isReordered = false
    wantedOrder = nil
    mayBeSettled = false
  }
}

extension [ManagedObject] {
  /// The objects in their order. The objects that only `others` has follow their predecessor in
  /// `others`.
  func joined(by others: [ManagedObject]) -> [ManagedObject] {
    let own = Set(self)
    var followers: [ManagedObject?: [ManagedObject]] = [:]
    var leader: ManagedObject?
    for object in others {
      if own.contains(object) {
        leader = object
      } else {
        followers[leader, default: []].append(object)
      }
    }
    return (followers[nil] ?? []) + flatMap { [$0] + (followers[$0] ?? []) }
  }
}
