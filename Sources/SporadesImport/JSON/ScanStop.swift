// SPDX-License-Identifier: MIT

/// The reason why a scanner stopped inside a record.
enum ScanStop: Error {
  /// The window ends here, and the input goes on.
  case needsMore
  /// The bytes are not what they should be at the index.
  case mistake(String, Int, ImportError.Code)
  /// The record at the index has more bytes than the request allows.
  case tooLarge(Int)
}
