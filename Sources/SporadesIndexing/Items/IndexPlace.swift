// SPDX-License-Identifier: MIT
public import SporadesStore

/// The place in a store's history up to which an outside index shows the store.
///
/// An index keeps it as bytes, and need not understand it. Any `Encoder` keeps it without loss.
public struct IndexPlace: Hashable, Sendable, Codable {
  /// The identifier of the store.
  public let storeID: String
  /// The number of the last transaction that the index shows as a whole.
  public internal(set) var transactionNumber: Int64
  /// The number of the current re-indexing, or of the last one.
  public internal(set) var edition: Int64
  /// The number of the following transaction's changes that the index shows.
  var changesOfNext = 0
  /// The last transaction that values in the index may come from.
  var newest: SeenTransaction
  /// The things that decide what is in the index.
  let contents: IndexContents
  /// The last object that a re-indexing has put into the index; nil if the index is complete.
  var cursor: IndexCursor?

  /// The place as a token of the history.
  public var token: PersistentHistoryToken { PersistentHistoryToken([storeID: transactionNumber]) }
  /// A re-indexing has begun that is not at its end.
  public var isReindexing: Bool { cursor != nil }

  init(
    storeID: String, at newest: SeenTransaction, edition: Int64, contents: IndexContents,
    cursor: IndexCursor
  ) {
    self.storeID = storeID
    transactionNumber = newest.number
    self.edition = edition
    self.newest = newest
    self.contents = contents
    self.cursor = cursor
  }
}

/// A transaction, and its moment by which it differs from one of the same number in another copy of the store.
struct SeenTransaction: Hashable, Sendable, Codable {
  let number: Int64
  /// The bits of the seconds, which no encoder rounds; nil if the history does not have the transaction any more.
  let moment: UInt64?
}

/// The things that decide what is in an index.
struct IndexContents: Hashable, Sendable, Codable {
  /// The names of the entities, in their order, each with its subentities.
  let entities: [String]
  /// The program's number for its way to make attributes.
  let version: Int
  /// A digest of the model's version of these entities, and of the followed properties with theirs. A migration changes
  /// values without a transaction.
  let digest: UInt64
}

/// The last object that a re-indexing has put into the index.
struct IndexCursor: Hashable, Sendable, Codable {
  let entity: String
  /// The primary key of the object; 0 before the first one.
  var key: Int64
}
