// SPDX-License-Identifier: MIT

/// How a SQLite store is opened.
public struct SQLiteStoreOptions: Hashable, Sendable {
  /// Makes the file where there is none.
  public var createsFile = true
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
  /// Refuses a file that another model wrote. Without, columns that are missing count as an error.
  public var checksModel = true
  /// The identifier of a store that is made; a new one where there is none.
  package var identifier: String?
  /// Makes SQLite refuse rows and values of more bytes; nil leaves its own limit, a thousand million.
  package var largestRow: Int32?

  public init() {}
}
