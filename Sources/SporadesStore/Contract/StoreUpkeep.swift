// SPDX-License-Identifier: MIT

/// The state of a store's background tasks. A store whose task fails still answers and keeps all rows, but takes
/// more and more room on the disk.
public struct StoreUpkeep: Hashable, Sendable {
  /// A task that the store starts by itself, and for which no request waits.
  public enum Task: String, Hashable, Sendable {
    /// The store moves its log into the database. The log grows while this fails.
    case movingLog
    /// The store removes the files of large values that no row names. The files stay while this fails.
    case removingFiles
    /// The store asks whether other processes have committed. Contexts hear of such commits late while this fails.
    case hearingOthers
  }

  /// The failure of a task in the store's last attempt.
  public struct Failure: Hashable, Sendable {
    /// The number of failures since the task last succeeded.
    public var times: Int
    /// The last failure, in a sentence for people and logs.
    public var reason: String

    /// Describes a task that failed so many times in a row, and the last reason.
    public init(times: Int, reason: String) {
      self.times = times
      self.reason = reason
    }
  }

  /// The tasks that fail. A task that succeeds again leaves the list.
  public private(set) var failures: [Task: Failure] = [:]

  /// Makes the state of a store without failures.
  public init() {}

  /// Records that a task succeeded.
  public mutating func noteSuccess(of task: Task) { failures[task] = nil }

  /// Records a failure. Skips a busy store, whose next attempt may succeed, and a moved or closed store, whose next
  /// request throws the same error.
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
