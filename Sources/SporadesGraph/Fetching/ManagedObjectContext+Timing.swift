// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

extension ManagedObjectContext {
  /// Runs a fetch or question within its time, and reports it if it was slow.
  func timed<Output>(
    _ request: FetchRequest, _ question: @autoclosure () -> ExplainedQuestion,
    rows: (Output) -> Int, _ body: () throws -> Output
  ) throws -> Output {
    try Cancellation.check()
    let timeout = request.timeout ?? fetchTimeout
    guard timeout != nil || FetchWatch.threshold != nil else { return try body() }
    let start = ContinuousClock.now
    let output =
      if let timeout {
        try Cancellation(after: timeout).run {
          // A small answer is there before the store looks for the first time.
          try Cancellation.check()
          return try body()
        }
      } else {
        try body()
      }
    reportIfSlow(request, question(), took: ContinuousClock.now - start, rows: rows(output))
    return output
  }

  /// Tells of a fetch or question that took longer than the threshold.
  func reportIfSlow(
    _ request: FetchRequest, _ question: @autoclosure () -> ExplainedQuestion,
    took duration: Duration, rows: @autoclosure () -> Int
  ) {
    guard let slowness = FetchWatch.threshold, duration > slowness else { return }
    FetchWatch.tell(
      WatchedFetch(
        request: request, question: question(), duration: duration, rows: rows()), in: self)
  }
}
