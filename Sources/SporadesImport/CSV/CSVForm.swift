// SPDX-License-Identifier: MIT

/// How records lie in CSV: RFC 4180, with a choice of the characters and of the header.
public struct CSVForm: Hashable, Sendable {
  /// The character between two fields: a comma, a semicolon, a tab or another character of ASCII.
  public var delimiter: Character = ","
  /// The character around fields that contain delimiters, quotes or line ends.
  public var quote: Character = "\""
  /// The names of the columns; nil takes them from the first line.
  public var columns: [String]?
  /// Spaces around fields without quotes do not count.
  public var trimsSpaces = false

  /// Makes the form of RFC 4180, with the names of the columns on the first line.
  public init() {}

  /// Makes the form with another delimiter, or with names of columns for an input without a header.
  public init(delimiter: Character = ",", columns: [String]? = nil) {
    self.delimiter = delimiter
    self.columns = columns
  }

  /// The delimiter and the quote as bytes.
  func characters() throws(ImportError) -> (delimiter: UInt8, quote: UInt8) {
    guard let delimiter = delimiter.asciiValue, let quote = quote.asciiValue, delimiter != quote,
      delimiter != 0x0A, delimiter != 0x0D, quote != 0x0A, quote != 0x0D, delimiter != 0, quote != 0
    else {
      throw ImportError(
        .request,
        "The delimiter \(self.delimiter.debugDescription) and the quote \(self.quote.debugDescription) of CSV must be two "
          + "different characters of ASCII, and no line ends.")
    }
    return (delimiter, quote)
  }
}
