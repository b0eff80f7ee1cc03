// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesDAL
import SporadesGraph

/// The attempts of a run to bring an index forward, and the waits between them.
struct IndexingAttempts {
  /// The wait before the next attempt.
  enum Rest {
    case none
    /// Until there are more commits than a number.
    case commit(beyond: Int, CommitSignal)
    case pause(Duration)
  }

  private let run: IndexingRun
  private let indexer: Indexer
  private let options: IndexingOptions
  private var pause: Duration

  init(_ run: IndexingRun, _ indexer: Indexer, _ options: IndexingOptions) {
    self.run = run
    self.indexer = indexer
    self.options = options
    pause = options.shortestPause
  }

  /// Brings the index a batch forward. Returns nil at the end of the run.
  mutating func work(for delegate: IndexingDelegate?) async -> Rest? {
    guard !run.isStopped, let stack = indexer.service.openStack, let delegate else { return nil }
    let signal = stack.root.commitSignal
    // The number is read before the history, so that a commit in between is not waited for.
    let known = signal.commits
    do {
      let isBehind = try await indexer.advance(delegate)
      pause = options.shortestPause
      return isBehind ? Rest.none : .commit(beyond: known, signal)
    } catch {
      return rest(after: error, delegate)
    }
  }

  private mutating func rest(after error: any Error, _ delegate: IndexingDelegate) -> Rest? {
    guard indexer.service.openStack != nil else { return nil }
    delegate.handleError(error.withoutService)
    defer { pause = min(pause * 2, max(options.longestPause, options.shortestPause)) }
    return .pause(pause)
  }

  /// Waits, unless the run is stopped.
  func wait(_ rest: Rest) async {
    let sleep = options.pause
    switch rest {
    case .none: break
    case .commit(let known, let signal):
      await run.wait { _ = await signal.wait(beyond: known) }
    case .pause(let pause):
      // `try?`, because a stop ends the pause with an error, and a pause that fails otherwise is over, too.
      await run.wait { try? await sleep(pause) }
    }
  }
}
