// SPDX-License-Identifier: MIT
import CSQLite
import SporadesStore

/// Limits the steps that one request may take in SQLite's virtual machine, so that every request ends.
///
/// SQLite calls the handler every twenty thousand steps, which is every tenth of a millisecond, and some ten milliseconds
/// where each row matches a pattern. The calls cost nothing measurable. The handler also stops a request whose ``Cancellation`` is due.
@safe
final class StepLimit {
  /// The number of steps between two calls of the handler.
  static let stride = 20_000
  /// One or two minutes. No request of a known program takes nearly as long.
  static let usual = 10_000_000_000

  /// The number of calls that the request has left.
  private let left: UnsafeMutablePointer<Int>
  private var allowance: Int
  /// The handler asks it whether to end the request early.
  var isCancelled: (() -> Bool)?

  /// A number of 0 sets no limit.
  init(_ handle: OpaquePointer, steps: Int) {
    allowance = Self.questions(steps)
    unsafe left = .allocate(capacity: 1)
    unsafe left.initialize(to: allowance)
    unsafe sqlite3_progress_handler(
      handle, Int32(Self.stride),
      { limit in
        guard let limit = unsafe limit else { return 0 }
        let ends = unsafe Unmanaged<StepLimit>.fromOpaque(limit).takeUnretainedValue().look()
        return ends ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Counts a call of the handler; true ends the request.
  private func look() -> Bool {
    unsafe left.pointee -= 1
    if unsafe left.pointee < 0 { return true }
    return isCancelled?() == true || Cancellation.current?.isDue == true
  }

  /// The connection closed its handle earlier, so SQLite calls no handler any more.
  deinit { unsafe left.deallocate() }

  private static func questions(_ steps: Int) -> Int {
    steps == 0 ? .max : max(1, steps / stride)
  }

  /// Grants a new request all its steps.
  @inline(__always)
  func renew() { unsafe left.pointee = allowance }

  /// Changes the number of steps for this and later requests.
  func allow(_ steps: Int) {
    allowance = Self.questions(steps)
    renew()
  }
}
