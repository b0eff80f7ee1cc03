// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@testable import SporadesModelFiles

/// The XML reader, with large, deep or randomly broken text.
@Suite struct XMLReaderLimitTests {
  private func code(_ text: String) -> ModelError.Code? { code(Array(text.utf8)) }

  /// The code of the refusal; nil if the reader accepts the text.
  private func code(_ bytes: [UInt8]) -> ModelError.Code? {
    do {
      _ = try XMLReader.read(bytes, file: "contents")
      return nil
    } catch {
      return error.problems.first?.code
    }
  }

  private func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  @Test func readsAsDeepAsTheLimitAndNoDeeper() {
    let limit = ModelFileLimit.depth
    #expect(code(repeated("<a>", limit) + repeated("</a>", limit)) == nil)
    #expect(code(repeated("<a>", limit) + "<b/>" + repeated("</a>", limit)) == .tooLarge)
    #expect(code(repeated("<a>", 100_000)) == .tooLarge)
  }

  @Test func readsAsManyElementsAsTheLimitAndNoMore() {
    let limit = ModelFileLimit.elements
    #expect(code("<a>\(repeated("<b/>", limit - 1))</a>") == nil)
    #expect(code("<a>\(repeated("<b/>", limit))</a>") == .tooLarge)
  }

  /// Each text would take minutes in a reader that reads earlier parts again and again.
  @Test func readsLargeTextInOnePass() {
    let size = 300_000
    #expect(code("<a b='\(repeated("x", size))'/>") == nil)
    #expect(code("<a b='\(repeated("&#1", size / 3))'/>") == .malformedFile)
    #expect(code("<a b='&#\(repeated("0", size))65;'/>") == nil)
    #expect(code("<\(repeated("n", size))>") == .malformedFile)
    #expect(code("<a>\(repeated("]", size))</a>") == nil)
    #expect(code("<a><!--\(repeated("- ", size / 2))--></a>") == nil)
    #expect(code("<a>\(repeated("\n<b c='\n'/>\n", 20_000))</a>") == nil)
    #expect(code("<a><![CDATA[\(repeated("]", size))") == .malformedFile)
    let attributes = (0..<10_000).map { " a\($0)='\($0)'" }.joined()
    #expect(code("<a\(attributes)/>") == nil)
    #expect(code("<a\(attributes) a9999=''/>") == .malformedFile)
  }

  @Test func refusesTextAboveTheLimitWithoutReadingIt() {
    #expect(code([UInt8](repeating: 0xFF, count: ModelFileLimit.bytes + 1)) == .tooLarge)
  }

  @Test func everyMutationIsReadOrRefused() {
    var random = Generator(state: 0xF00D)
    var read = 0
    var refused = 0
    for _ in 0..<5_000 {
      var bytes = Array(Self.sample.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) { Self.mutate(&bytes, &random) }
      if code(bytes) == nil { read += 1 } else { refused += 1 }
    }
    #expect(read + refused == 5_000)
    #expect(read > 100)
    #expect(refused > 100)
  }

  @Test func randomMarkupIsReadOrRefused() {
    let parts = [
      "<", ">", "/", "a", "=", "'", "\"", "&", ";", "#", "x", "1", "!", "--", "[CDATA[", "]]>", "?",
      "xml", " ", "\n", "<a>", "</a>", "<a/>", "é", "amp;", "\u{301}",
    ]
    var random = Generator(state: 0xBEEF)
    var read = 0
    for _ in 0..<10_000 {
      let count = Int.random(in: 0..<12, using: &random)
      let heap = (0..<count).compactMap { _ in parts.randomElement(using: &random) }.joined()
      if code("<a>\(heap)</a>") == nil { read += 1 }
    }
    #expect(read > 100)
    #expect(read < 9_900)
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout Generator) {
    guard !bytes.isEmpty else { return }
    let place = Int.random(in: bytes.indices, using: &random)
    let end = min(place + Int.random(in: 1...20, using: &random), bytes.count)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.removeSubrange(place..<end)
    case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 3: bytes[place] = Array("<>&\"'=/;#x! -]?".utf8).randomElement(using: &random) ?? 0
    case 4: bytes.removeSubrange(place...)
    default: bytes.swapAt(place, Int.random(in: bytes.indices, using: &random))
    }
  }

  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state ^ state >> 29) &* 0xBF58_476D_1CE4_E5B9
    }
  }

  private static let sample = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <!-- a model --><?editor state?>
    <model type='x' name="é &amp; &#x1F600; &#10;">
      text &lt; <![CDATA[ <raw> ]]>
      <entity name="A" note="line
    end"><attribute name="n" attributeType="String"/></entity>
      <elements><element name="A" x="1"/></elements>
    </model>
    """
}
