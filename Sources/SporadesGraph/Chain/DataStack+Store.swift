// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel
public import SporadesStore

// What a stack knows of its store, in Core Data's words a coordinator.
extension DataStack {
  /// The entries kept with the rows: Core Data's keys, and those of the application.
  public var metadata: [String: MetadataValue] {
    get throws(StoreError) { try store.metadata() }
  }

  /// Replaces the metadata. Read it first and change what is yours: the entries of the model's
  /// version decide whether a store can be opened.
  public func setMetadata(_ metadata: [String: MetadataValue]) throws(StoreError) {
    try store.setMetadata(metadata)
  }

  /// The id that `uriRepresentation()` made, in this process or another; nil where the URI is of
  /// another store or none of an object's. Whether the row exists is not asked.
  public func managedObjectID(forURIRepresentation url: URL) -> ManagedObjectID? {
    let prefix = "x-coredata://"
    guard url.absoluteString.hasPrefix(prefix) else { return nil }
    let parts = url.absoluteString.dropFirst(prefix.count)
      .split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].uppercased() == store.identifier.uppercased(),
      let shape = model.shape(named: String(parts[1])), parts[2].first == "p",
      let number = Int64(parts[2].dropFirst()), (1...RowKey.largestPrimaryKey).contains(number)
    else { return nil }
    return ManagedObjectID(
      key: RowKey(entity: shape.number, primaryKey: number), scope: bound.scope)
  }
}
