// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQLite
import SporadesStore

/// Values in named columns, one row for each object or for each group of objects.
struct Listing {
  let titles: [String]
  var question: TableQuestion
  private let given: GivenStore

  init(_ columns: [ExpressionDescription], _ fetch: StoreFetch, _ given: GivenStore) {
    titles = columns.map(\.name)
    question = TableQuestion(fetch, columns.map(\.expression))
    self.given = given
  }

  /// Hands over the rows, some thousand at a time, all of one state of the store.
  func forEachAnswer(_ body: (TableAnswer) throws -> Void) throws {
    var failure: (any Error)?
    try given.store.forEachPart(of: question, in: given.view) { part in
      do { try body(part) } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
  }

  /// Prints the rows: a table for people, else a line of JSON for each.
  func print(to output: Output, asJSON: Bool) throws {
    if asJSON || !output.terminal.showsOutput { return try printLines(to: output) }
    var table: TextTable?
    var widths: [Int] = []
    try forEachAnswer { answer in
      var part = TextTable(columns(of: answer))
      for row in 0..<answer.rowCount {
        part.add(titles.indices.map { ShownValue.text(answer[row, $0]) })
      }
      // The first rows decide how wide the columns are.
      if table == nil {
        table = part
        widths = part.widths(output.terminal)
        if part.isCramped(widths) {
          output.say(
            "The terminal is too narrow for \(titles.count) columns. Choose some, or print JSON with --json."
          )
        }
        try output.printLine(part.head(widths, output.terminal))
      }
      for line in part.body(widths) { try output.printLine(line) }
    }
  }

  private func columns(of answer: TableAnswer) -> [TextTable.Column] {
    titles.indices.map { column in
      let first = (0..<answer.rowCount).lazy.map { answer[$0, column] }.first { !$0.isNull }
      return .init(title: titles[column], isNumber: first?.isNumber ?? false)
    }
  }

  private func printLines(to output: Output) throws {
    let labels = titles.enumerated().map { place, title in
      (place == 0 ? "{" : ",") + JSON.text(title).line + ":"
    }.map { Array($0.utf8) }
    try forEachAnswer { answer in
      try output.append { bytes in
        for row in 0..<answer.rowCount {
          for column in labels.indices {
            bytes += labels[column]
            ShownValue.append(answer, row, column, to: &bytes)
          }
          bytes += [UInt8(ascii: "}"), UInt8(ascii: "\n")]
        }
      }
    }
  }
}
