// SPDX-License-Identifier: MIT
import SporadesModel
public import SporadesStore

/// Copies everything of one store into another one that is empty: a file to a server and back, or any other pair.
///
/// ```swift
/// let move = try StoreMove(from: file, to: server)
/// for lack in try move.unkeepable() { print(lack) }
/// let moved = try move.run { print("\($0.rows) of \($0.allRows) objects") }
/// ```
///
/// Rows keep their keys and versions, and links their places, so that both stores have the same objects in the same orders.
/// The program's entries of the metadata go with them; the history, and the identifier that is part of the objects' URIs, do
/// not. The move reads one committed state of the source. It reads and writes a few thousand rows at a time, each in a
/// transaction, and holds the keys of the others: eight bytes for each object.
///
/// If something fails, the move removes what it has written, so that the target is empty again. While it runs, the target's
/// metadata says so; if the process ends in the middle, the next move names that.
public struct StoreMove: Sendable {
  let source: any PersistentStore
  let target: any PersistentStore
  let order: TreeOrder
  /// The entry in the metadata of a target that is being filled: the identifier of the source.
  static let mark = "SporadesUnfinishedMove"

  /// Prepares a move. Both stores have the same version of the model, and the target holds the entities of the source.
  public init(
    from source: any PersistentStore, to target: any PersistentStore
  ) throws(StoreError) {
    guard source.coordinator == nil, target.coordinator == nil else {
      throw StoreError(
        .unsupported, "A coordinator is no single store. Move each of its stores by itself.")
    }
    guard source.model == target.model else {
      throw StoreError(
        .incompatibleModel(source.model.entities.map(\.name)),
        "The stores have different models. Open both with the same version of the model.")
    }
    let configuration = try StoreConfiguration(source.configurationName, of: source.model)
    let targets = try StoreConfiguration(target.configurationName, of: target.model)
    for shape in source.model.shapes where configuration.holds(shape.number) {
      guard targets.holds(shape.number) else { throw targets.foreign(shape) }
    }
    guard !target.isReadOnly else {
      throw StoreError(
        .readOnly, "The target was opened for reading only. Open it for writing."
      )
    }
    order = TreeOrder.order(source.model, holding: configuration)
    (self.source, self.target) = (source, target)
  }

  /// How much a move has written.
  public struct Progress: Sendable {
    /// The number of objects so far.
    public internal(set) var rows = 0
    /// The number of objects in the source.
    public internal(set) var allRows = 0
    /// The number of links of many-to-many relationships so far. They come after the objects.
    public internal(set) var links = 0
  }

  /// Moves the store, and calls `progress` after each transaction. An error that it throws ends the move like any other.
  ///
  /// Throws if the target has objects, and, with the first of them, if it cannot keep some values. Neither changes it.
  @discardableResult
  public func run(
    _ progress: (Progress) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) -> Progress {
    var former = try target.metadata()
    try checkEmpty(former)
    former[Self.mark] = nil
    let lacks = try unkeepable()
    guard lacks.isEmpty else { throw Self.refusal(lacks) }
    let view = try self.view
    let keys = try self.keys(in: view)
    try markTarget(former)
    do throws(StoreError) { return try copy(keys, in: view, progress) } catch {
      throw undone(error, keys, former)
    }
  }

  // MARK: - Before and after

  private func checkEmpty(_ metadata: [String: MetadataValue]) throws(StoreError) {
    for root in order.roots {
      guard try !target.keys(StoreFetch(root, limit: 1), in: .accepted).isEmpty else { continue }
      let origin =
        metadata[Self.mark] == nil ? "" : ", of a move that ended in the middle, or runs elsewhere"
      throw StoreError(
        .unsupported,
        "The target has objects of \(root.name)\(origin). Move into an empty store, or remove them with "
          + "removeAllRows() first.")
    }
  }

  /// Notes in the target's metadata that it is incomplete.
  private func markTarget(_ former: [String: MetadataValue]) throws(StoreError) {
    do throws(StoreError) {
      try target.setMetadata(former.merging([Self.mark: .string(source.identifier)]) { $1 })
      try target.commit(.immediate)
    } catch {
      // `try?`, because the caller gets the first error, and a mark beside no objects says nothing.
      try? target.setMetadata(former)
      throw error
    }
  }

  /// Removes what was written. Returns the error that the caller gets.
  private func undone(
    _ error: StoreError, _ keys: [[RowKey]], _ former: [String: MetadataValue]
  ) -> StoreError {
    do throws(StoreError) {
      try Cancellation.shielding { () throws(StoreError) in
        // Changes that the target cannot commit any more are of no use, and would stand in the way.
        _ = try StoreCapabilities(target).restoreAccepted()
        try checkOwn(keys)
        try target.removeAllRows()
        try target.setMetadata(former)
        try target.commit(.immediate)
      }
      return error
    } catch let second {
      return StoreError(
        error.code,
        "\(error.detail) What the move had written could not be removed again: \(second.detail) Call removeAllRows() on "
          + "the target before the next attempt.", underlying: error.underlying)
    }
  }

  /// Refuses to remove objects that somebody else has saved in the target meanwhile. Their keys are none of the source's.
  private func checkOwn(_ keys: [[RowKey]]) throws(StoreError) {
    for (root, keys) in zip(order.roots, keys) {
      let own = Set(keys)
      guard try target.keys(StoreFetch(root), in: .accepted).allSatisfy(own.contains) else {
        throw StoreError(
          .conflict([]), "Somebody else has saved objects of \(root.name) there meanwhile.")
      }
    }
  }
}
