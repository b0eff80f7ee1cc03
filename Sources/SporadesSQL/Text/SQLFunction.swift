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
}
