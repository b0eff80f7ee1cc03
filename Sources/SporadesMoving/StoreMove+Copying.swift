// SPDX-License-Identifier: MIT
import SporadesModel
package import SporadesStore

// The work of a move: rows tree by tree, then the references that had to wait, then links join by join.
extension StoreMove {
  /// Copies all of the source, and removes nothing if that fails.
  package func copy() throws(StoreError) {
    try checkWhole()
    let view = try self.view
    let keys = try keys(in: view)
    try coverKeys(keys)
    try copy(MoveRecord(keys), in: view) { _ in }
    try copyMetadata()
  }

  /// Copies the rows with the keys of the record, by tree, and all links.
  @discardableResult
  func copy(
    _ record: MoveRecord, in view: StoreView,
    _ progress: (Progress) throws(StoreError) -> Void
  ) throws(StoreError) -> Progress {
    var counts = Progress(allRows: record.trees.reduce(0) { $0 + $1.count })
    var incomplete: [[RowKey]] = []
    for keys in record.trees {
      incomplete.append(
        try insertRows(keys, in: view, record) { () throws(StoreError) in
          counts.rows = record.count
          try progress(counts)
        })
    }
    for keys in incomplete { try complete(keys, in: view) }
    for join in joins {
      try forEachLinkChange(in: join, view) { (changes) throws(StoreError) in
        try write(ChangeSet(links: changes))
        counts.links += changes.reduce(0) { $0 + $1.added.count }
        try progress(counts)
      }
    }
    return counts
  }

  /// One committed state of the source, where the source keeps states.
  var view: StoreView {
    get throws(StoreError) {
      let capabilities = StoreCapabilities(source)
      guard capabilities.keepsGenerations else { return .committed }
      return .generation(try capabilities.generation())
    }
  }

  /// The keys of the rows of each tree.
  func keys(in view: StoreView) throws(StoreError) -> [[RowKey]] {
    try order.roots.map { (root) throws(StoreError) in
      try source.keys(StoreFetch(root), in: view)
    }
  }

  /// The joins between entities that the source holds.
  var joins: [JoinShape] {
    source.model.joins.filter {
      order.holds($0.first.entity) && order.holds($0.second.entity)
    }
  }

  // MARK: - Rows

  /// Inserts the rows of a tree. Returns the keys of those whose references come later.
  private func insertRows(
    _ keys: [RowKey], in view: StoreView, _ record: MoveRecord,
    _ progress: () throws(StoreError) -> Void
  ) throws(StoreError) -> [RowKey] {
    var incomplete: [RowKey] = []
    try forEachBatch(of: keys, in: view) { (pages) throws(StoreError) in
      let parts = pages.map(order.insertable)
      record.open = pages.flatMap { page in (0..<page.count).map(page.key) }
      try write(ChangeSet(inserted: parts.map(\.page)))
      incomplete += parts.flatMap(\.incomplete)
      record.count += record.open.count
      record.open = []
      try progress()
    }
    return incomplete
  }

  private func complete(_ keys: [RowKey], in view: StoreView) throws(StoreError) {
    try forEachBatch(of: keys, in: view) { (pages) throws(StoreError) in
      try write(ChangeSet(updated: pages.map(order.completing)))
    }
  }

  private func write(_ changes: ChangeSet) throws(StoreError) {
    try Cancellation.check()
    if let failure = try target.execute(changes, committing: .eventual) { throw failure }
  }

  // MARK: - Metadata and keys

  func copyMetadata() throws(StoreError) {
    // The rows are on the disk before the metadata no longer says that they are incomplete.
    try target.commit(.immediate)
    let own = try source.metadata().filter {
      !MetadataValue.isCoreData(key: $0.key) && $0.key != Self.mark
    }
    var all = try target.metadata().merging(own) { $1 }
    all[Self.mark] = nil
    try target.setMetadata(all)
    try target.commit(.immediate)
  }

  /// Reserves in the target the keys of all rows that come, so that others give theirs to no new object.
  func coverKeys(_ trees: [[RowKey]]) throws(StoreError) {
    for (root, keys) in zip(order.roots, trees) {
      guard let largest = keys.map(\.primaryKey).max() else { continue }
      do throws(StoreError) { try reserve(upTo: largest, for: root) } catch
        where error.code == .full
      {
        // The last of all keys: the row itself takes it, and no other is left.
      }
    }
  }

  /// Reserves in the target all keys that the source has reserved, because objects without a row may have them.
  package func coverReservedKeys() throws(StoreError) {
    guard !source.isReadOnly, !target.isReadOnly else { return }
    for root in order.roots {
      try reserve(upTo: try source.reserveKeys(1, for: root).lowerBound, for: root)
    }
  }

  private func reserve(upTo key: Int64, for root: EntityShape) throws(StoreError) {
    let first = try target.reserveKeys(1, for: root).lowerBound
    if first < key { _ = try target.reserveKeys(Int(key - first), for: root) }
  }
}
