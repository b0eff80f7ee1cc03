// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The check that objects are only touched on their context's queue.
///
/// On in debug builds and with the launch argument `-com.apple.CoreData.ConcurrencyDebug 1`; off
/// with the value 0.
package enum ConcurrencyCheck {
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

  /// A number that tells the running thread from all others.
  package static var currentThread: UInt {
    UInt(pthread_self())
  }
}
