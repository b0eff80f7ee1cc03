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
  func placeOrdered() throws(StoreError) {
    for owner in changes.linked {
      guard let extras = owner.extras, !owner.isDeleted else { continue }
      for links in extras.toMany where links.hasChanges {
        guard links.relationship.isOrdered,
          case .inverseReference(_, let position?) = links.relationship.storage
        else { continue }
        if links.isLoaded {
          try place(owner.members(links.relationship), links, in: position)
        } else {
          try placeLast(links, of: owner, in: position)
        }
      }
    }
  }

  private func place(
    _ members: [ManagedObject], _ links: ToMany, in position: Int
  ) throws(StoreError) {
    let current = members.map(links.placeInRow)
    let places = OrderedPlaces.rising(current)
    let moved = members.indices.filter { current[$0] != places[$0] }
    try fulfil(faultsAmong: moved.map { members[$0] })
    for index in moved {
      members[index].setWord(position, UInt64(bitPattern: places[index]))
    }
    guard var known = links.places else { return }
    for index in moved { known[members[index].key] = places[index] }
    links.newPlaces = known
  }

  private func placeLast(
    _ links: ToMany, of owner: ManagedObject, in position: Int
  ) throws(StoreError) {
    let open = links.added.filter { !$0.isDeleted && $0.number(position) == nil }
    guard !open.isEmpty else { return }
    var last = try lastPosition(in: links.relationship, of: owner)
    for member in open {
      let next = last.map { OrderedPlaces.next(after: $0) } ?? OrderedPlaces.first
      guard let place = next else {
        throw StoreError(
          .full,
          "\(owner.objectID)'s \(links.relationship.name) have no place left behind the last one. Put "
            + "them into a new order, which numbers them anew.")
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
    let known = (links.isLoaded ? links.members : links.added).compactMap(links.placeInRow)
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
