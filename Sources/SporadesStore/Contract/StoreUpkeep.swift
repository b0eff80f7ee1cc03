// SPDX-License-Identifier: MIT

/// How the work goes that a store does beside requests. A store that fails at it still answers and
/// keeps everything, and takes more and more room on the disk.
public struct StoreUpkeep: Hashable, Sendable {
  /// Work that nobody asked for and nobody waits for.
  public enum Task: String, Hashable, Sendable {
    /// The store moves its log into the database. The log grows while this fails.
    case movingLog
    /// The store removes the files of large values that no row names. The files stay while this fails.
    case removingFiles
  }

  /// A task that failed when the store last tried it.
  public struct Failure: Hashable, Sendable {
    /// The failures since the task last succeeded.
    public var times: Int
    /// The last failure, in a sentence for people and logs.
    public var reason: String

    public init(times: Int, reason: String) {
      self.times = times
      self.reason = reason
    }
  }

  /// The tasks that fail. A task that succeeds again leaves the list.
  public private(set) var failures: [Task: Failure] = [:]

  /// The upkeep of a store at which nothing fails.
  public init() {}

  /// Notes that a task was done.
  public mutating func noteSuccess(of task: Task) { failures[task] = nil }

  /// Notes a failure, unless others were only in the way, or a later request throws the same error.
  public mutating func note(_ error: StoreError, of task: Task) {
    switch error.code {
    case .busy, .moved, .closed: return
    default: add(Failure(times: 1, reason: error.description), of: task)
    }
  }

  /// Adds the failures of another store.
  public mutating func add(_ other: StoreUpkeep) {
    for (task, failure) in other.failures { add(failure, of: task) }
  }

  private mutating func add(_ failure: Failure, of task: Task) {
    let times = failures[task]?.times ?? 0
    failures[task] = Failure(times: times + failure.times, reason: failure.reason)
  }
}
