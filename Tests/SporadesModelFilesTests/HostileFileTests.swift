// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel
import SporadesModelFiles
import Testing

/// The reader refuses hostile files soon.
@Suite struct HostileFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func code(_ data: Data) throws -> ModelError.Code? {
    let url = try folder.write(data, to: "contents")
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: url) }
    #expect(error?.problems.first?.location?.file.hasSuffix("contents") == true)
    return error?.problems.first?.code
  }

  private func code(_ text: String) throws -> ModelError.Code? { try code(Data(text.utf8)) }

  @Test func refusesEntitiesThatExpandOneAnother() throws {
    let levels = (1...9).map { level in
      "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
    }
    let bomb = """
      <?xml version="1.0"?>
      <!DOCTYPE model [<!ENTITY l0 "lol">\(levels.joined())]>
      <model><entity name="&l9;"/></model>
      """
    #expect(try code(bomb) == .malformedFile)
  }

  @Test func refusesEntitiesOfOtherFiles() throws {
    #expect(
      try code(
        "<!DOCTYPE m [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><model><entity name=\"&x;\"/></model>"
      )
        == .malformedFile)
  }

  @Test func refusesDeepNesting() throws {
    let deep = String(repeating: "<elements>", count: 100_000)
    #expect(try code("<model>\(deep)") == .tooLarge)
  }

  @Test func refusesMoreElementsThanAnyModelHas() throws {
    let many = String(repeating: "<elements/>", count: 200_001)
    #expect(try code("<model>\(many)</model>") == .tooLarge)
  }

  @Test func refusesFilesThatAreTooLarge() throws {
    let url = try folder.write(Data(repeating: 0x20, count: 17 << 20), to: "contents")
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: url) }
    #expect(error?.problems.map(\.code) == [.tooLarge])
  }

  @Test(arguments: ["bplist00", "bplist00" + String(repeating: "a", count: 100)])
  func refusesWhatIsNoCompiledModel(_ text: String) throws {
    let url = try folder.write(text, to: "contents")
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: url) }
    #expect(error?.problems.map(\.code) == [.malformedFile])
    #expect(error?.description.contains(url.path) == true)
  }

  @Test func refusesEmptyFilesAndOtherText() throws {
    #expect(try code("") == .malformedFile)
    #expect(try code("hello") == .malformedFile)
    #expect(try code("{\"model\": 1}") == .malformedFile)
    #expect(try code("<html></html>") == .malformedFile)
  }

  @Test func refusesFilesThatEndTooEarly() throws {
    let text = TemporaryFolder.text(#"<entity name="A"/>"#)
    for count in 0..<(text.utf8.count - 1) {
      #expect(try code(String(decoding: text.utf8.prefix(count), as: UTF8.self)) == .malformedFile)
    }
  }

  @Test func refusesOtherEncodings() throws {
    let text = #"<?xml version="1.0" encoding="UTF-16"?><model/>"#
    #expect(try code(try #require(text.data(using: .utf16))) == .malformedFile)
    #expect(try code(text) == .malformedFile)
    #expect(
      try code(#"<?xml version="1.0" encoding = 'ISO-8859-1'?><model/>"#) == .malformedFile)
    #expect(
      try code(Data("<model name=\"".utf8) + [0xFF, 0xFE] + Data("\"/>".utf8)) == .malformedFile)
  }

  @Test func refusesAttributesGivenTwice() throws {
    #expect(try code(#"<model><entity name="A" name="B"/></model>"#) == .malformedFile)
  }

  @Test func readsAByteOrderMark() throws {
    let text = TemporaryFolder.text(#"<entity name="A"/><!-- a comment -->"#)
    let url = try folder.write(Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8), to: "contents")
    #expect(try ManagedObjectModel(contentsOf: url).entities.map(\.name) == ["A"])
  }

  @Test func refusesPathsThatAreNotFiles() {
    for path in ["/dev/zero", "/nowhere/at/all", "/"] {
      let error = #expect(throws: ModelError.self) {
        try ManagedObjectModel(contentsOf: URL(fileURLWithPath: path))
      }
      #expect(error?.problems.map(\.code) == [.unreadableFile])
    }
  }

  @Test func everyMutationLoadsOrThrows() throws {
    var random = Generator(state: 0x5EED)
    let original = Array(Self.sample.utf8)
    var loaded = 0
    var refused = 0
    for _ in 0..<600 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) { Self.mutate(&bytes, &random) }
      let url = try folder.write(Data(bytes), to: "contents")
      do {
        _ = try ManagedObjectModel(contentsOf: url).versionChecksum
        loaded += 1
      } catch {
        #expect(!error.problems.isEmpty)
        refused += 1
      }
    }
    #expect(loaded + refused == 600)
    #expect(loaded > 0)
    #expect(refused > 0)
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout Generator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: bytes.indices, using: &random)
    let length = min(Int.random(in: 1...40, using: &random), bytes.count - place)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.removeSubrange(place..<place + length)
    case 2: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
    case 3: bytes[place] = Array("<>&\"'=/0-9".utf8).randomElement(using: &random) ?? 0
    default:
      let other = Int.random(in: bytes.indices, using: &random)
      bytes.swapAt(place, other)
    }
  }

  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
    }
  }

  private static let sample = TemporaryFolder.text(
    """
    <entity name="Person" representedClassName="Person" syncable="YES">
      <attribute name="name" optional="YES" attributeType="String" minValueString="1"/>
      <attribute name="age" attributeType="Integer 16" defaultValueString="0" maxValueString="200"/>
      <attribute name="count" attributeType="Integer 64" derived="YES" derivationExpression="pets.@count"/>
      <attribute name="place" attributeType="Composite" composite="Place"/>
      <relationship name="pets" toMany="YES" minCount="1" maxCount="9" deletionRule="Cascade"
        destinationEntity="Pet" inverseName="owner" inverseEntity="Pet"/>
      <fetchIndex name="byName"><fetchIndexElement property="name" type="Binary" order="ascending"/></fetchIndex>
      <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints>
    </entity>
    <entity name="Pet" parentEntity="Person">
      <relationship name="owner" maxCount="1" deletionRule="Nullify" destinationEntity="Person"
        inverseName="pets" inverseEntity="Person"/>
    </entity>
    <fetchRequest name="old" entity="Person" predicateString="age &gt; 65 AND name BEGINSWITH $x"/>
    <configuration name="Local"><memberEntity name="Pet"/></configuration>
    <composite name="Place"><attribute name="x" attributeType="Double"/></composite>
    """)
}
