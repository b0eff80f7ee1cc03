// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesDAL
import SporadesModel

/// Cleanings of a service's history that start by themselves. They end when this is cancelled or released.
public final class HistoryCleaning: Sendable {
  /// How often a history is cleaned. Nothing is cleaned while nobody commits.
  public enum Pace: Hashable, Sendable {
    /// At each commit that is the last of so many, at least one. Commits that follow each other fast may count as one.
    case commits(Int)
    /// At the first commit, and then at a commit at least so long after the last cleaning.
    case interval(Duration)
  }

  private let task: Task<Void, Never>

  init(
    of service: DALService, _ signal: CommitSignal, _ pace: Pace, _ retention: HistoryRetention
  ) {
    task = Task { [weak service, known = signal.commits] in
      var rhythm = Rhythm(pace, known: known)
      while let commits = await signal.wait(beyond: rhythm.known), !Task.isCancelled {
        guard rhythm.isDue(at: commits) else { continue }
        guard let workers = service?.readWorkers else { return }
        await withCheckedContinuation { continuation in
          workers.run {
            // `try?`, because the service has reported the error.
            _ = try? service?.cleanHistory(keeping: retention)
            continuation.resume()
          }
        }
      }
    }
  }

  deinit { task.cancel() }

  /// Ends the cleanings. One that runs comes to its end.
  public func cancel() { task.cancel() }

  /// Counts commits and time.
  private struct Rhythm {
    private let pace: Pace
    /// The number of commits so far.
    private(set) var known: Int
    /// The number of commits at the last cleaning.
    private var cleaned: Int
    private var moment: ContinuousClock.Instant?

    init(_ pace: Pace, known: Int) {
      self.pace = pace
      self.known = known
      cleaned = known
    }

    /// Notes commits. Returns true if they ask for a cleaning.
    mutating func isDue(at commits: Int) -> Bool {
      known = commits
      switch pace {
      case .commits(let count):
        guard commits - cleaned >= max(1, count) else { return false }
        cleaned = commits
      case .interval(let interval):
        let now = ContinuousClock.now
        if let moment, now - moment < interval { return false }
        moment = now
      }
      return true
    }
  }
}
