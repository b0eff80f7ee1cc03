// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// Copies all rows, links and metadata of a store into an empty store of any kind. Keys and versions stay.
///
/// The copy takes the rows tree by tree and the links join by join, with a commit after each. The target must
/// hold the same entities.
package struct StoreCopy {
  private let source: any PersistentStore
  private let target: any PersistentStore
  private let configuration: StoreConfiguration
  private static let rowsPerCommit = 16_384

  /// Prepares a copy; throws if the model does not have the source's configuration.
  package init(
    from source: any PersistentStore, to target: any PersistentStore
  ) throws(StoreError) {
    self.source = source
    self.target = target
    configuration = try StoreConfiguration(source.configurationName, of: source.model)
  }

  /// Copies the store.
  package func run() throws(StoreError) {
    for root in roots { try copyRows(root) }
    for join in source.model.joins {
      let entities = [join.first.entity, join.second.entity]
      if entities.allSatisfy(configuration.holds) { try copyLinks(join) }
    }
    let own = try source.metadata().filter { !MetadataValue.isCoreData(key: $0.key) }
    try target.setMetadata(try target.metadata().merging(own) { $1 })
    try target.commit(.immediate)
  }

  private var roots: [EntityShape] {
    source.model.shapes.filter { $0.superNumber == 0 && configuration.holds($0.number) }
  }

  private func copyRows(_ root: EntityShape) throws(StoreError) {
    var pending: [RowPage] = []
    for page in try source.rows(StoreFetch(root), in: .accepted) {
      pending.append(page)
      guard pending.reduce(0, { $0 + $1.count }) >= Self.rowsPerCommit else { continue }
      try insert(pending)
      pending = []
    }
    try insert(pending)
  }

  private func insert(_ pages: [RowPage]) throws(StoreError) {
    guard !pages.isEmpty else { return }
    try target.execute(ChangeSet(inserted: pages))
    try target.commit(.eventual)
  }

  /// Reserves in the target all keys that the source has reserved, because objects without a row may have
  /// them.
  package func coverReservedKeys() throws(StoreError) {
    guard !source.isReadOnly, !target.isReadOnly else { return }
    for root in roots {
      let next = try source.reserveKeys(1, for: root).lowerBound
      let first = try target.reserveKeys(1, for: root).lowerBound
      if first < next { _ = try target.reserveKeys(Int(next - first), for: root) }
    }
  }

  // MARK: - Links

  private func copyLinks(_ join: JoinShape) throws(StoreError) {
    let forth = try readMembers(join.first)
    let back = join.isReflexive ? forth : try readMembers(join.second)
    let backPositions = back.lists.mapValues { list in
      Dictionary(list.enumerated().map { ($1, $0) }) { first, _ in first }
    }
    var changes: [LinkChange] = []
    for owner in forth.owners {
      var change = LinkChange(join: join.index, isFirst: true, owner: owner)
      for (index, other) in (forth.lists[owner] ?? []).enumerated()
      where !join.isReflexive || owner <= other {
        change.added.append(
          .init(
            other: other, position: forth.isOrdered ? Self.position(index) : nil,
            ownerPosition: back.isOrdered
              ? backPositions[other]?[owner].map(Self.position) : nil))
      }
      if !change.added.isEmpty { changes.append(change) }
    }
    guard !changes.isEmpty else { return }
    try target.execute(ChangeSet(links: changes))
    try target.commit(.eventual)
  }

  private struct Members {
    let owners: [RowKey]
    let lists: [RowKey: [RowKey]]
    let isOrdered: Bool
  }

  /// Reads the linked objects of each object on one side, in order.
  private func readMembers(_ side: JoinShape.Side) throws(StoreError) -> Members {
    let shape = source.model.shape(numbered: side.entity)
    guard case .relationship(let relationship)? = shape[side.relationship.name] else {
      return Members(owners: [], lists: [:], isOrdered: false)
    }
    let owners = try source.keys(StoreFetch(shape), in: .accepted)
    var lists: [RowKey: [RowKey]] = [:]
    for link in try source.links(of: relationship, owners: owners, in: .accepted) {
      lists[link.owner, default: []].append(link.other)
    }
    return Members(owners: owners, lists: lists, isOrdered: relationship.isOrdered)
  }

  /// The position of the link with an index. Core Data leaves the same gaps between positions.
  private static func position(_ index: Int) -> Int64 { 2048 + 1024 * Int64(index) }
}
