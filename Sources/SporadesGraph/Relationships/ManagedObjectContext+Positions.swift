// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Positions in ordered relationships whose members hold the owner's key.
//
// Rules:
// 1. A position stays if it can. Only members whose positions change are read.
// 2. A member added to an order that is not in memory gets a position behind the last one. The
//    store is asked only for that last position.
extension ManagedObjectContext {
  /// Gives the members of changed ordered relationships their positions.
  func assignPositions() throws(StoreError) {
    for owner in changes.linked where !owner.isRemoved {
      guard let extras = owner.extras else { continue }
      for links in extras.toMany where links.hasChanges {
        if links.isReordered {
          // because others may have saved members meanwhile
          _ = owner.memberFaults(links.relationship)
          links.restorePositions(of: owner)
          if parent.root != nil { links.clearRestoredOrder() }
        }
        guard links.relationship.isOrdered,
          case .inverseReference(_, let position?) = links.relationship.storage
        else { continue }
        if links.isLoaded {
          try assignPositions(owner.members(links.relationship), links, in: position)
        } else {
          try assignLastPositions(links, of: owner, in: position)
        }
      }
    }
  }

  private func assignPositions(
    _ members: [ManagedObject], _ links: ToMany, in position: Int
  ) throws(StoreError) {
    let current = members.map(links.positionInRow)
    let positions = OrderedPositions.rising(current)
    let moved = members.indices.filter { current[$0] != positions[$0] }
    try fulfil(faultsAmong: moved.map { members[$0] })
    for index in moved {
      members[index].setWord(position, UInt64(bitPattern: positions[index]))
    }
    guard var known = links.positions else { return }
    for index in moved { known[members[index].key] = positions[index] }
    links.newPositions = known
  }

  private func assignLastPositions(
    _ links: ToMany, of owner: ManagedObject, in position: Int
  ) throws(StoreError) {
    let open = links.added.filter { !$0.isRemoved && $0.number(position) == nil }
    guard !open.isEmpty else { return }
    var last = try lastPosition(in: links.relationship, of: owner)
    for member in open {
      let next = last.map { OrderedPositions.next(after: $0) } ?? OrderedPositions.first
      guard let place = next else {
        throw StoreError(
          .full,
          "The order of \(owner.objectID).\(links.relationship.name) has no position left behind the last "
            + "member. Set the members in a new order, which gives them new positions.")
      }
      member.setWord(position, UInt64(bitPattern: place))
      last = place
    }
  }

  /// The last position among the members, unsaved ones included.
  func lastPosition(
    in relationship: RelationshipShape, of owner: ManagedObject
  ) throws(StoreError) -> Int64? {
    let links = owner.toMany(relationship)
    let known = (links.isLoaded ? links.members : links.added).compactMap(links.positionInRow)
    if links.isLoaded { return known.max() }
    let stored = try source.lastPosition(in: relationship, of: owner.key)
    return (known + [stored].compactMap(\.self)).max()
  }

  /// Reads the values of those objects that are faults, and of no other objects.
  func fulfil(faultsAmong objects: [ManagedObject]) throws(StoreError) {
    guard objects.contains(where: \.isFault) else { return }
    try fulfil(objects)
  }
}
