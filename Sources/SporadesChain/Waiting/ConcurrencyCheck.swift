// SPDX-License-Identifier: MIT
import SporadesModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The switch of the check that only a context's own queue uses its objects.
///
/// The check is on in debug builds and with the launch argument `-com.apple.CoreData.ConcurrencyDebug 1`. The
/// value 0 switches it off.
package enum ConcurrencyCheck {
  /// The check runs in this process.
  package static let isOn: Bool = {
    if let level = LaunchArgument.level(of: "-com.apple.CoreData.ConcurrencyDebug") {
      return level > 0
    }
    #if DEBUG
      return true
    #else
      return false
    #endif
  }()

  /// The number of the calling thread. No other running thread has it.
  package static var currentThread: Int {
    Int(bitPattern: UInt(pthread_self()))
  }
}
