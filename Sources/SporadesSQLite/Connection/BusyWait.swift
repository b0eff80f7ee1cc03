// SPDX-License-Identifier: MIT
import CSQLite
import SporadesStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#else
  import Glibc
#endif

/// Waits for another connection in short naps of random length, up to a deadline.
///
/// SQLite's own handler naps up to 100 ms. A writer that commits again and again frees the file for a few
/// microseconds between two transactions, and naps of that length miss every gap.
final class BusyWait {
  private var limit: Duration
  private let clock = ContinuousClock()
  private var began: ContinuousClock.Instant
  /// Asks busy writers to leave a gap; nil for a connection that never waits to write.
  var sign: WaitingSign?
  private var isSignUp = false

  init(milliseconds: Int32) {
    limit = .milliseconds(Int(milliseconds))
    began = clock.now
  }

  /// Changes the longest time to wait.
  func allow(milliseconds: Int32) { limit = .milliseconds(Int(milliseconds)) }

  /// SQLite keeps an unowned reference. The connection owns the object, and closes before it goes.
  func install(on handle: OpaquePointer) {
    unsafe sqlite3_busy_handler(
      handle,
      { context, naps in
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue().nap(naps)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Naps before the next attempt; returns 0 after the deadline.
  private func nap(_ naps: Int32) -> Int32 {
    guard limit > .zero else { return 0 }
    if naps == 0 {
      began = clock.now
      if !isSignUp { isSignUp = sign?.raise() ?? false }
    } else if clock.now - began >= limit {
      return 0
    }
    Self.nap(naps)
    return 1
  }

  /// Withdraws the request for a turn. The caller runs this after each statement that may have waited.
  func end() {
    if isSignUp { isSignUp = sign?.lower() == false }
  }

  /// Naps for less time than the gap that a writer leaves.
  static func nap(_ number: Int32) {
    usleep(UInt32.random(in: number < 10 ? 50...250 : 250...1_000))
  }

  // MARK: - What SQLite does not wait for

  /// Repeats a step until the deadline while another connection blocks it, or fails it with another code. SQLite calls no
  /// busy handler for a step that already holds a lock, such as the change to write-ahead mode.
  static func retrying<Output>(
    _ code: StoreError.Code = .busy, milliseconds: Int, _ step: () throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    let clock = ContinuousClock()
    let deadline = clock.now + .milliseconds(milliseconds)
    var naps: Int32 = 0
    while true {
      do throws(StoreError) {
        return try step()
      } catch  where error.code == code && clock.now < deadline {
        nap(naps)
        naps += 1
      }
    }
  }
}
