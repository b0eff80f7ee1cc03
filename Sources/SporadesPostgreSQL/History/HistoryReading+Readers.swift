// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesStore

// Shortens a history, and tells its named readers.
extension HistoryReading {
  func delete(before bound: HistoryBound) throws(StoreError) -> Int {
    let first: Int64
    switch bound {
    case .number(let number): first = number
    case .date(let date):
      let answer = try connection.run(
        HistoryTables.firstNotBefore, [try Self.moment(date)])
      first = answer.integer(0, 0) ?? .max
    }
    let answers = try connection.pipelined { (connection) throws(StoreError) in
      try connection.send(HistoryTables.turn)
      try connection.send(HistoryTables.deletion, [.int8(first)])
    }
    return Int(clamping: answers[1].integer(0, 0) ?? 0)
  }

  func readers() throws(StoreError) -> [HistoryReader] {
    let answer = try connection.run(HistoryTables.namedReaders)
    var readers: [HistoryReader] = []
    for row in 0..<answer.count {
      guard let name = answer.text(row, 0), let number = answer.integer(row, 1),
        let seconds = answer.integer(row, 2).flatMap(ServerDate.seconds)
      else {
        throw StoreError(
          .corrupt,
          "\(connection.place): \(HistoryTables.readers) has a row without a name, a number or a moment. Delete the row."
        )
      }
      readers.append(
        HistoryReader(
          name: name, number: number,
          confirmedAt: Date(timeIntervalSinceReferenceDate: seconds)))
    }
    return readers
  }
}
