// SPDX-License-Identifier: MIT

/// How records lie in JSON.
public enum JSONForm: Hashable, Sendable {
  /// An array of records if the input begins with a bracket, else values one behind the other: lines, or a single
  /// record.
  case automatic
  /// One record on each line. A line with a mistake is refused, and the next lines go in.
  case lines
  /// An array of records, or a single record, at the end of a key path: `data.users`.
  case at(String)
}

/// The bounds of an input's records.
public struct RecordLimits: Hashable, Sendable {
  /// The largest number of bytes of one record.
  public var size = 64 << 20
  /// The largest number of arrays and objects inside each other.
  public var depth = 128

  /// Makes the usual limits: 64 MiB, and 128 levels.
  public init() {}
}
