// SPDX-License-Identifier: MIT

/// A bounded number of changes for an outside index. Each object is in it once.
public struct IndexBatch: Hashable, Sendable, Codable {
  /// The identifiers of the items that the index removes. The index may not have some of them.
  public let removals: [String]
  /// The items that the index adds or replaces.
  public let items: [IndexItem]
  /// The index removes each item of a smaller edition, after it has added the items; nil if it removes none. The last batch
  /// of a re-indexing asks for it, because an object that is gone has an item of an older edition.
  public let removesEditionsBefore: Int64?
  /// The place to which the batch leads, which the index keeps with it.
  public let place: IndexPlace

  /// Collects changes that lead to a place.
  public init(
    removals: [String] = [], items: [IndexItem] = [], removesEditionsBefore: Int64? = nil,
    place: IndexPlace
  ) {
    self.removals = removals
    self.items = items
    self.removesEditionsBefore = removesEditionsBefore
    self.place = place
  }

  /// The number of the last transaction that the index shows as a whole after the batch.
  public var transactionNumber: Int64 { place.transactionNumber }
}
