// SPDX-License-Identifier: MIT
public import Dispatch
public import FoundationEssentials
import SporadesChain
import SporadesGraph
import SporadesModel
public import SporadesStore

/// Counts of a service's writes and commits, and the failures of its store's upkeep.
public struct ServiceMetrics: Hashable, Sendable {
  /// The number of writes that run or wait for earlier writes.
  public var writesQueued: Int
  /// The number of writes that wait because ``DALService/Options/pendingWriteLimit`` is reached.
  public var writesWaitingForRoom: Int
  /// The largest number of writes that were queued at once.
  public var mostWritesQueued: Int
  /// The counts of saves and commits.
  public var commits: CommitMetrics
  /// The failures of the store's upkeep. Look here if a store takes more and more room on the disk.
  public var upkeep: StoreUpkeep
}

extension DALService {
  /// The counts of the service now.
  public var metrics: ServiceMetrics {
    let (queued, waiting, most) = gate.numbers
    // A service without a store commits nothing and has no upkeep.
    let stack = opening.stack
    return ServiceMetrics(
      writesQueued: queued, writesWaitingForRoom: waiting, mostWritesQueued: most,
      commits: stack?.root.metrics ?? CommitMetrics(),
      upkeep: stack?.store.upkeep ?? StoreUpkeep())
  }

  /// Blocks until all earlier writes have run and are on the disk, or until the time is up.
  @discardableResult
  public func flush(within time: Duration = .seconds(10)) -> FlushReport {
    requireOutside("flush()")
    return flusher.flush(deadline: .now + time)
  }

  /// Removes all objects of the service's own store, after all earlier writes.
  ///
  /// With `copy`, the service first copies the store there. Every context forgets its objects. An object that
  /// the program still holds becomes a fault without a row.
  public func reset(keepingCopyAt copy: URL? = nil) throws(DALError) {
    requireOutside("reset()")
    do throws(DALError) {
      var result: Result<Void, DALError> = .success(())
      try gate.passAlone(during: .reset) {
        result = Result {
          try stack(for: .reset).root.removeAllRows(keepingCopyAt: copy?.storePath)
        }.mapError { DALError($0, during: .reset) }
      }
      try result.get()
    } catch { throw reportHere(error) }
  }

  /// Runs all earlier writes, commits them and closes the store. Later reads and writes fail. If the commit
  /// fails, the service stays open.
  public func close() throws(DALError) {
    requireOutside("close()")
    guard gate.close(), let stack = opening.stack else { return }
    var result: Result<Void, DALError> = .success(())
    do throws(DALError) {
      try gate.passAlone(during: .close) {
        status.withLock { $0.isClosed = true }
        guard let error = stack.root.close() else { return status.withLock { $0.isShut = true } }
        result = .failure(DALError(error, during: .close))
        status.withLock { ($0.isClosed, $0.hasFailedToClose) = (false, true) }
      }
    } catch { result = .failure(error) }
    // The service leaves the reactor last, so that a signal during the commit waits for it.
    if case .success = result {
      stack.hintAtUnsavedMain()
      if let path = stack.store.path { ServicePlaces.forget(path, of: self) }
      live.withLock(\.self)?.end()
      options.reactor?.unregister(flusher)
    } else {
      gate.reopen()
    }
    try result.mapError { reportHere($0) }.get()
  }
}

extension DALService: Flushable {
  /// The name of the service's class.
  public var flushName: String { flusher.flushName }

  /// Blocks until all earlier writes have run and are on the disk, or until the deadline.
  public func flush(deadline: ContinuousClock.Instant) -> FlushReport {
    requireOutside("flush()")
    return flusher.flush(deadline: deadline)
  }

  /// Refuses all later writes. The callers get the error when every member has left `flushes`.
  public func stopTakingWrites(until flushes: DispatchGroup) { gate.stop(until: flushes) }
  /// Accepts writes again.
  public func takeWritesAgain() { gate.resume() }
}
