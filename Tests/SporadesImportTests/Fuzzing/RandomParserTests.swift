// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import SporadesImport

/// Random inputs, whole and damaged, for both parsers.
///
/// A failure prints its seed. `SPORADES_MINUTES` goes on for that long, and `SPORADES_FIRST_SEED` chooses other inputs.
@Suite struct RandomParserTests {
  private static let first = number("SPORADES_FIRST_SEED") ?? 1
  private static let duration = Duration.seconds(60 * (number("SPORADES_MINUTES") ?? 0))
  private static let inputsOfRun = 200

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  @Test func jsonMeansTheSameInEachWindow() {
    run { seed in
      var random = RandomInput(seed: seed)
      let (value, text) = random.value()
      let bytes = Array("[\(text)]".utf8)
      let whole = answer(bytes, .automatic, 1 << 18)
      guard whole == Answer(values: [value]) else { return "a value is read as another" }
      let damaged = random.damaged(bytes)
      let forms = [JSONForm.automatic, .lines, .at("a")]
      for form in forms {
        let expected = answer(damaged, form, 1 << 18)
        for block in [1, 2 + random.number(30)]
        where answer(damaged, form, block) != expected { return "windows of \(block), \(form)" }
      }
      return nil
    }
  }

  @Test func csvMeansTheSameInEachWindow() {
    run { seed in
      var random = RandomInput(seed: seed)
      let (rows, text) = random.table(",")
      let whole = table(Array(text.utf8), 1 << 18)
      guard whole.rows == rows.filter({ $0 != [nil] || rows[0].count == 1 }) else {
        return "a table is read as another"
      }
      let damaged = random.damaged(Array(text.utf8))
      let expected = table(damaged, 1 << 18)
      for block in [1, 2 + random.number(30)] where table(damaged, block) != expected {
        return "windows of \(block)"
      }
      return nil
    }
  }

  /// Runs inputs until there are enough and the time is over; records the first mistake with its seed.
  private func run(_ body: (Int) -> String?) {
    let end = ContinuousClock.now + Self.duration
    var count = 0
    while count < Self.inputsOfRun || ContinuousClock.now < end {
      let seed = Self.first + count
      count += 1
      if let mistake = body(seed) {
        Issue.record("seed \(seed): \(mistake)")
        break
      }
    }
    print("\(count) inputs")
    #expect(count >= Self.inputsOfRun)
  }

  // MARK: - Answers

  private struct Answer: Equatable {
    var values: [ImportValue] = []
    var failures: [ImportFailure] = []
    var error: String?
  }

  /// What a reader says of bytes: all records before a mistake, the refused ones, and the mistake.
  private func answer(_ bytes: [UInt8], _ form: JSONForm, _ block: Int) -> Answer {
    var answer = Answer()
    var reader = JSONReader(ByteSource(bytes), form, RecordLimits(), block: block)
    do throws(ImportError) {
      while let batch = try reader.next(3) {
        answer.values += batch.records.map { batch.value(at: $0.node) }
        answer.failures += batch.failures
      }
    } catch {
      answer.error = "\(error)"
    }
    return answer
  }

  private struct Table: Equatable {
    var rows: [[String?]] = []
    var failures: [ImportFailure] = []
    var error: String?
  }

  private func table(_ bytes: [UInt8], _ block: Int) -> Table {
    var table = Table()
    do throws(ImportError) {
      var reader = try CSVReader(ByteSource(bytes), CSVForm(), RecordLimits(), block: block)
      while let batch = try reader.next(3) {
        table.rows += batch.records.map { record in
          batch.record(at: record.node).pairs.map(\.value.string)
        }
        table.failures += batch.failures
      }
    } catch {
      table.error = "\(error)"
    }
    return table
  }
}
