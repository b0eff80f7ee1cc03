// SPDX-License-Identifier: MIT

@testable import SporadesImport

/// Random values and their texts, and texts with random damage.
struct RandomInput {
  private var state: UInt64

  init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func number(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(limit))
  }

  private mutating func pick<Element>(_ items: [Element]) -> Element { items[number(items.count)] }

  private mutating func space() -> String { pick(["", "", "", " ", "\t", "  ", "\n", "\r\n"]) }

  /// A value, and a text that means it.
  mutating func value(_ depth: Int = 0) -> (ImportValue, String) {
    switch number(depth > 4 ? 5 : 8) {
    case 0: return (.null, "null")
    case 1: return (.boolean(true), "true")
    case 2: return (.boolean(false), "false")
    case 3:
      let digits = pick(["0", "-1", "12.5", "1e9", "-0.25E-3", "9007199254740993", "123456789"])
      return (.number(digits), digits)
    case 4: return text()
    case 5, 6:
      var (pairs, texts): ([(String, ImportValue)], [String]) = ([], [])
      for _ in 0..<number(5) {
        let (key, keyText) = text()
        let (value, valueText) = value(depth + 1)
        pairs.append((key.string ?? "", value))
        texts.append("\(space())\(keyText)\(space()):\(space())\(valueText)\(space())")
      }
      return (
        .record(ImportRecord(pairs)),
        "{\(texts.joined(separator: ","))\(texts.isEmpty ? space() : "")}"
      )
    default:
      let items = (0..<number(5)).map { _ in value(depth + 1) }
      let texts = items.map { "\(space())\($0.1)\(space())" }
      return (.array(items.map(\.0)), "[\(texts.joined(separator: ","))]")
    }
  }

  private mutating func text() -> (ImportValue, String) {
    var (plain, written) = ("", "")
    for _ in 0..<number(12) {
      let (character, form) = pick([
        ("a", "a"), ("Ž", "Ž"), ("😀", "😀"), ("\n", "\\n"), ("\"", "\\\""), ("é", "\\u00e9"),
        ("😀", "\\uD83D\\uDE00"), ("/", "\\/"),
        ("long text without anything", "long text without anything"),
      ])
      plain += character
      written += form
    }
    return (.text(plain), "\"\(written)\"")
  }

  /// Lines of CSV, and what they mean.
  mutating func table(_ delimiter: String) -> ([[String?]], String) {
    let width = 1 + number(4)
    var (rows, text) = (
      [[String?]](), (0..<width).map { "c\($0)" }.joined(separator: delimiter) + "\n"
    )
    for _ in 0..<number(6) {
      var (row, fields): ([String?], [String]) = ([], [])
      for _ in 0..<width {
        let plain = (0..<number(4)).map { _ in
          pick(["a", "Ž", "\"", ",", ";", "\n", "\r\n", " ", "x y"])
        }
        .joined()
        let isPlain = !plain.contains { "\",;\n\r\n".contains($0) }
        if isPlain, number(2) == 0 {
          row.append(plain.isEmpty ? nil : plain)
          fields.append(plain)
        } else {
          row.append(plain)
          fields.append(
            "\"\(plain.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
          )
        }
      }
      // A line of one empty field is no row, unless there is one column.
      rows.append(row)
      text += fields.joined(separator: delimiter) + pick(["\n", "\r\n"])
    }
    return (rows, text)
  }

  /// The bytes with some of them changed, removed, repeated or put in.
  mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<1 + number(4) where !bytes.isEmpty {
      let place = number(bytes.count)
      switch number(5) {
      case 0: bytes[place] = UInt8(number(256))
      case 1: bytes.remove(at: place)
      case 2:
        bytes.insert(
          pick(Array("{}[]\",:\\\n\r0-eEtfn;\u{0}".utf8) + [0xC3, 0xED, 0xFF]), at: place)
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + number(20)))
      default:
        bytes.insert(
          contentsOf: Array(bytes[place..<min(bytes.count, place + number(20))]), at: place)
      }
    }
    return bytes
  }
}
