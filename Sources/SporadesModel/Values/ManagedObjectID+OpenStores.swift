// SPDX-License-Identifier: MIT

extension ManagedObjectID {
  /// Finds the id of a URI such as `x-coredata://STORE/Entity/p12` among the stores that this process has opened.
  /// The result is nil for a temporary id, and where no stack or several stacks have the store.
  init?(ofOpenStore uri: String) {
    let prefix = "x-coredata://"
    guard uri.hasPrefix(prefix) else { return nil }
    let parts = uri.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].first == "p", let primaryKey = Int64(parts[2].dropFirst()),
      (1...RowKey.largestPrimaryKey).contains(primaryKey)
    else { return nil }
    let places = StoreScope.places(ofStore: String(parts[0]), entity: String(parts[1]))
    guard places.count == 1, let place = places.first else { return nil }
    self.init(
      key: RowKey(entity: place.entity, primaryKey: primaryKey, store: place.store),
      scope: place.scope)
  }
}
