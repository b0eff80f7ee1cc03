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
/// A file without a write-ahead log keeps no states, so that nobody may write into it meanwhile.
///
/// If something fails, the move removes what it has written, so that the target is empty again; nothing, if somebody else has
/// saved objects there. While it runs, the target's metadata says so. If the process ends in the middle, the next move names that.
public struct StoreMove: Sendable {
  let source: any PersistentStore
  let target: any PersistentStore
  let order: TreeOrder
  /// The roots of all trees that the target holds.
  private let targetRoots: [EntityShape]
  /// The entry in the metadata of a target that is being filled: the identifier of the source, and a number of the move.
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
    order = TreeOrder.order(source.model, holding: configuration)
    targetRoots = target.model.shapes.filter {
      $0.superNumber == 0 && targets.holds($0.number)
    }
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
    guard !target.isReadOnly else {
      throw StoreError(
        .readOnly, "The target was opened for reading only. Open it for writing.")
    }
    // What the program's writes have returned goes with the move.
    if !source.isReadOnly { try source.commit(.immediate) }
    try checkWhole()
    var former = try target.metadata()
    try checkEmpty(former)
    former[Self.mark] = nil
    let lacks = try unkeepable()
    guard lacks.isEmpty else { throw Self.refusal(lacks) }
    let view = try self.view
    let keys = try self.keys(in: view)
    let record = MoveRecord(keys)
    let mark = MetadataValue.string("\(source.identifier) \(UInt64.random(in: .min ... .max))")
    do throws(StoreError) {
      try target.setMetadata(former.merging([Self.mark: mark]) { $1 })
      try target.commit(.immediate)
      try coverKeys(keys)
      // Others may have saved objects while the source was looked through. Their later ones get other keys.
      try checkEmpty(former)
      let moved = try copy(record, in: view, progress)
      try checkComplete(keys, mark)
      try copyMetadata()
      return moved
    } catch {
      throw undone(error, record, mark, former)
    }
  }

  // MARK: - Before and after

  /// Refuses a source that another move has left half filled.
  func checkWhole() throws(StoreError) {
    guard try source.metadata()[Self.mark] == nil else {
      throw StoreError(
        .unsupported,
        "The source lacks objects: a move into it ended in the middle, or still runs. Empty it with removeAllRows(), and fill it "
          + "again.")
    }
  }

  private func checkEmpty(_ metadata: [String: MetadataValue]) throws(StoreError) {
    for root in targetRoots {
      guard try !target.keys(StoreFetch(root, limit: 1), in: .accepted).isEmpty else { continue }
      let origin =
        metadata[Self.mark] == nil ? "" : ", of a move that ended in the middle, or runs elsewhere"
      throw StoreError(
        .unsupported,
        "The target has objects of \(root.name)\(origin). Move into an empty store, or remove them with "
          + "removeAllRows() first.")
    }
  }

  /// Finds out whether another move wrote into the target, or removed something there.
  private func checkComplete(
    _ trees: [[RowKey]], _ mark: MetadataValue
  ) throws(StoreError) {
    try Self.check(try target.metadata()[Self.mark], is: mark)
    for (root, keys) in zip(order.roots, trees) {
      let count = try target.keys(StoreFetch(root), in: .accepted).count
      guard count >= keys.count else {
        throw StoreError(
          .conflict([]),
          "Somebody else has removed objects of \(root.name) from the target meanwhile. Keep others away."
        )
      }
    }
  }

  private static func check(
    _ found: MetadataValue?, is mark: MetadataValue
  ) throws(StoreError) {
    guard found == mark else {
      throw StoreError(
        .conflict([]), "Another move writes into the target, too. Let one of them end first.")
    }
  }

  /// Removes what was written. Returns the error that the caller gets.
  private func undone(
    _ error: StoreError, _ record: MoveRecord, _ mark: MetadataValue,
    _ former: [String: MetadataValue]
  ) -> StoreError {
    do throws(StoreError) {
      try Cancellation.shielding { () throws(StoreError) in
        // Changes that the target cannot commit any more are of no use, and would stand in the way.
        _ = try StoreCapabilities(target).restoreAccepted()
        let found = try target.metadata()[Self.mark]
        if found == nil, record.isEmpty { return }
        // The last step takes the mark away.
        try Self.check(found ?? mark, is: mark)
        try checkOwn(record)
        try target.removeAllRows()
        try target.setMetadata(former)
        try target.commit(.immediate)
      }
      return error
    } catch let second {
      return StoreError(
        error.code,
        "\(error.detail) What the move had written could not be removed again: \(second.detail) Look at what the target has, "
          + "and empty it with removeAllRows() before the next attempt.",
        underlying: error.underlying)
    }
  }

  /// Refuses to remove objects that somebody else has saved in the target meanwhile.
  private func checkOwn(_ record: MoveRecord) throws(StoreError) {
    for root in targetRoots {
      let found = try target.keys(StoreFetch(root), in: .accepted)
      let place = order.roots.firstIndex { $0.number == root.number }
      guard record.hasWritten(found, tree: place) else {
        throw StoreError(
          .conflict([]), "Somebody else has saved objects of \(root.name) there meanwhile.")
      }
    }
  }
}
