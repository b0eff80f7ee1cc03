// SPDX-License-Identifier: MIT

/// A property list to be written.
package indirect enum PropertyListTree: Hashable, Sendable {
  /// A truth value.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A floating-point number.
  case double(Double)
  /// Seconds since the beginning of 2001.
  case date(Double)
  /// Bytes.
  case data([UInt8])
  /// A text.
  case string(String)
  /// The number of an object of an archive.
  case reference(Int)
  /// A list.
  case list([PropertyListTree])
  /// Keys with their values, in the order in which they are written.
  case dictionary([Entry])

  /// A key of a dictionary with its value.
  package struct Entry: Hashable, Sendable {
    package let key: String
    package let value: PropertyListTree

    package init(_ key: String, _ value: PropertyListTree) {
      self.key = key
      self.value = value
    }
  }
}
