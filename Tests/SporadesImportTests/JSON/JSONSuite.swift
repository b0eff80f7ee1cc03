// SPDX-License-Identifier: MIT

@testable import SporadesImport

/// An input of a test suite.
struct SuiteCase: CustomStringConvertible, Sendable {
  let name: String
  let bytes: [UInt8]

  var description: String { name }
}

/// The inputs of JSONTestSuite by Nicolas Seriot (MIT licence).
enum JSONSuite {
  static func texts(_ cases: [String: String]) -> [String: [UInt8]] {
    cases.mapValues { Array($0.utf8) }
  }

  static func bytes(_ cases: [String: String]) -> [String: [UInt8]] {
    cases.mapValues { text in
      let digits = text.compactMap { $0.hexDigitValue.map(UInt8.init) }
      return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
  }

  static func cases(_ all: [String: [UInt8]]) -> [SuiteCase] {
    all.map { SuiteCase(name: $0.key, bytes: $0.value) }.sorted { $0.name < $1.name }
  }
}

/// Reads all records of an input, in windows of a size, and returns those it takes.
func readAll(
  _ bytes: [UInt8], _ form: JSONForm = .automatic, block: Int = 1 << 18,
  limits: RecordLimits = RecordLimits()
) throws(ImportError) -> (values: [ImportValue], failures: [ImportFailure]) {
  var reader = JSONReader(ByteSource(bytes), form, limits, block: block)
  return try readAll(&reader, 100)
}

func readAll(
  _ reader: inout some RecordReader, _ limit: Int
) throws(ImportError) -> (values: [ImportValue], failures: [ImportFailure]) {
  var (values, failures): ([ImportValue], [ImportFailure]) = ([], [])
  while let batch = try reader.next(limit) {
    values += batch.records.map { batch.value(at: $0.node) }
    failures += batch.failures
  }
  return (values, failures)
}
