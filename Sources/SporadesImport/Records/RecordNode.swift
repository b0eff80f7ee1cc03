// SPDX-License-Identifier: MIT

/// One value of a record, or one key, as a place in the bytes of its batch.
///
/// The nodes of a record lie one behind the other: an object, then each of its keys with the value behind it; an
/// array, then its elements. A node knows the index behind its last part, so that a reader passes over it at once.
struct RecordNode: Sendable {
  /// The index of the first byte; for a text, behind its quote. For ``Kind/given``, the index of the value.
  var start: UInt32
  /// The number of bytes. For an array or a row the number of elements, for an object the number of its pairs.
  var count: UInt32
  /// The index behind the last node of the value.
  var next: UInt32
  var kind: Kind

  enum Kind: UInt8, Sendable {
    case null
    case isFalse
    case isTrue
    /// Digits, perhaps with a sign.
    case integer
    /// A number with a fraction or an exponent.
    case real
    /// A text that stands in the bytes as it is.
    case text
    /// A text with escapes of JSON.
    case escaped
    /// A text of CSV in quotes, with doubled quotes in it.
    case doubled
    /// A field of CSV without quotes and without characters.
    case blank
    case array
    case object
    /// A line of CSV: values without keys, in the order of the columns.
    case row
    /// A value that the program gave.
    case given
  }
}

extension RecordNode {
  /// The words for a value of the node's kind.
  var indefinite: String {
    switch kind {
    case .null, .blank: "no value"
    case .isFalse, .isTrue: "a truth value"
    case .integer, .real: "a number"
    case .text, .escaped, .doubled: "a text"
    case .array: "an array"
    case .object, .row: "an object"
    case .given: "a value"
    }
  }
}

/// Some records in one piece, ready for an import.
struct RecordBatch: Sendable {
  /// The bytes that nodes refer to, with zeros behind them.
  var bytes: [UInt8] = []
  var nodes: [RecordNode] = []
  /// The records that could be read.
  var records: [Record] = []
  /// The records that could not be read, by number of the row.
  var failures: [ImportFailure] = []
  /// The names of the columns of ``RecordNode/Kind/row``.
  var columns: [String] = []
  /// The quote of ``RecordNode/Kind/doubled``.
  var quote = UInt8(ascii: "\"")
  /// The values of ``RecordNode/Kind/given``.
  var values: [ImportValue] = []
  /// The place of the bytes in the input; nil if they came from none.
  var origin: BatchOrigin?
  /// The number of bytes of the input up to the end of the batch.
  var consumed = 0
  /// The mistake that ends the input behind the records of this batch.
  var ending: ImportError?

  struct Record: Sendable {
    /// The index of the record's first node.
    let node: Int
    /// The index of the record's first byte.
    let start: Int
    /// The number of the row, from 1.
    let row: Int
  }

  /// The number of rows, the refused ones included.
  var rowCount: Int { records.count + failures.count }

  /// The place of a record in its input; nil if it came from none.
  func place(of index: Int) -> InputPlace? { origin?.place(of: index, in: bytes) }
}

/// A sequence of records, read a batch at a time.
protocol RecordReader: Sendable {
  /// The number of bytes of the whole input; nil if nobody knows it.
  var totalBytes: Int? { get }
  /// Reads up to `limit` records; nil at the end.
  mutating func next(_ limit: Int) throws(ImportError) -> RecordBatch?
}
