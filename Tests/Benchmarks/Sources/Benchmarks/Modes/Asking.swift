// SPDX-License-Identifier: MIT
import Foundation
import ProbeTools
import RawStore

/// What it costs to ask every observer's question again after each transaction that it cannot tell from one that concerns
/// it, by hand on SQLite's C functions.
///
/// Such a library hears of a commit from SQLite's hooks: which tables and columns a statement writes, and the keys of its rows.
/// A question that names its rows by key is asked again if one of them was written; every other question, if a column that
/// it reads was written. The writes are those of the rows `observe_…`, and the questions have the index that they need.
struct Asking {
  private let sample: Sample
  private let folder: URL

  init(short: Bool, folder: URL) {
    sample = Sample(short ? .short : .full)
    self.folder = folder
  }

  private static let best =
    "SELECT ZNAME, ZSCORE FROM ZRUNNER ORDER BY ZSCORE DESC, Z_PK LIMIT 100"

  func run() throws -> [String] {
    let templates = try Templates(sample, in: folder)
    // A thousand observers answer a hundred thousand questions in a hundred writes, which is enough for a mean.
    let writes = min(100, sample.scale.observedWrites)
    let teams = "SELECT Z_PK, ZNAME FROM ZRUNNER WHERE ZTEAM = ?1 ORDER BY Z_PK"
    let groups = "SELECT Z_PK, ZNAME FROM ZRUNNER WHERE ZGROUP = ?1 ORDER BY Z_PK"
    // All questions read the column that the writes set, so each of them is asked after each write.
    try measure(
      ObserveUnrelated.self, templates, count: writes, of: teams, 1..<RawRunner.teams,
      row: { RawRunner.teams * Int64(1 + $0 % 10) })
    try measure(
      ObserveOne.self, templates, count: writes, of: teams, 1..<RawRunner.teams,
      row: { 1 + Int64($0 * 37) % Int64(sample.scale.players) })
    try measure(
      ObserveHundred.self, templates, count: 200, of: groups, 0..<100,
      row: { Int64($0 % 100) + RawRunner.groups * Int64(1 + $0 / 100) })
    try measureBest(templates)
    return []
  }

  private func measure<W: Workload>(
    _ type: W.Type, _ templates: Templates, count: Int, of question: String,
    _ arguments: Range<Int64>, row: (Int) -> Int64
  ) throws {
    let path = try templates.copy(of: .runners)
    defer { templates.remove(path) }
    let database = RawDatabase(path, synchronous: .full)
    let update = database.prepare(
      "UPDATE ZRUNNER SET ZNAME = 'New ' || ?2, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?1")
    let ask = database.prepare(question)
    var rows = 0
    let time = processorTime {
      for number in 0..<count {
        update.bind(1, row(number))
        update.bind(2, Int64(number))
        update.run()
        for argument in arguments {
          ask.bind(1, argument)
          var names: [String] = []
          while ask.step() { names.append(ask.text(1)) }
          ask.reset()
          rows += names.count
        }
      }
    }
    tell(type, time, writes: count, questions: count * arguments.count, rows)
  }

  private func measureBest(_ templates: Templates) throws {
    let path = try templates.copy(of: .runners)
    defer { templates.remove(path) }
    let database = RawDatabase(path)
    let update = database.prepare(
      "UPDATE ZRUNNER SET ZSCORE = ?2, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?1")
    let ask = database.prepare(Self.best)
    let changes = ObserveSorted(sample).changes
    var rows = 0
    let time = processorTime {
      for (row, score) in changes {
        update.bind(1, row)
        update.bind(2, score)
        update.run()
        var names: [String] = []
        while ask.step() { names.append(ask.text(0)) }
        ask.reset()
        rows += names.count
      }
    }
    tell(ObserveSorted.self, time, writes: changes.count, questions: changes.count, rows)
  }

  /// The milliseconds that a processor worked, because nothing else waits here and other programs do not count.
  private func processorTime(_ body: () -> Void) -> Double {
    let start = clock()
    body()
    return Double(clock() - start) * 1000 / Double(CLOCKS_PER_SEC)
  }

  private func tell<W: Workload>(
    _ type: W.Type, _ time: Double, writes: Int, questions: Int, _ rows: Int
  ) {
    let milliseconds = time / Double(writes)
    report(
      "\(type.key): \(decimal(milliseconds, 3)) ms a write, for \(questions / writes) questions and \(rows / writes) rows"
    )
  }
}
