// SPDX-License-Identifier: MIT
public import FoundationEssentials

/// Where the records of an import come from.
public struct ImportSource: Sendable {
  enum Origin: Sendable {
    case reader(@Sendable (RecordLimits) throws(ImportError) -> any RecordReader)
    case sequence(@Sendable () -> AnyIterator<ImportRecord>)
    case asynchronous(@Sendable () -> AsynchronousRecords)
  }

  let origin: Origin

  private init(_ origin: Origin) { self.origin = origin }

  // MARK: - JSON

  /// The records in a file of JSON, in UTF-8.
  public static func json(_ file: URL, _ form: JSONForm = .automatic) -> ImportSource {
    ImportSource(
      .reader { limits throws(ImportError) in
        JSONReader(ByteSource(try OpenFile(file)), form, limits)
      })
  }

  /// The records in bytes of JSON, in UTF-8.
  public static func json(data: Data, _ form: JSONForm = .automatic) -> ImportSource {
    ImportSource(
      .reader { limits throws(ImportError) in JSONReader(ByteSource(Array(data)), form, limits) })
  }

  /// The records in a text of JSON.
  public static func json(text: String, _ form: JSONForm = .automatic) -> ImportSource {
    json(data: Data(text.utf8), form)
  }

  // MARK: - CSV

  /// The records in a file of CSV, in UTF-8.
  public static func csv(_ file: URL, _ form: CSVForm = CSVForm()) -> ImportSource {
    ImportSource(
      .reader { limits throws(ImportError) in
        try CSVReader(ByteSource(try OpenFile(file)), form, limits)
      })
  }

  /// The records in bytes of CSV, in UTF-8.
  public static func csv(data: Data, _ form: CSVForm = CSVForm()) -> ImportSource {
    ImportSource(
      .reader { limits throws(ImportError) in
        try CSVReader(ByteSource(Array(data)), form, limits)
      })
  }

  /// The records in a text of CSV.
  public static func csv(text: String, _ form: CSVForm = CSVForm()) -> ImportSource {
    csv(data: Data(text.utf8), form)
  }

  // MARK: - Records of the program

  /// Records that the program makes.
  public static func records(_ records: some Sequence<ImportRecord> & Sendable) -> ImportSource {
    ImportSource(.sequence { AnyIterator(records.makeIterator()) })
  }

  /// Records that the program makes, one after the other.
  public static func records<Records: AsyncSequence & Sendable>(
    asynchronously records: Records
  ) -> ImportSource where Records.Element == ImportRecord {
    ImportSource(.asynchronous { AsynchronousRecords(records) })
  }
}

/// An asynchronous sequence of records while it is read.
final class AsynchronousRecords {
  private let advance: () async throws -> ImportRecord?

  init<Records: AsyncSequence>(_ records: Records) where Records.Element == ImportRecord {
    var iterator = records.makeAsyncIterator()
    advance = { try await iterator.next(isolation: #isolation) }
  }

  func next() async throws -> ImportRecord? { try await advance() }
}
