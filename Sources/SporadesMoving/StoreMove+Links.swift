// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// The links of joins on their way, with their places on both sides.
//
// They are read from the first side, and added with their places there. If the second side has an order, too, a second walk
// from that side sets the places in it: nobody reads the links of an object more than twice, however many it has.
extension StoreMove {
  private static let ownersTogether = 512
  private static let linksTogether = 8_192

  /// Hands the changes that make the links of a join to `write`, a few thousand links at a time.
  func forEachLinkChange(
    in join: JoinShape, _ view: StoreView, _ write: ([LinkChange]) throws(StoreError) -> Void
  ) throws(StoreError) {
    let isOrdered = join.second.relationship.isOrdered
    // Places on the second side that are set later; a store would look for the last one of each object.
    var passing: Int64 = 0
    try gather(join.first, view, write) { (link, place, changes) in
      guard !join.isReflexive || link.owner <= link.other else { return }
      passing += 1
      Self.change(of: link.owner, join, isFirst: true, &changes) {
        $0.added.append(
          .init(other: link.other, position: place, ownerPosition: isOrdered ? passing : nil))
      }
    }
    guard isOrdered else { return }
    try gather(join.second, view, write) { (link, place, changes) in
      Self.change(of: link.owner, join, isFirst: join.isReflexive, &changes) {
        $0.moved.append(.init(other: link.other, position: place))
      }
    }
  }

  /// Calls `body` with each link of the objects on one side, in order, and with its place. It appends to the changes that are
  /// written together.
  private func gather(
    _ side: JoinShape.Side, _ view: StoreView, _ write: ([LinkChange]) throws(StoreError) -> Void,
    _ body: (StoredLink, Int64?, inout [LinkChange]) -> Void
  ) throws(StoreError) {
    var changes: [LinkChange] = []
    var count = 0
    try forEachOwner(side, view) { (relationship, links) throws(StoreError) in
      for (link, place) in zip(links, Self.places(links, isOrdered: relationship.isOrdered)) {
        body(link, place, &changes)
        count += 1
        guard count == Self.linksTogether else { continue }
        try write(changes)
        (changes, count) = ([], 0)
      }
    }
    if !changes.isEmpty { try write(changes) }
  }

  /// Calls `body` with the links of each object on one side that has some, in order.
  func forEachOwner(
    _ side: JoinShape.Side, _ view: StoreView,
    _ body: (RelationshipShape, ArraySlice<StoredLink>) throws(StoreError) -> Void
  ) throws(StoreError) {
    let shape = source.model.shape(numbered: side.entity)
    guard case .relationship(let relationship)? = shape[side.relationship.name] else { return }
    var owners = try source.keys(StoreFetch(shape), in: view)[...]
    while !owners.isEmpty {
      let some = Array(owners.prefix(Self.ownersTogether))
      owners = owners.dropFirst(Self.ownersTogether)
      var links = try source.links(of: relationship, owners: some, in: view)[...]
      while let owner = links.first?.owner {
        let own = links.prefix { $0.owner == owner }
        links = links.dropFirst(own.count)
        try body(relationship, own)
      }
    }
  }

  /// The places of an object's links. They are numbered anew if a link has none.
  private static func places(_ links: ArraySlice<StoredLink>, isOrdered: Bool) -> [Int64?] {
    guard isOrdered else { return links.map { _ in nil } }
    guard links.contains(where: { $0.position == nil }) else { return links.map(\.position) }
    // Core Data leaves the same gaps.
    return links.indices.map { 2_048 + 1_024 * Int64($0 - links.startIndex) }
  }

  private static func change(
    of owner: RowKey, _ join: JoinShape, isFirst: Bool, _ changes: inout [LinkChange],
    _ body: (inout LinkChange) -> Void
  ) {
    if changes.last?.owner != owner {
      changes.append(LinkChange(join: join.index, isFirst: isFirst, owner: owner))
    }
    body(&changes[changes.count - 1])
  }
}
