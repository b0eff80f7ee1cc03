// SPDX-License-Identifier: MIT
public import Dispatch
public import FoundationEssentials
import SporadesChain
import SporadesGraph
import SporadesModel
public import SporadesStore

/// How busy a service is.
public struct ServiceMetrics: Hashable, Sendable {
  /// Writes that wait for their turn or run.
  public var writesQueued: Int
  /// Writes that wait until there is room among those that wait for their turn.
  public var writesWaitingForRoom: Int
  /// The largest number of writes that were queued at once.
  public var mostWritesQueued: Int
  /// The commits of the service's store so far, and the rows that wait for the next one.
  public var commits: CommitMetrics
  /// How the work goes that the store does beside requests. Look here where a store takes more and more
  /// room on the disk.
  public var upkeep: StoreUpkeep
}

extension DALService {
  /// How busy the service is at this moment.
  public var metrics: ServiceMetrics {
    let (queued, waiting, most) = gate.numbers
    // A service without a store commits nothing, and has no upkeep.
    let stack = try? opening.get()
    return ServiceMetrics(
      writesQueued: queued, writesWaitingForRoom: waiting, mostWritesQueued: most,
      commits: stack?.root.metrics ?? CommitMetrics(),
      upkeep: stack?.store.upkeep ?? StoreUpkeep())
  }

  /// Waits until every write asked for so far has run and is on the disk, or the time is up.
  @discardableResult
  public func flush(within time: Duration = .seconds(10)) -> FlushReport {
    requireOutside("flush()")
    return flusher.flush(deadline: .now + time)
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
      guard let error = stack.root.close() else { return status.withLock { $0.isShut = true } }
      result = .failure(DALError(error, during: .close))
      status.withLock { $0.isClosed = false }
    }
    // Not before: a signal that comes meanwhile must find the service, and wait for it.
    if case .success = result { options.reactor?.unregister(flusher) } else { gate.reopen() }
    try result.mapError { tell($0) }.get()
  }
}

extension DALService: Flushable {
  public var flushName: String { flusher.flushName }

  public func flush(deadline: ContinuousClock.Instant) -> FlushReport {
    requireOutside("flush()")
    return flusher.flush(deadline: deadline)
  }

  public func stopTakingWrites(until flushes: DispatchGroup) { gate.stop(until: flushes) }
  public func takeWritesAgain() { gate.goOn() }
}
