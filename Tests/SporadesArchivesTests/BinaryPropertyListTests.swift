// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesTesting
import Testing

@testable import SporadesArchives

/// Metadata is read as Foundation reads it, without Foundation.
@Suite struct BinaryPropertyListTests {
  private func value(_ objects: [UInt8]...) throws -> MetadataValue {
    try MetadataValue.read(propertyList: HandMadeList(objects).bytes)
  }

  /// The entries of a list whose outermost object is a dictionary.
  private func read(_ bytes: [UInt8]) throws -> [String: MetadataValue] {
    guard case .dictionary(let entries) = try MetadataValue.read(propertyList: bytes) else {
      throw PropertyListError("it is no dictionary")
    }
    return entries
  }

  // MARK: - Agreement with Foundation

  @Test(arguments: 0..<200 as Range<UInt64>)
  func readsWhatFoundationWrites(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var metadata: [String: MetadataValue] = [:]
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      metadata[Self.text(&random)] = Self.value(&random, depth: 0)
    }
    let read = try read(MetadataValue.binaryPropertyList(metadata))
    #expect(read == metadata.mapValues(Self.withWholeNumbers))
  }

  @Test func readsEveryOtherFormAsBefore() throws {
    let metadata: [String: MetadataValue] = [
      "text": .string("a"), "number": .integer(-5), "truth": .boolean(true), "real": .double(0.5),
      "date": .date(1), "bytes": .data([1, 2]), "list": .list([.integer(1), .boolean(false)]),
    ]
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
      <key>text</key><string>a</string><key>number</key><integer>-5</integer>
      <key>truth</key><true/><key>real</key><real>0.5</real>
      <key>date</key><date>2001-01-01T00:00:01Z</date><key>bytes</key><data>AQI=</data>
      <key>list</key><array><integer>1</integer><false/></array></dict></plist>
      """
    #expect(try read(Array(xml.utf8)) == metadata)
    let error = #expect(throws: PropertyListError.self) { try read([1, 2, 3]) }
    #expect(error?.reason == "it is no property list, in binary or in XML")
  }

  /// Swift's texts are equal if they look the same, and so are the two zeros.
  @Test func equalLookingValuesKeepTheirBytes() throws {
    let texts = ["\u{E9}", "e\u{301}"]
    let bytes = try MetadataValue.binaryPropertyList(["list": .list(texts.map { .string($0) })])
    guard case .list(let items)? = try read(bytes)["list"] else {
      Issue.record("The list is gone.")
      return
    }
    let scalars: [[UInt32]] = items.map { item in
      if case .string(let text) = item { text.unicodeScalars.map(\.value) } else { [] }
    }
    #expect(scalars == [[0xE9], [0x65, 0x301]])
    var writer = KeyedArchiveWriter()
    let references = [writer.text(texts[0]), writer.text(texts[1])]
    #expect(references[0] != references[1])
    let zeros = [writer.scalar(.double(0)), writer.scalar(.double(-0.0))]
    #expect(zeros[0] != zeros[1])
  }

  /// A property list has one kind of number for those who ask for an integer first.
  private static func withWholeNumbers(_ value: MetadataValue) -> MetadataValue {
    switch value {
    case .double(let number): Int64(exactly: number).map { .integer($0) } ?? value
    case .list(let items): .list(items.map(withWholeNumbers))
    case .dictionary(let entries): .dictionary(entries.mapValues(withWholeNumbers))
    default: value
    }
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let letters: [Character] =
      Bool.random(using: &random) ? ["a", "Z", "9", " ", "\0"] : ["a", "é", "語", "😀", "\u{301}"]
    let length = [0, 1, 3, 14, 15, 16, 255, 256, 300].randomElement(using: &random) ?? 0
    return String((0..<length).map { _ in letters.randomElement(using: &random) ?? "a" })
  }

  private static func value(_ random: inout SeededGenerator, depth: Int) -> MetadataValue {
    switch Int.random(in: 0..<(depth < 4 ? 9 : 6), using: &random) {
    case 0: return .string(text(&random))
    case 1:
      let size = Int64.random(in: 0..<63, using: &random)
      let number = Int64.random(in: 0...(1 << size), using: &random)
      return .integer(Bool.random(using: &random) ? number : -1 - number)
    case 2:
      let whole = Double(Int.random(in: -3...3, using: &random))
      return .double(
        [whole, whole / 7, 1e300, -.infinity, 0x1p63, .leastNonzeroMagnitude].randomElement(
          using: &random) ?? 0)
    case 3: return .boolean(Bool.random(using: &random))
    case 4: return .date(Double.random(in: -1e9...1e9, using: &random))
    case 5:
      let length = [0, 1, 14, 15, 300, 70_000].randomElement(using: &random) ?? 0
      return .data((0..<length).map { UInt8(truncatingIfNeeded: $0) })
    case 6:
      let length = [0, 1, 5, 20].randomElement(using: &random) ?? 0
      return .list((0..<length).map { _ in value(&random, depth: depth + 2) })
    default:
      var entries: [String: MetadataValue] = [:]
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        entries[text(&random)] = value(&random, depth: depth + 1)
      }
      return .dictionary(entries)
    }
  }

  // MARK: - Values

  @Test func readsNumbersOfEverySize() throws {
    let ones = [UInt8](repeating: 0xFF, count: 16)
    #expect(try value([0x10, 0xFF]) == .integer(255))
    #expect(try value([0x11] + ones.prefix(2)) == .integer(65_535))
    #expect(try value([0x12] + ones.prefix(4)) == .integer(4_294_967_295))
    #expect(try value([0x13] + ones.prefix(8)) == .integer(-1))
    #expect(try value([0x14] + ones) == .integer(-1))
    #expect(try value([0x14] + HandMadeList.number(5, width: 16)) == .integer(5))
    #expect(
      try value([0x14] + [UInt8](repeating: 0, count: 8) + ones.prefix(8)) == .double(0x1p64))
    #expect(try value([0x14, 1] + [UInt8](repeating: 0, count: 15)) == .double(0x1p120))
  }

  @Test func readsRealsAndDates() throws {
    #expect(try value([0x22, 0x3F, 0, 0, 0]) == .double(0.5))
    #expect(try value([0x23, 0x3F, 0xE0, 0, 0, 0, 0, 0, 0]) == .double(0.5))
    #expect(try value([0x22, 0x40, 0x40, 0, 0]) == .integer(3))
    #expect(try value([0x33, 0x40, 0x08, 0, 0, 0, 0, 0, 0]) == .date(3))
    guard case .double(let number) = try value([0x22, 0x7F, 0xC0, 0, 0]) else {
      Issue.record("A real that is no number is still a real.")
      return
    }
    #expect(number.isNaN)
  }

  @Test func readsTruthDataAndTexts() throws {
    #expect(try value([0x08]) == .boolean(false))
    #expect(try value([0x09]) == .boolean(true))
    #expect(try value([0x42, 1, 2]) == .data([1, 2]))
    #expect(try value([0x4F, 0x13, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2]) == .data([1, 2]))
    #expect(try value([0x52, 0x61, 0x62]) == .string("ab"))
    #expect(try value(HandMadeList.text("$null")) == .string("$null"))
    #expect(try value([0x63, 0, 0xE9, 0xD8, 0x3D, 0xDE, 0x00]) == .string("é😀"))
  }

  @Test func readsSetsAsLists() throws {
    #expect(try value([0xC2, 1, 2], [0x10, 1], [0x09]) == .list([.integer(1), .boolean(true)]))
  }

  @Test func readsTheLastOfEqualKeys() throws {
    let read = try value([0xD2, 1, 1, 2, 3], HandMadeList.text("a"), [0x10, 1], [0x10, 2])
    #expect(read == .dictionary(["a": .integer(2)]))
  }

  @Test(arguments: 1...8, 1...8)
  func readsReferencesAndOffsetsOfEveryWidth(_ references: Int, _ offsets: Int) throws {
    let numbers = [1, 2, 3].flatMap { HandMadeList.number($0, width: references) }
    var list = HandMadeList([0xA3] + numbers, [0x09], [0x08], HandMadeList.text("x"))
    list.referenceWidth = references
    list.offsetWidth = offsets
    #expect(
      try MetadataValue.read(propertyList: list.bytes)
        == .list([.boolean(true), .boolean(false), .string("x")]))
  }

  @Test func whatCouldNotBeReadAgainIsNotWritten() throws {
    func metadata(_ lists: Int) -> [String: MetadataValue] {
      ["a": (0..<lists).reduce(.integer(1)) { value, _ in .list([value]) }]
    }
    let deepest = metadata(BinaryPropertyList.depthLimit - 1)
    #expect(try read(MetadataValue.binaryPropertyList(deepest)) == deepest)
    let error = #expect(throws: PropertyListError.self) {
      try MetadataValue.binaryPropertyList(metadata(BinaryPropertyList.depthLimit))
    }
    #expect(error?.reason.contains("256 containers deep") == true)
  }

  @Test func readsSharedObjectsAndDeepOnes() throws {
    #expect(
      try value([0xA2, 1, 1], [0xA2, 2, 2], [0x09])
        == .list([
          .list([.boolean(true), .boolean(true)]), .list([.boolean(true), .boolean(true)]),
        ]))
    _ = try MetadataValue.read(propertyList: Self.nested(BinaryPropertyList.depthLimit))
  }

  /// Lists within lists, and an empty one at the end.
  static func nested(_ depth: Int) -> [UInt8] {
    var list = HandMadeList(
      (1..<depth).map { [0xA1] + HandMadeList.number(UInt64($0), width: 2) } + [[0xA0]])
    list.referenceWidth = 2
    list.offsetWidth = 2
    return list.bytes
  }
}
