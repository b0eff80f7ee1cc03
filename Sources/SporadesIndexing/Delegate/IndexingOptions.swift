// SPDX-License-Identifier: MIT

/// The settings of an ``IndexingDelegate``.
public struct IndexingOptions: Sendable {
  /// The largest number of objects in a batch, at least one. So many objects are in memory at a time.
  public var batchSize: Int
  /// The pause after a first failure. Each further one doubles it.
  public var shortestPause: Duration
  /// The longest pause between two attempts.
  public var longestPause: Duration
  /// Waits between two attempts. The wait ends when its task is cancelled.
  public var pause: @Sendable (Duration) async throws -> Void

  /// Makes the usual settings, but for those that are named.
  public init(
    batchSize: Int = 500, shortestPause: Duration = .seconds(1),
    longestPause: Duration = .seconds(300),
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.batchSize = batchSize
    self.shortestPause = shortestPause
    self.longestPause = longestPause
    self.pause = pause
  }
}
