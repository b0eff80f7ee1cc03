// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesImport

@Suite struct JSONReaderTests {
  @Test func readsAnArrayOfRecords() throws {
    let all = try read(#" [ {"a": 1, "b": null}, {"a": "x"} ] "#)
    #expect(all == [["a": .number("1"), "b": .null], ["a": "x"]])
  }

  @Test func readsLines() throws {
    #expect(try read("{\"a\":true}\n\n{\"a\":false}\r\n") == [["a": true], ["a": false]])
  }

  @Test func readsARecordOverSeveralLines() throws {
    #expect(
      try read("{\n  \"a\": [1,\n 2]\n}\n{\"b\": {}}") == [
        ["a": [.number("1"), .number("2")]], ["b": [:]],
      ])
  }

  @Test func readsRecordsAtTheEndOfAKeyPath() throws {
    let text =
      #"{"meta": {"n": [1, {}]}, "data": {"skip": "]", "users": [{"a": 1}], "z": 2}, "end": []}"#
    #expect(try read(text, .at("data.users")) == [["a": .number("1")]])
    #expect(try read(#"{"user": {"a": "b"}, "n": 1}"#, .at("user")) == [["a": "b"]])
  }

  @Test(arguments: ["data.people", "data.users.name", "meta.n.x", "nothing"])
  func refusesAKeyPathThatLeadsNowhere(path: String) throws {
    let text = #"{"meta": {"n": 1}, "data": {"users": [{"a": 1}]}}"#
    let error = #expect(throws: ImportError.self) { try read(text, .at(path)) }
    #expect(error?.detail.contains(path) == true)
  }

  @Test func refusesWhatFollowsTheRecordsAtAKeyPath() {
    for rest in ["", "}", "} {}", ", \"b\"}", ", \"b\": 1", " 1}"] {
      #expect(throws: ImportError.self) { try read("{\"a\": {\"u\": [{}]" + rest, .at("a.u")) }
    }
  }

  @Test func decodesEscapes() throws {
    let all = try read(#"["\"\\\/\b\f\n\r\t", "\u00e9\uD83D\uDE00x", "caf\u0065"]"#)
    #expect(all == ["\"\\/\u{8}\u{C}\n\r\t", "é😀x", "cafe"])
  }

  @Test func aKeyThatOccursTwiceHasItsLastValue() throws {
    let all = try read(#"[{"a": 1, "a": 2}]"#)
    #expect(all.first?.record?["a"] == .number("2"))
  }

  @Test func passesOverAMark() throws {
    #expect(try readAll([0xEF, 0xBB, 0xBF] + Array("[1]".utf8)).values == [.number("1")])
  }

  @Test(
    arguments: [
      ([0xFF, 0xFE, 0x5B, 0, 0x5D, 0], "UTF-16"), ([0xFE, 0xFF, 0, 0x5B, 0, 0x5D], "UTF-16"),
      ([0x5B, 0, 0x5D, 0], "UTF-16"), ([0, 0x5B, 0, 0x5D], "UTF-16"),
      ([0xFF, 0xFE, 0, 0, 0x5B, 0, 0, 0], "UTF-32"), ([0, 0, 0, 0x5B], "UTF-32"),
      ([0x5B, 0, 0, 0], "UTF-32"),
    ] as [([UInt8], String)])
  func refusesOtherEncodingsByName(_ bytes: [UInt8], _ name: String) throws {
    let error = #expect(throws: ImportError.self) { try readAll(bytes) }
    #expect(error?.code == .encoding)
    #expect(error?.detail.contains(name) == true)
  }

  @Test(arguments: [
    ("[1, 2", 1, 6), ("[1,\n {\"a\" 1}]", 2, 7), ("[\n\n{\"a\": tru}]", 3, 7),
    ("[\"ab\n\"]", 1, 5), ("[1,]", 1, 4), ("[01]", 1, 3), ("{\"a\": [1\n", 2, 1),
    ("[\"\\x\"]", 1, 3), ("[\"\\uD800\"]", 1, 3), ("[1] 2", 1, 5), ("", 1, 1),
  ])
  func namesLineAndColumn(_ text: String, _ line: Int, _ column: Int) throws {
    let place: InputPlace?
    do throws(ImportError) {
      place = try readAll(Array(text.utf8)).failures.first?.place
    } catch {
      place = error.place
    }
    #expect(place.map { [$0.line, $0.column] } == [line, column])
  }

  @Test func refusesALineAndReadsTheNextOnes() throws {
    let text = "{\"a\": 1}\n{\"a\": \n{\"a\": 2}\n{]\n{\"a\": 3} x\n{\"a\": 4}"
    let all = try readAll(Array(text.utf8), .lines)
    #expect(all.values == [["a": .number("1")], ["a": .number("2")], ["a": .number("4")]])
    #expect(all.failures.map { $0.place?.line } == [2, 4, 5])
    #expect(all.failures.map(\.row) == [2, 4, 5])
  }

  @Test func refusesWhatIsNestedTooDeeply() throws {
    var limits = RecordLimits()
    limits.depth = 3
    #expect(try readAll(Array("[[[1]]]".utf8), limits: limits).values.count == 1)
    let error = #expect(throws: ImportError.self) {
      try readAll(Array("[[[[[1]]]]]".utf8), limits: limits)
    }
    #expect(error?.code == .tooLarge)
  }

  @Test func refusesARecordThatIsTooLarge() throws {
    var limits = RecordLimits()
    limits.size = 1000
    let text = "[{\"a\": \"" + String(repeating: "x", count: 5000) + "\"}]"
    let error = #expect(throws: ImportError.self) {
      try readAll(Array(text.utf8), block: 100, limits: limits)
    }
    #expect(error?.code == .tooLarge)
  }

  @Test func aRecordInOnePieceHasTheSameLimit() throws {
    var limits = RecordLimits()
    limits.size = 1000
    let large = "{\"a\": \"" + String(repeating: "x", count: 5000) + "\"}"
    for text in ["[\(large)]", "{\"a\": 1}\n\(large)\n", large] {
      for block in [100, 1 << 20] {
        let error = #expect(throws: ImportError.self) {
          try readAll(Array(text.utf8), block: block, limits: limits)
        }
        #expect(error?.code == .tooLarge, "\(block)")
      }
    }
  }

  @Test func windowsMakeNoDifference() throws {
    let text =
      #"[{"name": "Žofie", "n": -12.5e3, "t": [true, null, "\u00e9\n"]}, {"k": {"l": 10}}]"#
    let whole = try readAll(Array(text.utf8)).values
    for block in 1...40 { #expect(try readAll(Array(text.utf8), block: block).values == whole) }
  }

  @Test func rowsAreCountedAcrossBatches() throws {
    let text = (1...250).map { "{\"n\": \($0)}" }.joined(separator: "\n")
    var reader = JSONReader(ByteSource(Array(text.utf8)), .automatic, RecordLimits(), block: 64)
    var rows: [Int] = []
    while let batch = try reader.next(7) {
      rows += batch.records.map(\.row)
      for record in batch.records { #expect(batch.place(of: record.start)?.line == record.row) }
    }
    #expect(rows == Array(1...250))
  }

  private func read(_ text: String, _ form: JSONForm = .automatic) throws -> [ImportValue] {
    let all = try readAll(Array(text.utf8), form)
    #expect(all.failures.isEmpty)
    return all.values
  }
}
