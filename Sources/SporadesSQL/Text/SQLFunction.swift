// SPDX-License-Identifier: MIT

/// The names of the functions in compiled conditions. Each store registers them.
package enum SQLFunction {
  /// `SPORADES_FOLD(text, options)`: ``TextFolding/fold(_:_:)``
  package static let fold = "SPORADES_FOLD"
  /// `SPORADES_LIKE(text, pattern, options)`
  package static let like = "SPORADES_LIKE"
  /// `SPORADES_MATCHES(text, pattern, options)`
  package static let matches = "SPORADES_MATCHES"
  /// `SPORADES_BYTES(stored)`: the value of an attribute that may be in a separate file.
  package static let bytes = "SPORADES_BYTES"
  /// `SPORADES_CAPITALS(text, isUpper)`: a text in capitals or in small letters, as Swift writes them.
  package static let capitals = "SPORADES_CAPITALS"
  /// `SPORADES_CONVERT(value, old type, new type)`: an attribute's value in another type; null if it has none there.
  package static let convert = "SPORADES_CONVERT"
  /// `SPORADES_STORED(bytes)`: what a column with external storage holds for a value.
  package static let stored = "SPORADES_STORED"
  /// `SPORADES_IS_UNREADABLE(stored)`: whether a column names a file that cannot be read into a row.
  package static let isUnreadable = "SPORADES_IS_UNREADABLE"
  /// `SPORADES_COLUMNS(entity, bits)`: the bits of a history change in another version of the model.
  package static let columns = "SPORADES_COLUMNS"
}
