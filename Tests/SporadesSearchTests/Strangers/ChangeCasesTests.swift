// SPDX-License-Identifier: MIT
import Sporades
import Testing

@testable import SporadesSearch

/// Rows that change, as the tests of SQLite's full-text search (aa, ae, ai, delete, simple, update, contentless, restart, misc,
/// secure6, unindexed) know them.
@Suite struct ChangeCasesTests {
  private static let letters = [
    ["g f d b f", "h h e i a"], ["f i g j e", "i j c f f"], ["e e i f a", "e h f d f"],
    ["h j f j i", "h a c f j"], ["d b j c g", "f e i b e"], ["a j a e e", "j d f d e"],
    ["g i j c h", "j d h c a"], ["j j i d d", "e e d f b"], ["c j j d c", "h j i f g"],
    ["b f h i a", "c f b b j"],
  ]

  private func delete(_ number: Int, from table: RowTable<WordRow>) throws {
    try table.write { context in context.delete(try RowTable<WordRow>.row(number, in: context)) }
  }

  private func change(
    _ number: Int, in table: RowTable<WordRow>, to texts: [String?]
  ) throws {
    try table.write { context in
      let row = try RowTable<WordRow>.row(number, in: context)
      for (text, path) in zip(texts, WordRow.texts) { row[keyPath: path] = text }
    }
  }

  @Test func rowsComeAndGo() throws {
    let table = try RowTable<WordRow>(Self.letters)
    #expect(try table.numbers("b") == [1, 5, 8, 10])
    for number in [5, 9, 8, 1, 2, 4, 10, 7, 3, 6] {
      try delete(number, from: table)
      #expect(try !table.numbers("j OR f").contains(number))
      try table.expectSound()
    }
    #expect(try table.numbers("a OR e OR j OR f") == [])
    for (place, texts) in Self.letters.enumerated() { try table.insert([(place + 1, texts)]) }
    #expect(try table.numbers("b") == [1, 5, 8, 10])
    try table.write { context in
      for row in try WordRow.all(in: context) { context.delete(row) }
    }
    #expect(try table.numbers("b") == [])
    try table.expectSound()
  }

  @Test func rowsComeOneByOne() throws {
    let table = try RowTable<WordRow>([])
    for (texts, numbers) in [
      (["hello", "world"], [1]), (["world", "hello"], [1, 2]), (["world", "world"], [1, 2]),
      (["hello", "hello"], [1, 2, 4]),
    ] as [([String], [Int])] {
      let next = try table.numbers(WordRow.request).count + 1
      try table.insert([(next, texts)])
      #expect(try table.numbers("hello") == numbers)
    }
    let letters = try RowTable<WordRow>([["o n e"], ["t w o"]])
    #expect(try letters.numbers("o") == [1, 2])
    try delete(2, from: letters)
    try letters.expect([("o", [1]), ("\"\"", []), ("w", [])])
  }

  /// One transaction writes a row, deletes another, and writes the deleted text again.
  @Test func manyChangesOfOneTransaction() throws {
    let table = try RowTable<WordRow>(numbered: [(2, ["bbb"])])
    #expect(try table.numbers("bbb") == [2])
    try table.write { context in
      try RowTable<WordRow>.insert(1, ["aaa"], in: context)
      context.delete(try RowTable<WordRow>.row(2, in: context))
      try RowTable<WordRow>.insert(3, ["bbb"], in: context)
    }
    try table.expect([("a*", [1]), ("b*", [3])])
    try table.write { context in
      context.delete(try RowTable<WordRow>.row(3, in: context))
      #expect(try WordRow.search("bbb").count(in: context) == 0)
      try RowTable<WordRow>.insert(3, ["bbb"], in: context)
      #expect(try WordRow.search("bbb").count(in: context) == 1)
    }
    try table.expect([("bbb", [3]), ("aaa", [1])])
    try table.write { context in
      try RowTable<WordRow>.insert(4, ["AAAA"], in: context)
      let long = String(repeating: "B", count: 80) + "*"
      #expect(try WordRow.search(Search(long)).count(in: context) == 0)
    }
    try table.expect([("a*", [1, 4])])
    try table.expectSound()
  }

  @Test func textsAreReplaced() throws {
    let table = try RowTable<WordRow>(numbered: [(22, ["a b c", "c b a"])])
    #expect(try table.numbers("a") == [22])
    for (text, other) in [("d e f", "f e d"), ("l l l", "l l l"), ("d e f", nil)] {
      try change(22, in: table, to: [text, other])
      #expect(try table.numbers("a") == [])
      #expect(try table.numbers("d") == (text == "l l l" ? [] : [22]))
      try table.expectSound()
    }
    let rows = try RowTable<WordRow>([
      ["one two three"], ["one two four"], ["one two five"], ["one two seven"], ["one two eight"],
    ])
    try delete(2, from: rows)
    try change(3, in: rows, to: ["four six"])
    try rows.expect([("one", [1, 4, 5]), ("four", [3])])
    try rows.insert([(6, ["one two eleven"])])
    try rows.expect([("one", [1, 4, 5, 6]), ("one NOT two", [])])
    try rows.expectSound()
  }

  @Test func numbersAndSignsAreTexts() throws {
    let table = try RowTable<WordRow>([["365062398"], ["0"], ["0"]])
    try table.expect([("0", [2, 3]), ("365*", [1])])
    try table.write { context in
      for row in try WordRow.all(in: context) { row.a = "399905135" }
    }
    try table.expect([("0", []), ("399905135", [1, 2, 3])])
    try table.write { context in
      for row in try WordRow.all(in: context) { row.b = "T,D&p^y/7#3*v<b<4j7|f" }
    }
    try table.expect([
      ("b:\"t d p y 7 3 v b 4j7 f\"", [1, 2, 3]), ("T,D&p^y/7#3*v<b<4j7|f", [1, 2, 3]),
      ("4j*", [1, 2, 3]), ("j7", []),
    ])
    try table.expectSound()
  }

  /// Rows that are written and thrown away, within others that stay.
  @Test func discardedRowsAreNotFound() throws {
    let table = try RowTable<WordRow>([["a b c"], ["d e f"]])
    try table.write { context in
      try RowTable<WordRow>.insert(3, ["g h i"], in: context)
      try RowTable<WordRow>.insert(4, ["j k l"], in: context)
      context.delete(try RowTable<WordRow>.row(1, in: context))
      #expect(try WordRow.search("g OR j OR a").count(in: context) == 2)
      context.rollback()
      #expect(try WordRow.search("g OR j OR a").count(in: context) == 1)
      try RowTable<WordRow>.insert(5, ["m n o"], in: context)
    }
    try table.expect([("a", [1]), ("g", []), ("k", []), ("n", [5])])
    try table.expectSound()
  }

  @Test func resultsAreDeletedWhileTheyAreRead() throws {
    let texts = ["1 2 3 4 5", "1 2 3 4", "2 3 4", "2 3", "3"]
    let table = try RowTable<WordRow>(texts.map { [$0] })
    try table.write { context in
      var seen: [Int] = []
      for row in try WordRow.search("3").sorted(by: \.number).fetch(in: context) {
        seen.append(row.number)
        if row.number == 3 { context.delete(row) }
      }
      #expect(seen == [1, 2, 3, 4, 5])
    }
    try table.expect([("3", [1, 2, 4, 5]), ("4", [1, 2])])
    try table.expectSound()
  }

  @Test func everySecondRowGoes() throws {
    let table = try RowTable<WordRow>((1...600).map { ["\($0 / 2 * 2)"] })
    #expect(try table.numbers("100") == [100, 101])
    try table.write { context in
      for row in try WordRow.all(in: context) where row.number.isMultiple(of: 2) {
        context.delete(row)
      }
      for number in stride(from: 601, to: 800, by: 2) {
        try RowTable<WordRow>.insert(number, ["\(number)"], in: context)
      }
    }
    try table.expect([("100", [101]), ("603", [603]), ("600", []), ("604", [])])
    try table.expectSound()
    try table.store.rebuildSearchIndex()
    try table.store.rebuildSearchIndex()
    try table.expect([("100", [101]), ("603", [603])])
  }

  @Test func wordsThatBeginAlikeGo() throws {
    let table = try RowTable<WordRow>(numbered: [
      (51869, ["when whenever where weress what turn"]), (51871, ["to were"]),
    ])
    try table.expect([("w*", [51869, 51871]), ("were*", [51869, 51871]), ("t*", [51869, 51871])])
    try delete(51871, from: table)
    try table.expect([("were", []), ("were*", [51869]), ("to", []), ("whe*", [51869])])
    try table.expectSound()
  }

  /// Rows exchange their texts again and again, some times in one transaction.
  @Test(arguments: [1, 5, 20]) func textsWander(changes: Int) throws {
    let texts = [
      ["eight zero iv eight 7", "ix one 8 one three ii one"],
      ["1 9 9 three viii", "5 zero ii 6 nine ix 3"],
      ["3 zero 5 2 seven nine", "two eight viii eight 1"],
      ["4 six two 5 9 vii", "viii ii four 8 i i iv"],
      ["vii 0 iv seven 7 viii", "five 1 nine vi seven"],
      ["1 zero zero iii 1", "one one six 6 nine seven"],
    ]
    let table = try RowTable<WordRow>(texts)
    for round in 0..<8 {
      try table.write { context in
        for step in 0..<changes {
          let row = try RowTable<WordRow>.row((round + step) % 6 + 1, in: context)
          row.a = texts[(round * 5 + step * 3) % 6][step % 2]
          row.b = texts[(round + step * 7) % 6][1]
        }
      }
      for word in ["zero", "one", "viii", "7", "ni*", "\"eight 1\""] { _ = try table.numbers(word) }
      try table.expectSound()
    }
  }

  @Test func otherAttributesAreNotSearched() throws {
    let table = try RowTable<WordRow>([["a b c"], ["g h i"]])
    try table.write { context in
      for row in try WordRow.all(in: context) { row.note = "d e f" }
    }
    try table.expect([("b", [1]), ("e", []), ("note:e", [])])
    try delete(1, from: table)
    try table.store.rebuildSearchIndex()
    try table.expect([("i", [2]), ("b", []), ("e", [])])
    try table.expectSound()
  }
}
