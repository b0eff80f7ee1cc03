// SPDX-License-Identifier: MIT
package import SporadesStore

/// Tells a program how far the making of one of several indexes went. The program ends the work by an error.
package struct IndexProgress {
  private let body: (Double) throws -> Void
  private let done: Int
  private let count: Int
  private let lastKey: Int64

  /// `body` gets the part that is done, from 0 to 1. `lastKey` is the largest key of the index's rows.
  package init(
    _ body: @escaping (Double) throws -> Void, done: Int, of count: Int, lastKey: Int64
  ) {
    (self.body, self.done, self.count, self.lastKey) = (body, done, count, lastKey)
  }

  /// The rows up to a key are indexed.
  package func tell(_ key: Int64) throws(StoreError) {
    let part = lastKey > 0 ? min(max(Double(key) / Double(lastKey), 0), 1) : 1
    do { try body((Double(done) + part) / Double(count)) } catch {
      throw StoreError(.cancelled, "The making of the search index was ended.", underlying: error)
    }
  }
}
