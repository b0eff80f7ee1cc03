// SPDX-License-Identifier: MIT

/// How dates are written in an input.
public enum ImportDateFormat: Hashable, Sendable {
  /// Texts of ISO 8601 (`2026-03-01T12:30:00.25+01:00`, with or without time and zone), and numbers as seconds since
  /// 1970. Without a zone, times are UTC.
  case iso8601
  /// Texts of a pattern in the letters of Unicode, such as `dd.MM.yyyy HH:mm`. Times without a zone are UTC.
  case pattern(String)
  /// Seconds since 1970.
  case secondsSince1970
  /// Milliseconds since 1970.
  case millisecondsSince1970
  /// Seconds since 2001, as Apple's frameworks keep dates.
  case secondsSinceReferenceDate

  /// The format that a note of MagicalRecord in a model names: `UnixTime` means milliseconds, as MagicalRecord reads
  /// it, `UnixTimeSeconds` seconds; everything else is a pattern.
  init(note: String) {
    switch note {
    case "UnixTime": self = .millisecondsSince1970
    case "UnixTimeSeconds": self = .secondsSince1970
    default: self = .pattern(note)
    }
  }
}
