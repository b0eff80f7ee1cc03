// SPDX-License-Identifier: MIT

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Registers a function for the exit of the process. Returns false if the C library takes no more functions.
package func atProcessExit(_ function: @convention(c) () -> Void) -> Bool {
  atexit(function) == 0
}
