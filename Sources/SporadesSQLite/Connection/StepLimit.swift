// SPDX-License-Identifier: MIT
import CSQLite

/// How many steps of SQLite's machine one request may take; what never ends by itself ends there.
///
/// SQLite asks every quarter million steps, a millisecond or two apart, so that asking costs nothing.
@safe
final class StepLimit {
  /// So many steps lie between two questions.
  static let stride = 250_000
  /// A minute or two, which no request of a known program comes near.
  static let usual = 10_000_000_000

  /// Questions that may still be answered with yes.
  private let left: UnsafeMutablePointer<Int>
  private var allowance: Int

  /// No bound for 0.
  init(_ handle: OpaquePointer, steps: Int) {
    allowance = Self.questions(steps)
    unsafe left = .allocate(capacity: 1)
    unsafe left.initialize(to: allowance)
    unsafe sqlite3_progress_handler(
      handle, Int32(Self.stride),
      { left in
        guard let left = unsafe left?.assumingMemoryBound(to: Int.self) else { return 0 }
        unsafe left.pointee -= 1
        return unsafe left.pointee < 0 ? 1 : 0
      }, left)
  }

  /// The handle was closed before.
  deinit { unsafe left.deallocate() }

  private static func questions(_ steps: Int) -> Int {
    steps == 0 ? .max : max(1, steps / stride)
  }

  /// A request begins, and may take all steps.
  @inline(__always)
  func renew() { unsafe left.pointee = allowance }

  /// From now on a request may take so many.
  func allow(_ steps: Int) {
    allowance = Self.questions(steps)
    renew()
  }
}
