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
final class ServiceFlusher: ExitObserver {
  private let stack: DataStack?
  private let gate: WriterGate
  private let status: Guarded<ServiceStatus>
  private let openWrites: OpenWrites
  private let name = Guarded("")
  private let drain = Guarded(Drain())

  /// The steps that wait for the end of all admitted writes.
  private struct Drain {
    /// The process ends inside a write's block, so that write never ends.
    var isUnending = false
    var waiting: [Int: @Sendable () -> Void] = [:]
    var lastNumber = 0
  }

  init(
    _ stack: DataStack?, _ gate: WriterGate, _ status: Guarded<ServiceStatus>,
    _ openWrites: OpenWrites
  ) {
    self.stack = stack
    self.gate = gate
    self.status = status
    self.openWrites = openWrites
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
    whenDrained { [status] in
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
    if !isDone || failure != nil || drain.withLock(\.isUnending) {
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

  // MARK: - An exit inside a write

  /// Notes that the calling thread ends the process, perhaps inside the block of a write. That write can not
  /// end, so flushes wait no longer for it, nor for the writes behind it.
  func noteExit() {
    guard let write = openWrites.outermost else { return }
    writeToStandardError(
      write.isAccepted
        ? "Sporades: exit() was called in a hook at the end of a write of \(flushName). That write is saved, and is "
          + "committed with earlier ones. Call exit() after the write.\n"
        : "Sporades: exit() was called inside a write block of \(flushName). That write is discarded, and earlier "
          + "ones are committed. Call exit() after the block, or throw an error to leave it.\n")
    let waiting = drain.withLock { drain in
      defer { drain.waiting = [:] }
      drain.isUnending = true
      return drain.waiting.values
    }
    for step in waiting { startStep(step) }
  }

  /// Calls `step` once: after all admitted writes, or at once if one of them can not end.
  private func whenDrained(_ step: @escaping @Sendable () -> Void) {
    let number = drain.withLock { drain -> Int? in
      guard !drain.isUnending else { return nil }
      drain.lastNumber += 1
      drain.waiting[drain.lastNumber] = step
      return drain.lastNumber
    }
    guard let number else { return startStep(step) }
    gate.whenDrained { [drain] in drain.withLock { $0.waiting.removeValue(forKey: number) }?() }
  }

  /// Runs the step on a separate thread, because the caller waits no longer than its deadline.
  private func startStep(_ step: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "sporades.flush", qos: .userInitiated).async(execute: step)
  }
}
