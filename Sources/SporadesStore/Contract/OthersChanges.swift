// SPDX-License-Identifier: MIT
public import SporadesModel

/// The changes that other processes committed to a store since a place in its history.
public struct OthersChanges: Hashable, Sendable {
  /// The ids of the objects that they inserted, changed and deleted, and of the owners of changed links.
  public var ids: Set<ManagedObjectID> = []
  /// The ids of the objects that they inserted, which are among the others.
  public var inserted: Set<ManagedObjectID> = []
  /// The numbers of their transactions.
  public var transactions: Set<Int64> = []
  /// The number of the last transaction that this tells of.
  public var last: Int64

  /// Tells of nothing up to a transaction.
  public init(last: Int64) { self.last = last }

  /// With more rows, it costs less to read again what is in memory.
  package static let mostIDs = 10_000

  /// Adds a change of an object.
  package mutating func add(_ id: ManagedObjectID, isInserted: Bool) {
    ids.insert(id)
    if isInserted { inserted.insert(id) }
  }
}
