// SPDX-License-Identifier: MIT
import Dispatch
import SporadesDAL
import SporadesModel

/// A service whose flush returns a prepared report, at once or after ``releaseFlush()``.
final class ScriptedService: Flushable {
  let flushName: String
  private let answer: FlushReport
  private let gate: DispatchSemaphore?
  private let calls = Guarded(0)
  /// Yields each time a flush begins.
  let begun: AsyncStream<Void>
  private let begin: AsyncStream<Void>.Continuation

  init(_ name: String, _ answer: FlushReport = FlushReport(flushedCount: 1), waits: Bool = false) {
    flushName = name
    self.answer = answer
    gate = waits ? DispatchSemaphore(value: 0) : nil
    (begun, begin) = AsyncStream.makeStream(of: Void.self)
  }

  var flushCount: Int { calls.withLock { $0 } }

  /// Lets the waiting flush and every later one return.
  func releaseFlush() { gate?.signal() }

  func flush(deadline: ContinuousClock.Instant) -> FlushReport {
    calls.withLock { $0 += 1 }
    begin.yield()
    gate?.wait()
    gate?.signal()
    return answer
  }

  func hasBegun() async {
    for await _ in begun { return }
  }
}
