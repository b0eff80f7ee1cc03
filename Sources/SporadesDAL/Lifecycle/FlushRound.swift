// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel

/// One flush of several services, all at once, inside one deadline.
///
/// Each service is asked on a thread of its own, so one that hangs costs the others nothing. What
/// has not answered when the time is up, or when the round is cut short, is reported by name; an
/// answer that comes later is ignored.
final class FlushRound: Sendable {
  let deadline: ContinuousClock.Instant
  /// Entered until those whom services refused a write may hear of it.
  private let refused = DispatchGroup()
  private let answers = Guarded(Answers())
  private let isAnswered = DispatchSemaphore(value: 0)

  private struct Answers {
    /// Names by place, so that two services of one name are two.
    var waiting: [Int: String] = [:]
    var report = FlushReport()
    var isOver = false

    var summary: FlushReport {
      var summary = report
      summary.unansweredServices += waiting.sorted { $0.key < $1.key }.map(\.value)
      return summary
    }
  }

  init(deadline: ContinuousClock.Instant) {
    self.deadline = deadline
  }

  /// With `isLast`, services are told first to take no more writes. Those they refuse wait for
  /// ``letGo()``, which is called once then.
  func run(
    _ services: [any Flushable], before hook: (@Sendable () -> Void)?, isLast: Bool
  ) -> FlushReport {
    if let hook { callInTime(hook) }
    // Names are asked for here because a service that hangs must not be asked for anything later.
    let names = Dictionary(uniqueKeysWithValues: services.enumerated().map { ($0, $1.flushName) })
    answers.withLock { $0.waiting = names }
    if isLast { refused.enter() }
    for (place, service) in services.enumerated() {
      startOnOwnThread {
        if isLast { service.stopTakingWrites(until: self.refused) }
        self.took(service.flush(deadline: self.deadline), from: place)
      }
    }
    if !services.isEmpty { _ = isAnswered.wait(timeout: deadline.dispatchTime) }
    return close()
  }

  /// Lets those go on whose writes were refused.
  func letGo() { refused.leave() }

  /// Ends the wait: what has not answered by now is reported as such.
  func cutShort() {
    answers.withLock { $0.isOver = true }
    isAnswered.signal()
  }

  /// What is known so far.
  var reportSoFar: FlushReport { answers.withLock { $0.summary } }

  private func took(_ report: FlushReport, from place: Int) {
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

  /// A private queue per block, because the global queues have few threads and all of them may be
  /// blocked by the very work that has to be flushed.
  private func startOnOwnThread(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "sporades.flush", qos: .userInitiated).async(execute: body)
  }
}

extension ContinuousClock.Instant {
  /// The same moment for the functions of Dispatch.
  var dispatchTime: DispatchTime {
    let (seconds, attoseconds) = ContinuousClock.now.duration(to: self).components
    guard seconds >= 0, attoseconds >= 0 else { return .now() }
    guard seconds < 1_000_000_000 else { return .distantFuture }
    return .now() + .nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }
}
