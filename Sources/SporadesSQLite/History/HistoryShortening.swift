// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesSQL
import SporadesStore

/// Deletes the beginning of a history, and keeps the places of its named readers.
struct HistoryShortening {
  private let connection: Connection
  private let tables: CoreDataHistory

  init(_ connection: Connection, _ tables: CoreDataHistory) {
    self.connection = connection
    self.tables = tables
  }

  /// The number of the first transaction that stays, and the number of those that go.
  func extent(of bound: HistoryBound) throws(StoreError) -> (first: Int64, count: Int) {
    let first: Int64 =
      switch bound {
      case .number(let number): number
      case .date(let date):
        try connection.number(
          tables.firstNumber(notBefore: date.timeIntervalSinceReferenceDate)) ?? .max
      }
    return (first, Int(try connection.number(tables.count(before: first)) ?? 0))
  }

  /// The files that kept values of the transactions before a number name.
  func names(before number: Int64) throws(StoreError) -> [ValueName] {
    var names: [ValueName] = []
    for place in 0..<tables.tombstones {
      let statement = tables.keptValues(
        place, ofLength: ValueName.storedCount, before: number)
      for row in try connection.rows(statement) {
        if let name = row[0].blob.flatMap({ ValueName(stored: $0) }) { names.append(name) }
      }
    }
    return names
  }

  /// Deletes the transactions before a number.
  func remove(before number: Int64) throws(StoreError) {
    for statement in tables.removal(before: number) { try connection.run(statement) }
    if try KeptValues.isKept(on: connection) {
      try connection.run(KeptValues.statements.removal(before: number))
    }
  }

  // MARK: - Readers

  private var statements: HistoryReaderStatements { HistoryReaderStatements(SQLiteDialect()) }

  private func hasReaders() throws(StoreError) -> Bool {
    try !connection.columns(of: HistoryReaderStatements.table).isEmpty
  }

  /// The named readers; none if the file has no table of them.
  func readers() throws(StoreError) -> [HistoryReader] {
    guard try hasReaders() else { return [] }
    return try connection.rows(statements.all).map { row throws(StoreError) in
      guard let name = row[0].text, let number = row[1].integer else {
        throw StoreError(
          .corrupt,
          "\(HistoryReaderStatements.table) has a row without a name or a number. Delete the row.")
      }
      let seconds: Double =
        switch row[2] {
        case .real(let seconds): seconds
        case .integer(let seconds): Double(seconds)
        case .null, .text, .blob: 0
        }
      return HistoryReader(
        name: name, number: number,
        confirmedAt: Date(timeIntervalSinceReferenceDate: seconds))
    }
  }

  func confirm(_ reader: HistoryReader) throws(StoreError) {
    if try !hasReaders() { try connection.run(statements.create) }
    let seconds = reader.confirmedAt.timeIntervalSinceReferenceDate
    try connection.run(statements.confirm(reader.name, reader.number, at: seconds))
  }

  func removeReader(named name: String) throws(StoreError) {
    if try hasReaders() { try connection.run(statements.remove(name)) }
  }
}
