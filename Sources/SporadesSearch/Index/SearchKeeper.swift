// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// Keeps the search indexes of a store that is no file.
package protocol SearchKeeper: Sendable {
  /// Makes what is missing, and indexes what is noted.
  func prepare() throws(StoreError)
  /// Makes all indexes anew. `progress` gets the part that is done.
  func rebuild(_ progress: (Double) throws -> Void) throws(StoreError)
  /// Compares the indexes with the rows.
  func problems() throws(StoreError) -> [String]
  /// Removes the indexes with all their tables and triggers.
  func remove() throws(StoreError)
  /// The words of texts that begin with a text, those in most rows first.
  func suggestions(
    for beginning: String, in entity: EntityShape, limit: Int
  ) throws(StoreError) -> [String]
  /// The numbers by which a search is ranked; nil if the index does not know all rows.
  func statistics(of search: UnderstoodSearch) throws(StoreError) -> SearchStatistics?
}

extension PersistentStore {
  /// Keeps the store's indexes; nil for a file, which does that itself, and for a store without.
  var searchKeeper: (any SearchKeeper)? {
    (self as? any CompanionedStore)?.tableKeeper as? any SearchKeeper
  }
}
