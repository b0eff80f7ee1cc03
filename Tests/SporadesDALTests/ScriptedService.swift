// SPDX-License-Identifier: MIT
import Dispatch
import SporadesDAL
import SporadesModel

/// A service whose flush gives a prepared answer, at once or when it is let go.
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

  /// Lets this flush answer, and every later one.
  func letGo() { gate?.signal() }

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
