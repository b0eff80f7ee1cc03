// SPDX-License-Identifier: MIT
import SporadesModel

/// The rows of the cache as one state shows them.
struct SharedRows {
  let cache: RowCache
  /// The number of the state.
  let number: Int

  /// Appends the rows with the keys, in the order of the keys. Returns the indexes of the keys without a row.
  func take(_ keys: [RowKey], into builder: inout RowPageBuilder) -> [Int] {
    cache.take(keys, in: number, into: &builder)
  }

  /// Keeps rows of the state. Returns the number of rows that the cache had; nil if the state is no longer the newest.
  @discardableResult
  func keep(_ pages: [RowPage]) -> Int? { cache.keep(pages, from: number) }
}
