// SPDX-License-Identifier: MIT
import SporadesModel

/// The objects a to-many relationship of one object leads to, as far as the context knows.
///
/// Until someone asks for the members, only what was added and removed is kept; the store is not
/// asked for the rest.
final class ToMany {
  let relationship: RelationshipShape
  private(set) var isLoaded: Bool
  private var addedList = MemberList()
  private var removedList = MemberList()
  private var loaded = MemberList()
  /// The order was changed since the last save.
  private(set) var isReordered = false
  /// Members left because they are deleted here; their number is another one, though the store needs no
  /// telling.
  private(set) var hasForgotten = false
  /// The order before objects that are deleted here left it.
  private(set) var formerOrder: [ManagedObject]?
  /// The places the store keeps for the members of an order among links, or for members that are
  /// faults; nil where they are not known.
  var places: [RowKey: Int64]?
  /// The places the save under way gives.
  var newPlaces: [RowKey: Int64]?
  /// The merges of deletions whose objects were dropped from the members.
  private var mergesSeen = 0

  private var isOrdered: Bool { relationship.isOrdered }

  init(_ relationship: RelationshipShape, isLoaded: Bool) {
    self.relationship = relationship
    self.isLoaded = isLoaded
  }

  /// Added since the last save; for ordered relationships in order.
  var added: [ManagedObject] { addedList.objects }
  /// Removed since the last save.
  var removed: [ManagedObject] { removedList.objects }
  var hasChanges: Bool { !addedList.isEmpty || !removedList.isEmpty || isReordered }
  /// The members; only right once they are loaded.
  var members: [ManagedObject] { loaded.objects }

  /// Whether the object is known to be a member, without asking the store.
  func isKnown(_ object: ManagedObject) -> Bool {
    isLoaded ? loaded.contains(object) : addedList.contains(object)
  }

  /// What the store said is not known any more; what was changed here is.
  func outdate() {
    places = nil
    guard !isReordered else { return }
    formerOrder = nil
    loaded = MemberList()
    isLoaded = false
  }

  /// The place a member has in a row of its own, which is not read for it where it is known.
  func placeInRow(of member: ManagedObject) -> Int64? {
    guard case .inverseReference(_, let position?) = relationship.storage else { return nil }
    if member.isFault, let place = places?[member.key] { return place }
    return member.number(position)
  }

  /// The place that is in memory. A row has those that were given since they were read.
  private func placeInMemory(of member: ManagedObject) -> Int64? {
    guard !member.isFault, case .inverseReference = relationship.storage else {
      return places?[member.key]
    }
    return placeInRow(of: member)
  }

  /// Orders the members by the places in their rows, where they have any; those without one stay behind.
  func sort() {
    guard isLoaded, case .inverseReference(_, _?) = relationship.storage else { return }
    let placed = members.enumerated().map {
      ($0.offset, placeInRow(of: $0.element) ?? .max, $0.element)
    }
    loaded = MemberList(placed.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.2))
  }

  /// Takes what the store says, under what was changed here.
  func load(_ stored: [ManagedObject]) {
    loaded = MemberList(removedList.isEmpty ? stored : stored.filter { !removedList.contains($0) })
    isLoaded = true
    for object in added where !loaded.contains(object) { loaded.append(object) }
  }

  /// Adds an object that is no member yet.
  func add(_ object: ManagedObject) {
    // a member that left an order and comes back has another place in it
    if isOrdered || removedList.isEmpty || !removedList.erase(object) { addedList.append(object) }
    if isLoaded { loaded.append(object) }
  }

  func remove(_ object: ManagedObject) {
    if addedList.isEmpty || !addedList.erase(object) {
      if !isOrdered || !removedList.contains(object) { removedList.append(object) }
    }
    if isLoaded { _ = loaded.erase(object) }
  }

  /// Drops an object that the store drops by itself.
  func forget(_ object: ManagedObject) {
    hasForgotten = true
    if isOrdered && isLoaded && formerOrder == nil { formerOrder = members }
    drop(object)
  }

  /// Drops an object whose row others deleted, whatever was changed about it here.
  func lose(_ object: ManagedObject) {
    drop(object)
    if !removedList.isEmpty { _ = removedList.erase(object) }
    formerOrder?.removeAll { $0 === object }
  }

  private func drop(_ object: ManagedObject) {
    if !addedList.isEmpty { _ = addedList.erase(object) }
    if isLoaded { _ = loaded.erase(object) }
  }

  /// Drops members whose rows others deleted, once per count of such merges.
  func forgetGone(upTo merges: Int) {
    guard merges != mergesSeen else { return }
    mergesSeen = merges
    guard case .join = relationship.storage else { return }
    let all = (isLoaded ? members : added) + removed
    for object in all where object.state.contains(.gone) { lose(object) }
  }

  /// Sets the order of the members, which stay the same.
  func reorder(_ objects: [ManagedObject]) {
    guard isLoaded, !members.elementsEqual(objects, by: ===) else { return }
    loaded = MemberList(objects)
    isReordered = true
  }

  /// An order that is the store's again is no change. Places that are not in memory are not read to
  /// find out.
  func settleOrder() {
    guard isReordered, isLoaded, addedList.isEmpty, removedList.isEmpty else { return }
    var last = Int64.min
    for member in members {
      guard let place = placeInMemory(of: member), place > last else { return }
      last = place
    }
    isReordered = false
  }

  /// The changes were saved; what is known stays known.
  func didSave() {
    formerOrder = nil
    hasForgotten = false
    guard hasChanges else { return }
    places = newPlaces
    newPlaces = nil
    forgetChanges()
  }

  /// What is known is what the store has.
  func forgetChanges() {
    addedList = MemberList()
    removedList = MemberList()
    formerOrder = nil
    hasForgotten = false
    isReordered = false
  }
}
