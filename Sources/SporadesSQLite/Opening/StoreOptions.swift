// SPDX-License-Identifier: MIT

import FoundationEssentials
import SporadesStore

/// How a SQLite store is opened.
public struct SQLiteStoreOptions: Hashable, Sendable {
  /// Makes the file where there is none.
  public var createsFile = true
  /// Opens the store for reading alone; every request that writes throws.
  public var isReadOnly = false
  /// The configuration of the model whose entities alone the store holds; nil for all entities.
  public var configuration: String?
  /// How long a request waits for another process before it throws `StoreError` `busy`.
  public var busyMilliseconds = 5_000
  /// SQLite's page cache, per connection. One that reads little keeps to half a megabyte.
  public var cacheKilobytes = 16_384
  /// How much of the file is mapped into memory; 0 maps nothing.
  public var mappedBytes = 0
  /// Connections that read at the same time.
  public var readerCount = 4
  /// Frames in the write-ahead log from which on it is moved into the database.
  public var checkpointFrames = 1_000
  /// Deleted content is overwritten, not only forgotten.
  public var overwritesDeletedContent = false
  /// The steps of SQLite's machine after which one request fails with `StoreError` `interrupted`: one
  /// fetch, one save, one commit. A second is some hundred million steps. The default is ten thousand million; 0 sets no bound.
  ///
  /// It ends what would never end by itself, as a trigger in a file that somebody made for this.
  public var stepLimit = StepLimit.usual
  /// Refuses a file that another model wrote. Without, columns that are missing count as an error.
  public var checksModel = true
  /// The identifier of a store that is made; a new one where there is none.
  package var identifier: String?
  /// Makes SQLite refuse rows and values of more bytes; nil leaves its own limit, a thousand million.
  package var largestRow: Int32?

  /// The options of a store that is made where there is none, and written.
  public init() {}
}

extension SQLiteStoreOptions {
  /// Throws where a number is one that SQLite has no room for.
  func check() throws(StoreError) {
    let largest = Int(Int32.max)
    let bounds = [
      ("busyMilliseconds", busyMilliseconds, largest), ("cacheKilobytes", cacheKilobytes, largest),
      ("mappedBytes", mappedBytes, .max), ("readerCount", readerCount, 1_000),
      ("checkpointFrames", checkpointFrames, largest), ("stepLimit", stepLimit, .max),
    ]
    for (name, number, bound) in bounds where !(0...bound ~= number) {
      throw StoreError(
        .unsupported, "The option \(name) is \(number); give it a number from 0 to \(bound).")
    }
    if let identifier, UUID(uuidString: identifier) == nil {
      throw StoreError(
        .unsupported,
        "A file names its store by a UUID, which \(identifier) is not. Give the store one first.")
    }
  }
}
