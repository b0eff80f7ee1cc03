// SPDX-License-Identifier: MIT

/// An index outside of the store that follows the store's objects: a search server, a file, a database of vectors.
///
/// An ``IndexingDelegate`` calls one function at a time.
///
/// ```swift
/// actor SearchFile: OutsideIndex {
///   func place() async throws -> IndexPlace? { try read()?.place }
///   func apply(_ batch: IndexBatch) async throws {
///     var page = try read() ?? Page()
///     for identifier in batch.removals { page.items[identifier] = nil }
///     for item in batch.items { page.items[item.identifier] = item }
///     if let edition = batch.removesEditionsBefore {
///       page.items = page.items.filter { $0.value.edition >= edition }
///     }
///     page.place = batch.place
///     try replaceFile(page)
///   }
///   func removeAll() async throws { try removeFile() }
/// }
/// ```
public protocol OutsideIndex: Sendable {
  /// Returns the place that the index keeps; nil for an empty index, and for one that has lost its place. The delegate then
  /// empties the index and fills it anew.
  func place() async throws -> IndexPlace?

  /// Takes a batch: its removals, its items, the removal of old editions, and its place.
  ///
  /// An index that takes all of it or nothing gets each change once. An index that cannot keeps the place last: after a kill
  /// it gets the batch again, and its items replace those with the same identifiers.
  func apply(_ batch: IndexBatch) async throws

  /// Removes all items and the place. An index that cannot do both at once removes the place first.
  func removeAll() async throws
}
