// SPDX-License-Identifier: MIT
import Dispatch
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore

/// The part of a service that makes its writes durable, for the reactor.
///
/// A service commits its last writes in its deinitializer, where no weak reference can reach it. The reactor
/// still reaches the flusher then, and waits for the commit.
final class ServiceFlusher: Flushable {
  private let stack: DataStack?
  private let gate: WriterGate
  private let status: Guarded<ServiceStatus>
  private let name = Guarded("")

  init(_ stack: DataStack?, _ gate: WriterGate, _ status: Guarded<ServiceStatus>) {
    self.stack = stack
    self.gate = gate
    self.status = status
  }

  var flushName: String { name.withLock { $0 } }
  func rename(_ name: String) { self.name.withLock { $0 = name } }

  func stopTakingWrites(until flushes: DispatchGroup) { gate.stop(until: flushes) }
  func takeWritesAgain() { gate.resume() }

  func flush(deadline: ContinuousClock.Instant) -> FlushReport {
    guard let stack, !status.withLock(\.isShut) else { return FlushReport() }
    let before = stack.root.metrics.rowsCommitted
    let outcome = Guarded<(isDone: Bool, failure: StoreError?, lost: [LostWrite])>((false, nil, []))
    let done = DispatchSemaphore(value: 0)
    gate.whenDrained { [status] in
      if status.withLock(\.isShut) {
        outcome.withLock { $0.isDone = true }
      } else {
        let (failure, lost) = stack.root.commitReturningLosses(.immediate)
        outcome.withLock { $0 = (true, failure, lost) }
      }
      done.signal()
    }
    let seconds = max(0, (deadline - ContinuousClock.now) / .seconds(1))
    // `isDone` tells whether the wait timed out.
    _ = done.wait(timeout: .now() + seconds)
    let (isDone, failure, lost) = outcome.withLock { $0 }
    let metrics = stack.root.metrics
    var report = FlushReport(flushedCount: metrics.rowsCommitted - before)
    if !isDone || failure != nil {
      report.lostCount = metrics.rowsWaiting + gate.queued
      report.lostObjects = stack.root.uncommittedObjects
    }
    for write in lost {
      report.lostCount += write.objects.count
      report.lostObjects += write.objects
      report.errors.append("\(write)")
    }
    if let failure { report.errors.append("\(failure)") }
    if !isDone { report.errors.append("\(flushName) did not finish in time.") }
    return report
  }
}
