// SPDX-License-Identifier: MIT
import Dispatch
public import FoundationEssentials
import SporadesGraph
import SporadesModel
import SporadesStore

/// How busy a service is.
public struct ServiceMetrics: Hashable, Sendable {
  /// Writes that wait for their turn or run.
  public var writesQueued: Int
  public var commits: CommitMetrics
}

extension DALService {
  public var metrics: ServiceMetrics {
    let commits = (try? opening.get())?.root.metrics ?? CommitMetrics()
    return ServiceMetrics(writesQueued: gate.queued, commits: commits)
  }

  /// Waits until every write asked for so far has run and is on the disk, or the time is up.
  @discardableResult
  public func flush(within time: Duration = .seconds(10)) -> FlushReport {
    requireOutside("flush()")
    return drain(until: .now + time)
  }

  /// Removes all objects of the service's own store, after the writes asked for so far.
  ///
  /// With `copy`, the store is copied there first. Objects that are still held become faults
  /// without a row, and every context begins anew.
  public func reset(keepingCopyAt copy: URL? = nil) throws(DALError) {
    requireOutside("reset()")
    var result: Result<Void, DALError> = .success(())
    gate.passAlone {
      result = Result {
        try stack(for: .reset).root.removeAllRows(keepingCopyAt: copy?.path)
      }.mapError { DALError($0, during: .reset) }
    }
    try result.mapError { tell($0) }.get()
  }

  /// Runs the writes asked for so far, commits what was accepted and gives up the store. Reads and
  /// writes fail from then on. Where the commit fails, the service stays as it was.
  public func close() throws(DALError) {
    requireOutside("close()")
    guard gate.close(), case .success(let stack) = opening else { return }
    var result: Result<Void, DALError> = .success(())
    gate.passAlone {
      status.withLock { $0.isClosed = true }
      guard let error = stack.root.close() else { return }
      result = .failure(DALError(error, during: .close))
      status.withLock { $0.isClosed = false }
    }
    if case .success = result { options.reactor?.unregister(self) } else { gate.reopen() }
    try result.mapError { tell($0) }.get()
  }

  // MARK: - Draining

  private func drain(until deadline: ContinuousClock.Instant) -> FlushReport {
    guard case .success(let stack) = opening, !status.withLock(\.isClosed) else {
      return FlushReport()
    }
    let before = stack.root.metrics.rowsCommitted
    let outcome = Guarded<(isDone: Bool, failure: StoreError?)>((false, nil))
    let done = DispatchSemaphore(value: 0)
    gate.whenDrained {
      let failure = stack.root.commit(.immediate)
      outcome.withLock { $0 = (true, failure) }
      done.signal()
    }
    let seconds = max(0, (deadline - ContinuousClock.now) / .seconds(1))
    _ = done.wait(timeout: .now() + seconds)
    let (isDone, failure) = outcome.withLock { $0 }
    let metrics = stack.root.metrics
    var report = FlushReport(flushedCount: metrics.rowsCommitted - before)
    if !isDone || failure != nil {
      report.lostCount = metrics.rowsWaiting + gate.queued
      report.lostObjects = stack.root.uncommittedObjects
    }
    if let failure { report.errors.append("\(failure)") }
    if !isDone { report.errors.append("\(flushName) did not finish in time.") }
    return report
  }
}

extension DALService: Flushable {
  public var flushName: String { "\(type(of: self))" }

  /// Called when the process is told to stop: writes asked for from now on are refused, so that
  /// none is acknowledged and then lost. Where the process goes on, they are taken again.
  public func flush(deadline: ContinuousClock.Instant) -> FlushReport {
    gate.stop()
    let report = drain(until: deadline)
    if options.reactor?.configuration.afterFlush == .stay { gate.goOn() }
    return report
  }
}
