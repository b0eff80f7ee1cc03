// SPDX-License-Identifier: MIT
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
    let arguments = CommandLine.arguments
    if let index = arguments.firstIndex(of: "-com.apple.CoreData.ConcurrencyDebug"),
      index + 1 < arguments.count
    {
      return arguments[index + 1] != "0"
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
