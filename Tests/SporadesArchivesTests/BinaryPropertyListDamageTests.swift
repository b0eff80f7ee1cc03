// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesTesting
import Testing

@testable import SporadesArchives

/// Metadata nobody means well with: reading it ends soon, in an error that says what is wrong.
@Suite struct BinaryPropertyListDamageTests {
  struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    init(_ sentence: String, _ objects: [UInt8]...) {
      self.init(sentence, HandMadeList(objects))
    }

    init(
      _ sentence: String, _ list: HandMadeList, _ change: (inout HandMadeList) -> Void = { _ in }
    ) {
      var list = list
      change(&list)
      testDescription = sentence
      bytes = list.bytes
    }

    init(_ sentence: String, bytes: [UInt8]) {
      testDescription = sentence
      self.bytes = bytes
    }
  }

  @Test(arguments: files + numbers + objects + containers)
  func isRefused(_ damage: Damage) throws {
    let error = #expect(throws: PropertyListError.self) {
      try MetadataValue.read(propertyList: damage.bytes)
    }
    #expect(error?.reason == damage.testDescription)
  }

  private static let truth = HandMadeList([0x09])
  private static let huge = UInt64.max

  private static let files = [
    Damage("it is too short for a property list", bytes: Array("bplist00".utf8)),
    Damage("it is too short for a property list", bytes: Array(truth.bytes.dropLast(4))),
    Damage("its numbers have an impossible width", truth) { $0.offsetWidth = 0 },
    Damage("its numbers have an impossible width", truth) { $0.offsetWidth = 9 },
    Damage("its numbers have an impossible width", truth) { $0.referenceWidth = 0 },
    Damage("its numbers have an impossible width", truth) { $0.referenceWidth = 255 },
    Damage("its table of objects is out of its bounds", truth) { $0.tableStart = 7 },
    Damage("its table of objects is out of its bounds", truth) { $0.tableStart = 11 },
    Damage("its table of objects is out of its bounds", truth) { $0.tableStart = huge },
    Damage("its table of objects is out of its bounds", truth) { $0.count = 2 },
    Damage("its table of objects is out of its bounds", truth) { $0.count = huge },
    Damage("it names object 0 and has 0", truth) { $0.count = 0 },
    Damage("it names object 1 and has 1", truth) { $0.top = 1 },
    Damage("it names object \(huge) and has 1", truth) { $0.top = huge },
    // The offset of the only object is the first byte of the table.
    Damage("object 0 is out of its bounds", HandMadeList([7])) { $0.tableStart = 8 },
    Damage("object 0 is out of its bounds", HandMadeList([9])) { $0.tableStart = 8 },
  ]

  private static let numbers = [
    Damage("a number has 2^5 bytes", [0x15] + [UInt8](repeating: 0, count: 32)),
    Damage("a real has 1 bytes", [0x20, 1]),
    Damage("a real has 16 bytes", [0x24] + [UInt8](repeating: 0, count: 16)),
    Damage("a date has 4 bytes", [0x32, 0, 0, 0, 0]),
    Damage("an object goes beyond its end", [0x13, 0, 0]),
    Damage("an object goes beyond its end", [0x23, 0, 0]),
    Damage("an object goes beyond its end", [0x33, 0, 0]),
  ]

  private static let objects = [
    Damage("it contains a null as a value", [0x00]),
    Damage("it contains a filler as a value", [0x0F]),
    Damage("it contains a reference of an archive", [0x80, 1]),
    Damage("object 0 has the unknown kind 112", [0x70]),
    Damage("object 0 has the unknown kind 176", [0xB0]),
    Damage("object 0 has the unknown kind 255", [0xFF]),
    Damage("an object goes beyond its end", [0x42, 1]),
    Damage("an object goes beyond its end", [0x52, 0x61]),
    Damage("an object goes beyond its end", [0x62, 0, 0x61, 0]),
    Damage("an object goes beyond its end", [0xA1]),
    Damage("an object goes beyond its end", [0xD1, 0]),
    Damage("an object goes beyond its end", [0x4F]),
    Damage("an object goes beyond its end", [0x4F, 0x10]),
    Damage("an object goes beyond its end", [0x4F, 0x10, 1]),
    Damage(
      "an object goes beyond its end", [0x6F, 0x13, 0x7F] + [UInt8](repeating: 255, count: 7)),
    Damage(
      "an object goes beyond its end", [0xDF, 0x13, 0x7F] + [UInt8](repeating: 255, count: 7)),
    Damage("the size of an object is no number", [0x4F, 0x50]),
    Damage(
      "the size of an object is impossible",
      [0x4F, 0x13] + HandMadeList.number(huge, width: 8)),
    Damage(
      "the size of an object is impossible",
      [0x4F, 0x14, 1] + [UInt8](repeating: 0, count: 15)),
    Damage("a text is marked as ASCII and is not", [0x52, 0xC3, 0xA9]),
    Damage("a text is marked as UTF-16 and is not", [0x62, 0xD8, 0x00, 0, 0x61]),
  ]

  private static let containers = [
    Damage("a key is no text", [0xD1, 1, 1], [0x10, 1]),
    Damage("it names object 9 and has 1", [0xA1, 9]),
    Damage("object 0 contains itself", [0xA1, 0]),
    Damage("object 0 contains itself", [0xA1, 1], [0xD1, 2, 0], HandMadeList.text("a")),
    Damage("a key is no text", [0xD1, 0, 0]),
    Damage(
      "it is more than 256 containers deep",
      bytes: BinaryPropertyListTests.nested(BinaryPropertyList.depthLimit + 1)),
    // Forty lists, each naming the next one twice.
    Damage(
      "its shared objects would make too large a value",
      HandMadeList((1...40).map { [0xA2, $0, $0] } + [[0x09]])),
    // A long text that is named very often.
    Damage(
      "its shared objects would make too large a value",
      HandMadeList([
        [0xAF, 0x11, 0x10, 0] + [UInt8](repeating: 1, count: 4096),
        [0x4F, 0x11, 0x10, 0] + [UInt8](repeating: 0, count: 4096),
      ])
    ) { $0.offsetWidth = 2 },
  ]

  @Test func everyMutationIsReadOrRefused() throws {
    var random = SeededGenerator(seed: 0x5EED)
    let original = try MetadataValue.binaryPropertyList([
      "NSStoreType": .string("SQLite"), "名": .string("é😀"), "version": .integer(1522),
      "hashes": .dictionary(["A": .data([1, 2, 3]), "B": .data(Array(0..<40))]),
      "list": .list([.boolean(true), .double(0.5), .date(7), .list([.integer(-1)])]),
    ])
    var read = 0
    var refused = 0
    for _ in 0..<5_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) { Self.mutate(&bytes, &random) }
      do throws(PropertyListError) {
        _ = try MetadataValue.read(propertyList: bytes)
        read += 1
      } catch {
        #expect(!error.reason.isEmpty)
        refused += 1
      }
    }
    #expect(read > 200)
    #expect(refused > 200)
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: bytes.indices, using: &random)
    let end = min(place + Int.random(in: 1...20, using: &random), bytes.count)
    switch Int.random(in: 0..<7, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.removeSubrange(place..<end)
    case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 3: bytes[place] = [0xA1, 0xDF, 0x4F, 0x13, 0xFF, 0].randomElement(using: &random) ?? 0
    // The trailer decides about everything else.
    case 4: bytes[max(0, bytes.count - 1 - place % 32)] = UInt8.random(in: 0...9, using: &random)
    case 5: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    default: bytes.swapAt(place, Int.random(in: bytes.indices, using: &random))
    }
  }
}
