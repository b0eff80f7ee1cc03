// SPDX-License-Identifier: MIT
import CSQLite
import SporadesStore

/// Limits the steps that one request may take in SQLite's virtual machine, so that every request ends.
///
/// SQLite calls the handler every quarter million steps, which is every one or two milliseconds. The calls
/// therefore cost nothing measurable. The handler also stops a request whose ``Cancellation`` is due.
@safe
final class StepLimit {
  /// The number of steps between two calls of the handler.
  static let stride = 250_000
  /// One or two minutes. No request of a known program takes nearly as long.
  static let usual = 10_000_000_000

  /// The number of calls that the request has left.
  private let left: UnsafeMutablePointer<Int>
  private var allowance: Int

  /// A number of 0 sets no limit.
  init(_ handle: OpaquePointer, steps: Int) {
    allowance = Self.questions(steps)
    unsafe left = .allocate(capacity: 1)
    unsafe left.initialize(to: allowance)
    unsafe sqlite3_progress_handler(
      handle, Int32(Self.stride),
      { left in
        guard let left = unsafe left?.assumingMemoryBound(to: Int.self) else { return 0 }
        unsafe left.pointee -= 1
        if unsafe left.pointee < 0 { return 1 }
        return Cancellation.current?.isDue == true ? 1 : 0
      }, left)
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
