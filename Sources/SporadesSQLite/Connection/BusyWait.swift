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

/// Waits while another connection is in the way: in short naps of random length, up to a deadline.
///
/// SQLite's own handler naps up to 100 ms. A writer that commits again and again leaves the file for
/// a few microseconds between two transactions, and such naps miss them all.
final class BusyWait {
  private let limit: Duration
  private let clock = ContinuousClock()
  private var began: ContinuousClock.Instant
  /// Asks writers that never rest to leave a gap; nil for a connection that waits for no turn to write.
  var sign: WaitingSign?
  private var isSignUp = false

  init(milliseconds: Int32) {
    limit = .milliseconds(Int(milliseconds))
    began = clock.now
  }

  /// SQLite keeps the reference without owning it: the connection does, and ends first.
  func install(on handle: OpaquePointer) {
    unsafe sqlite3_busy_handler(
      handle,
      { context, naps in
        guard let context = unsafe context else { return 0 }
        return unsafe Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue().nap(naps)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Naps before the next attempt; 0 when the deadline has passed.
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

  /// Stops asking for a turn. Called after each statement that may have waited for one.
  func end() {
    if isSignUp { isSignUp = sign?.lower() == false }
  }

  /// A nap that is shorter than the gap that a writer leaves, whatever its number.
  static func nap(_ number: Int32) {
    usleep(UInt32.random(in: number < 10 ? 50...250 : 250...1_000))
  }

  // MARK: - What SQLite does not wait for

  /// Does a step again while another connection is in its way, up to the deadline. SQLite calls no
  /// busy handler where a step holds a lock already, as the change to write-ahead mode does.
  static func retrying<Output>(
    milliseconds: Int, _ step: () throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    let clock = ContinuousClock()
    let deadline = clock.now + .milliseconds(milliseconds)
    var naps: Int32 = 0
    while true {
      do throws(StoreError) {
        return try step()
      } catch  where error.code == .busy && clock.now < deadline {
        nap(naps)
        naps += 1
      }
    }
  }
}
