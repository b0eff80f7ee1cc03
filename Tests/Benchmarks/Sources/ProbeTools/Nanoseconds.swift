// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The time since the system started, which all processes read from one clock.
public func nanoseconds() -> Int {
  var time = timespec()
  let code = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  precondition(code == 0, "The system has no clock.")
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
