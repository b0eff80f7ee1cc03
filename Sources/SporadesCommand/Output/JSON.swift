// SPDX-License-Identifier: MIT
import SporadesImport

/// A value of JSON whose members keep their order.
enum JSON: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case text(String)
  /// Text that is JSON already, such as the digits of a number.
  case written(String)
  case list([JSON])
  case object([(String, JSON)])

  static func count(_ number: Int) -> JSON { .integer(Int64(number)) }
  static func optional(_ text: String?) -> JSON { text.map(JSON.text) ?? .null }
  static func texts(_ texts: some Sequence<String>) -> JSON { .list(texts.map(JSON.text)) }

  /// The value on one line.
  var line: String {
    var bytes: [UInt8] = []
    append(to: &bytes, indent: nil)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value on as many lines as make it easy to read.
  var page: String {
    var bytes: [UInt8] = []
    append(to: &bytes, indent: 0)
    return String(decoding: bytes, as: UTF8.self) + "\n"
  }

  func append(to bytes: inout [UInt8], indent: Int?) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let number): JSONText.append(number, to: &bytes)
    case .text(let text): Self.append(text, to: &bytes)
    case .written(let text): bytes += text.utf8
    case .list(let members):
      Self.appendGroup(members, "[", "]", &bytes, indent) { $0.append(to: &$1, indent: $2) }
    case .object(let members):
      Self.appendGroup(members, "{", "}", &bytes, indent) { member, bytes, indent in
        Self.append(member.0, to: &bytes)
        bytes += (indent == nil ? ":" : ": ").utf8
        member.1.append(to: &bytes, indent: indent)
      }
    }
  }

  private static func appendGroup<Member>(
    _ members: [Member], _ opening: String, _ closing: String, _ bytes: inout [UInt8],
    _ indent: Int?, _ append: (Member, inout [UInt8], Int?) -> Void
  ) {
    bytes += opening.utf8
    let inner = indent.map { $0 + 2 }
    for (place, member) in members.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      appendBreak(inner, &bytes)
      append(member, &bytes, inner)
    }
    if !members.isEmpty { appendBreak(indent, &bytes) }
    bytes += closing.utf8
  }

  private static func appendBreak(_ indent: Int?, _ bytes: inout [UInt8]) {
    guard let indent else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes += [UInt8](repeating: UInt8(ascii: " "), count: indent)
  }

  /// Appends a text in quotes.
  static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { unsafe JSONText.append(UnsafeRawBufferPointer($0), to: &bytes) }
  }
}
