// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel

/// One flush of several services at the same time, with one deadline.
///
/// Each service flushes on a separate thread, so a service that hangs does not delay the others. The report
/// names each service that has not answered when the time is up or the round is cut short. The round ignores a
/// later answer.
final class FlushRound: Sendable {
  let deadline: ContinuousClock.Instant
  /// Entered until ``releaseRefused()``. The callers of refused writes wait for it.
  private let refused = DispatchGroup()
  private let answers = Guarded(Answers())
  private let isAnswered = DispatchSemaphore(value: 0)

  private struct Answers {
    /// The names of the services by their places, because two services may have one name.
    var waiting: [Int: String] = [:]
    var report = FlushReport()
    var isOver = false

    var summary: FlushReport {
      var summary = report
      summary.unansweredServices += waiting.inOrder.map(\.value)
      return summary
    }
  }

  init(deadline: ContinuousClock.Instant) {
    self.deadline = deadline
  }

  /// Flushes the services and returns the report. With `isLast`, each service first refuses later writes. The
  /// callers of refused writes wait for ``releaseRefused()``, which must follow once.
  func run(
    _ services: [any Flushable], before hook: (@Sendable () -> Void)?, isLast: Bool
  ) -> FlushReport {
    if let hook { callInTime(hook) }
    // The names are read here because a service that hangs may never return its name.
    let names = Dictionary(uniqueKeysWithValues: services.enumerated().map { ($0, $1.flushName) })
    answers.withLock { $0.waiting = names }
    if isLast { refused.enter() }
    for (place, service) in services.enumerated() {
      startOnOwnThread {
        if isLast { service.stopTakingWrites(until: self.refused) }
        self.recordAnswer(service.flush(deadline: self.deadline), from: place)
      }
    }
    // The report names the services that the wait did not last for.
    if !services.isEmpty { _ = isAnswered.wait(timeout: deadline.dispatchTime) }
    return close()
  }

  /// Releases the callers whose writes were refused.
  func releaseRefused() { refused.leave() }

  /// Ends the wait. The report names the services that have not answered.
  func cutShort() {
    answers.withLock { $0.isOver = true }
    isAnswered.signal()
  }

  /// The report of the answers so far.
  var reportSoFar: FlushReport { answers.withLock { $0.summary } }

  private func recordAnswer(_ report: FlushReport, from place: Int) {
    let isLast = answers.withLock { answers in
      guard !answers.isOver else { return false }
      answers.report.merge(report)
      answers.waiting[place] = nil
      return answers.waiting.isEmpty
    }
    if isLast { isAnswered.signal() }
  }

  private func close() -> FlushReport {
    answers.withLock { answers in
      answers.isOver = true
      return answers.summary
    }
  }

  private func callInTime(_ hook: @escaping @Sendable () -> Void) {
    let isCalled = DispatchSemaphore(value: 0)
    startOnOwnThread {
      hook()
      isCalled.signal()
    }
    let now = ContinuousClock.now
    let bound = now + now.duration(to: deadline) / 2
    if isCalled.wait(timeout: bound.dispatchTime) == .timedOut {
      answers.withLock {
        $0.report.errors.append("The hook before the flush did not return in time.")
      }
    }
  }

  /// Each block gets a private queue, because the work that has to be flushed may block all threads of the
  /// global queues.
  private func startOnOwnThread(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "sporades.flush", qos: .userInitiated).async(execute: body)
  }
}

extension ContinuousClock.Instant {
  /// The same moment on Dispatch's clock.
  var dispatchTime: DispatchTime {
    let (seconds, attoseconds) = ContinuousClock.now.duration(to: self).components
    guard seconds >= 0, attoseconds >= 0 else { return .now() }
    guard seconds < 1_000_000_000 else { return .distantFuture }
    return .now() + .nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }
}
