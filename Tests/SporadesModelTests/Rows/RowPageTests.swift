// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@Suite struct RowPageTests {
  private let layout: RowLayout

  init() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "A",
        attributes: [
          AttributeDescription("number", .integer64), AttributeDescription("text", .string),
          AttributeDescription("real", .double), AttributeDescription("bytes", .binary),
        ], relationships: [.toOne("next", "A")])
    ])
    layout = model.shapes[0].layout
  }

  private func key(_ number: Int64) -> RowKey { RowKey(entity: 1, primaryKey: number) }

  @Test func aRowKeepsTheValuesThatWereSet() {
    var builder = RowPageBuilder(layout: layout)
    builder.appendRow(key(1), version: 7)
    builder.set(0, to: Int64(-5))
    builder.set(1, to: "Grüße")
    builder.set(2, to: 1.5)
    builder.set(3, to: [1, 2, 3] as [UInt8])
    builder.set(4, to: key(9))
    let page = builder.finish()
    #expect(page.count == 1)
    #expect(page.key(0) == key(1))
    #expect(page.version(0) == 7)
    #expect(Int64(bitPattern: page.word(0, slot: 0)) == -5)
    #expect(page.text(0, slot: 1) == "Grüße")
    #expect(Double(bitPattern: page.word(0, slot: 2)) == 1.5)
    #expect(unsafe page.withBytes(0, slot: 3) { unsafe Array($0) } == [1, 2, 3])
    #expect(RowKey(rawValue: page.word(0, slot: 4)) == key(9))
  }

  @Test func slotsThatAreNotSetAreNil() {
    var builder = RowPageBuilder(layout: layout)
    builder.appendRow(key(1), version: 1)
    builder.set(2, to: 0.0)
    let page = builder.finish()
    #expect((0..<5).map { page.isNull(0, slot: $0) } == [true, true, false, true, true])
    #expect(page.text(0, slot: 1) == nil)
  }

  @Test func emptyTextIsNotNil() {
    var builder = RowPageBuilder(layout: layout)
    builder.appendRow(key(1), version: 1)
    builder.set(1, to: "")
    builder.set(3, to: EmptyCollection<UInt8>())
    let page = builder.finish()
    #expect(page.text(0, slot: 1) == "")
    #expect(unsafe page.withBytes(0, slot: 3) { $0.count } == 0)
  }

  @Test(arguments: [0, 1, 254, 255, 256, 70_000])
  func textsAndBlobsOfAnyLengthLeaveTheirNeighboursUnchanged(_ length: Int) {
    let (text, bytes) = (
      String(repeating: "x", count: length), [UInt8](repeating: 7, count: length)
    )
    var builder = RowPageBuilder(layout: layout)
    for number in 0..<3 {
      builder.appendRow(key(Int64(number)), version: 1)
      builder.set(1, to: text + "\(number)")
      builder.set(3, to: bytes)
    }
    var copies = RowPageBuilder(layout: layout)
    let page = builder.finish()
    for number in 0..<3 { copies.appendCopy(of: number, in: page) }
    for page in [page, copies.finish()] {
      for number in 0..<3 {
        #expect(page.text(number, slot: 1) == text + "\(number)")
        #expect(unsafe page.withBytes(number, slot: 3) { unsafe Array($0) } == bytes)
      }
    }
  }

  /// A row keeps its texts in the order of their slots, in whatever order a program sets them.
  @Test(arguments: [1, 6, 8, 9, 40])
  func textsCanBeSetInAnyOrderAndMoreThanOnce(of slots: Int) throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "A", attributes: (0..<slots).map { AttributeDescription("a\($0)", .string) })
    ])
    let layout = model.shapes[0].layout
    let lengths = [0, 1, 30, 254, 255, 600]
    var builder = RowPageBuilder(layout: layout)
    var expected: [[String?]] = []
    for number in 0..<300 {
      builder.appendRow(key(Int64(number)), version: 1)
      var texts = [String?](repeating: nil, count: slots)
      for step in 0..<number % (slots * 2) {
        let slot = (number * 7 + step * step + step) % slots
        let text = String(repeating: "\(slot)", count: lengths[(number / 3 + step * 5) % 6])
        builder.set(slot, to: text)
        texts[slot] = text
      }
      expected.append(texts)
    }
    let page = builder.finish()
    let open = RowPage(openForChangedRowsOf: layout, capacity: 300)
    for index in 0..<300 {
      unsafe _ = open.openCopy(of: index, in: page)
      builder.appendCopy(of: index, in: page)
    }
    let copy = builder.finish()
    for index in 0..<300 { builder.appendCopy(of: index, in: open) }
    for page in [page, copy, open, builder.finish()] {
      let found = (0..<300).map { index in (0..<slots).map { page.text(index, slot: $0) } }
      #expect(found == expected)
    }
  }

  @Test func truthValuesAreZeroOrOne() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "A", attributes: (0..<9).map { AttributeDescription("a\($0)", .boolean) })
    ])
    var builder = RowPageBuilder(layout: model.shapes[0].layout)
    builder.appendRow(key(1), version: 1)
    for slot in 0..<8 { builder.set(slot, to: Int64(slot % 3 * 256)) }
    let page = builder.finish()
    #expect((0..<8).map { page.word(0, slot: $0) } == [0, 1, 1, 0, 1, 1, 0, 1])
    #expect((0..<9).map { page.isNull(0, slot: $0) } == Array(repeating: false, count: 8) + [true])
  }

  @Test func aBuilderGrowsWithItsRows() {
    var builder = RowPageBuilder(layout: layout, capacity: 1, byteCapacity: 0)
    for number in 0..<1000 {
      builder.appendRow(key(Int64(number)), version: Int64(number))
      if number % 3 != 0 { builder.set(1, to: String(repeating: "x", count: number % 50)) }
      builder.set(0, to: Int64(number * 2))
    }
    let page = builder.finish()
    #expect(page.count == 1000)
    for number in 0..<1000 {
      #expect(page.key(number).primaryKey == Int64(number))
      #expect(page.word(number, slot: 0) == UInt64(number * 2))
      let text = number % 3 != 0 ? String(repeating: "x", count: number % 50) : nil
      #expect(page.text(number, slot: 1) == text)
    }
  }

  @Test func aFinishedBuilderIsEmpty() {
    var builder = RowPageBuilder(layout: layout)
    builder.appendRow(key(1), version: 1)
    builder.set(1, to: "first")
    let first = builder.finish()
    #expect(builder.count == 0)
    builder.appendRow(key(2), version: 1)
    builder.set(1, to: "second, which is longer than sixteen bytes")
    let second = builder.finish()
    #expect(first.text(0, slot: 1) == "first")
    #expect(second.text(0, slot: 1) == "second, which is longer than sixteen bytes")
    #expect(builder.finish().count == 0)
  }

  @Test func copiesRowsOfOtherPages() {
    var builder = RowPageBuilder(layout: layout)
    for number in 0..<3 {
      builder.appendRow(key(Int64(number)), version: 4)
      builder.set(1, to: "text \(number)")
      builder.set(4, to: key(number == 1 ? 8 : 9))
    }
    let source = builder.finish()
    builder.appendCopy(of: 1, in: source)
    builder.set(0, to: Int64(3))
    let copy = builder.finish()
    #expect(copy.key(0) == key(1))
    #expect(copy.version(0) == 4)
    #expect(copy.text(0, slot: 1) == "text 1")
    #expect(copy.word(0, slot: 4) == key(8).rawValue)
    #expect((0..<5).map { copy.isNull(0, slot: $0) } == [false, false, true, true, false])
    #expect(source.isNull(1, slot: 0))
  }

  @Test func bytesOfSlicesAndLazySequencesAreCopied() {
    var builder = RowPageBuilder(layout: layout)
    builder.appendRow(key(1), version: 1)
    builder.set(3, to: [0, 1, 2, 3][1...2].map(UInt8.init)[...])
    builder.appendRow(key(2), version: 1)
    builder.set(3, to: (1...3).lazy.map { UInt8($0) * 2 })
    let page = builder.finish()
    #expect(unsafe page.withBytes(0, slot: 3) { unsafe Array($0) } == [1, 2])
    #expect(unsafe page.withBytes(1, slot: 3) { unsafe Array($0) } == [2, 4, 6])
  }

  @Test func aPageTrapsOutsideItsRowsAndSlots() async {
    await #expect(processExitsWith: .failure) { _ = try RowPageTests.onePage().isNull(0, slot: -1) }
    await #expect(processExitsWith: .failure) { _ = try RowPageTests.onePage().isNull(0, slot: 1) }
    await #expect(processExitsWith: .failure) { _ = try RowPageTests.onePage().word(0, slot: -1) }
    await #expect(processExitsWith: .failure) { _ = try RowPageTests.onePage().key(1) }
  }

  @Test func aBuilderTrapsOnAWordForBytesAndOnBytesForAWord() async {
    await #expect(processExitsWith: .failure) {
      var builder = try RowPageTests.oneRow(.string)
      builder.set(0, to: Int64(1))
    }
    await #expect(processExitsWith: .failure) {
      var builder = try RowPageTests.oneRow(.integer64)
      builder.set(0, to: "1")
    }
  }

  @Test func aBuilderTrapsOnACopyFromAnotherLayout() async {
    await #expect(processExitsWith: .failure) {
      let model = try ManagedObjectModel(entities: [EntityDescription("Other")])
      var builder = RowPageBuilder(layout: model.shapes[0].layout)
      builder.appendCopy(of: 0, in: try RowPageTests.onePage())
    }
  }

  private static func onePage() throws -> RowPage {
    var builder = try oneRow(.string)
    return builder.finish()
  }

  private static func oneRow(_ type: AttributeType) throws -> RowPageBuilder {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("A", attributes: [AttributeDescription("a", type)])
    ])
    var builder = RowPageBuilder(layout: model.shapes[0].layout)
    builder.appendRow(RowKey(entity: 1, primaryKey: 1), version: 1)
    return builder
  }
}
