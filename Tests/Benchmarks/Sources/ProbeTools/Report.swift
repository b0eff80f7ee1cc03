// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Prints a probe's answer at once, so that whoever waits for it does not wait for the exit too.
public func report(_ answer: some CustomStringConvertible) {
  print(answer)
  _ = fflush(nil)
}
