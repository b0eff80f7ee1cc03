// SPDX-License-Identifier: MIT

/// One object of a property list. A container names its items by their numbers in the list.
package enum PropertyListObject: Hashable, Sendable {
  /// The object that stands for nothing; only archives have it.
  case null
  /// A truth value.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A floating-point number, or a whole number of more than 64 bits.
  case double(Double)
  /// Seconds since the beginning of 2001.
  case date(Double)
  /// Bytes.
  case data([UInt8])
  /// A text.
  case string(String)
  /// The number of another object of an archive.
  case reference(Int)
  /// A list or set.
  case list([Int])
  /// Keys with their values.
  case dictionary([Entry])

  /// A key of a dictionary with its value.
  package struct Entry: Hashable, Sendable {
    package let key: Int
    package let value: Int

    package init(key: Int, value: Int) {
      self.key = key
      self.value = value
    }
  }
}
