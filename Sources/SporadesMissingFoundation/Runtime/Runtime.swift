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

/// The seconds from the beginning of 2001 until now.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date.timeIntervalSinceReferenceDate }
