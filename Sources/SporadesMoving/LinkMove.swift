// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// The links of one join on their way, with their places on both sides.
///
/// They are read from the first side, and added with their places there. If the second side has an order, too, a second
/// walk from that side sets the places in it: nobody reads the links of an object more than twice, however many it has.
struct LinkMove {
  private let source: any PersistentStore
  private let view: StoreView
  private let join: JoinShape
  private var changes: [LinkChange] = []
  private var count = 0
  /// The number of all links so far, for places that are set later.
  private var total: Int64 = 0
  private static let ownersTogether = 512
  private static let linksTogether = 8_192

  init(
    _ join: JoinShape, from source: any PersistentStore, in view: StoreView
  ) {
    (self.join, self.source, self.view) = (join, source, view)
  }

  /// Hands the changes to `write`, a few thousand links at a time.
  mutating func run(_ write: ([LinkChange]) throws(StoreError) -> Void) throws(StoreError) {
    let isOrdered = join.second.relationship.isOrdered
    try walk(join.first, write) { (move, link, place) in
      guard !move.join.isReflexive || link.owner <= link.other else { return }
      move.total += 1
      let added = LinkChange.Link(
        other: link.other, position: place, ownerPosition: isOrdered ? move.total : nil)
      move.change(of: link.owner, isFirst: true) { $0.added.append(added) }
    }
    guard isOrdered else { return }
    let isFirst = join.isReflexive
    try walk(join.second, write) { (move, link, place) in
      let placed = LinkChange.Link(other: link.other, position: place)
      move.change(of: link.owner, isFirst: isFirst) { $0.moved.append(placed) }
    }
  }

  // MARK: - Reading

  /// Calls `body` with each link of the objects on one side, in order, and with its place.
  private mutating func walk(
    _ side: JoinShape.Side, _ write: ([LinkChange]) throws(StoreError) -> Void,
    _ body: (inout LinkMove, StoredLink, Int64?) -> Void
  ) throws(StoreError) {
    let shape = source.model.shape(numbered: side.entity)
    guard case .relationship(let relationship)? = shape[side.relationship.name] else { return }
    try Self.forEachOwner(of: relationship, shape, source, view) { (links) throws(StoreError) in
      for (link, place) in zip(links, Self.places(links, relationship)) {
        body(&self, link, place)
        if count >= Self.linksTogether { try flush(write) }
      }
    }
    try flush(write)
  }

  /// Calls `body` with the links of each object that has some.
  static func forEachOwner(
    of relationship: RelationshipShape, _ shape: EntityShape, _ source: any PersistentStore,
    _ view: StoreView, _ body: (ArraySlice<StoredLink>) throws(StoreError) -> Void
  ) throws(StoreError) {
    var owners = try source.keys(StoreFetch(shape), in: view)[...]
    while !owners.isEmpty {
      let some = Array(owners.prefix(ownersTogether))
      owners = owners.dropFirst(ownersTogether)
      var links = try source.links(of: relationship, owners: some, in: view)[...]
      while let owner = links.first?.owner {
        let own = links.prefix { $0.owner == owner }
        links = links.dropFirst(own.count)
        try body(own)
      }
    }
  }

  /// The places of an object's links. They are numbered anew if a link has none.
  private static func places(
    _ links: ArraySlice<StoredLink>, _ relationship: RelationshipShape
  ) -> [Int64?] {
    guard relationship.isOrdered else { return links.map { _ in nil } }
    guard links.contains(where: { $0.position == nil }) else { return links.map(\.position) }
    // Core Data leaves the same gaps.
    return links.indices.map { 2_048 + 1_024 * Int64($0 - links.startIndex) }
  }

  // MARK: - Writing

  private mutating func change(
    of owner: RowKey, isFirst: Bool, _ body: (inout LinkChange) -> Void
  ) {
    if changes.last?.owner != owner {
      changes.append(LinkChange(join: join.index, isFirst: isFirst, owner: owner))
    }
    body(&changes[changes.count - 1])
    count += 1
  }

  private mutating func flush(
    _ write: ([LinkChange]) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard !changes.isEmpty else { return }
    try write(changes)
    (changes, count) = ([], 0)
  }
}
