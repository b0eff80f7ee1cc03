// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Testing

@testable import SporadesSQLite

/// The bounds of the rows in the cache, and what goes first.
@Suite struct KeptRowsTests {
  private func page(_ keys: some Sequence<Int64>, _ note: String = "") -> RowPage {
    SharedItems.page(keys.map { SharedItems.Item(key: $0, value: $0, note: note) })
  }

  private func take(_ rows: inout KeptRows, _ keys: [Int64], upTo number: Int = 9) -> [Int64] {
    var builder = RowPageBuilder(layout: SharedItems.shape.layout)
    let missing = rows.take(keys.map(SharedItems.key), upTo: number, into: &builder)
    let found = SharedItems.items([builder.finish()])
    #expect(found.allSatisfy { $0.value == $0.key })
    #expect(found.map(\.key) == keys.filter { key in found.contains { $0.key == key } })
    #expect(found.count + missing.count == keys.count)
    return found.map(\.key)
  }

  @Test func rowsComeInTheOrderOfTheKeysAndNotFromALaterState() {
    var rows = KeptRows(limit: 1 << 20)
    #expect(rows.keep(page([1, 2, 3], "a longer note of a row"), number: 1) == 0)
    #expect(rows.keep(page([3, 4, 5]), number: 2) == 1)
    #expect(take(&rows, [5, 1, 7, 3]) == [5, 1, 3])
    #expect(take(&rows, [5, 1, 7, 3], upTo: 1) == [1, 3])
    #expect(take(&rows, [1], upTo: 0) == [])
    rows.remove(3)
    rows.remove(99)
    rows.remove(-1)
    #expect(take(&rows, [5, 1, 7, 3]) == [5, 1])
    rows.removeAll()
    #expect(rows.count == 0 && rows.byteCount == 0)
    #expect(take(&rows, [5, 1]) == [])
  }

  @Test func theOldestGoFirstUnlessTheyAreUsed() {
    var rows = KeptRows(limit: 64 << 10)
    _ = rows.keep(page(1...10), number: 1)
    for start in stride(from: Int64(100), to: 20_000, by: 10) {
      _ = rows.keep(page(start..<start + 10), number: 1)
      #expect(rows.byteCount <= 64 << 10)
      #expect(take(&rows, [1, 2]) == [1, 2])
    }
    #expect(take(&rows, [100, 110]) == [])
    #expect(take(&rows, [19_990]) == [19_990])
    // Of a page of which little is left, nothing stays.
    for key in Int64(2)...10 { rows.remove(key) }
    for start in stride(from: Int64(100), to: 20_000, by: 10) {
      _ = rows.keep(page(start..<start + 10), number: 1)
      _ = take(&rows, [1])
    }
    #expect(take(&rows, [1]) == [])
  }

  @Test func manySmallPagesThatGoAndComeLeaveNothingBehind() {
    var rows = KeptRows(limit: 1 << 20)
    for number in 0..<10_000 {
      rows.remove(1)
      _ = rows.keep(page([1]), number: number)
    }
    #expect(rows.count == 1)
    #expect(rows.byteCount < 1_000)
  }

  @Test func largePagesAreNotKept() {
    var rows = KeptRows(limit: 64 << 10)
    _ = rows.keep(page(1...300), number: 1)
    _ = rows.keep(page([1], String(repeating: "x", count: 20_000)), number: 1)
    #expect(rows.count == 0)
  }
}
