// SPDX-License-Identifier: MIT

/// The news that an outside index has taken a batch.
public struct IndexUpdate: Hashable, Sendable {
  /// The place of the index.
  public let place: IndexPlace
  /// The number of items that the index has added or replaced.
  public let itemCount: Int
  /// The number of removals in the batch.
  public let removalCount: Int

  init(_ batch: IndexBatch) {
    place = batch.place
    itemCount = batch.items.count
    removalCount = batch.removals.count
  }
}
