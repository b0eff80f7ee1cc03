// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

// Calls of Apple's runtime that have a meaning on Linux, too.

/// Calls a closure. Linux frees objects at once, so that there is no pool to empty.
public func autoreleasepool<Output, Failure: Error>(
  invoking body: () throws(Failure) -> Output
) throws(Failure) -> Output {
  try body()
}

/// A number of seconds since the beginning of 2001.
public typealias CFAbsoluteTime = Double

/// A number of seconds between two moments.
public typealias CFTimeInterval = Double

/// The nanoseconds of a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000

/// The nanoseconds of a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000

/// The nanoseconds of a microsecond.
public let NSEC_PER_USEC: UInt64 = 1_000

/// The microseconds of a second.
public let USEC_PER_SEC: UInt64 = 1_000_000

/// The milliseconds of a second.
public let MSEC_PER_SEC: UInt64 = 1_000

/// The seconds from the beginning of 2001 until now.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date.timeIntervalSinceReferenceDate }
