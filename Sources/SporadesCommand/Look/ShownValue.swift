// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesImport
import SporadesModel
import SporadesStore

/// Values as people and other programs read them.
enum ShownValue {
  /// The value in a cell of a table.
  static func text(_ value: Value) -> String {
    switch value {
    case .null: ""
    case .boolean(let value): value ? "true" : "false"
    case .integer(let number): String(number)
    case .double(let number): String(number)
    case .decimal(let number): "\(number)"
    case .string(let text): text
    case .date(let date): text(of: date)
    case .data(let data): data.count == 1 ? "1 byte" : "\(data.count) bytes"
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): url.absoluteString
    case .objectID(let id): id.shown
    case .list(let values): values.map(text).joined(separator: ", ")
    }
  }

  /// The date in ISO 8601. One that has no such text is its number of seconds since 2001.
  static func text(of date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    guard DateText.canHold(seconds) else { return String(seconds) }
    var bytes: [UInt8] = []
    DateText.append(seconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a value of an answer as JSON.
  static func append(
    _ answer: TableAnswer, _ row: Int, _ column: Int, to bytes: inout [UInt8]
  ) {
    guard let packed = answer.packed else { return append(answer[row, column], to: &bytes) }
    let place = row * answer.width + column
    switch packed.mark(place) {
    case .text where unsafe packed.withText(place, isASCII):
      unsafe packed.withText(place) { unsafe JSONText.append($0, to: &bytes) }
    case .date where DateText.canHold(Double(bitPattern: packed.word(place))):
      bytes.append(UInt8(ascii: "\""))
      DateText.append(Double(bitPattern: packed.word(place)), to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    case .null, .integer, .real, .boolean, .date, .text, .other:
      append(packed[place], to: &bytes)
    }
  }

  /// Whether the bytes are a text of ASCII, which needs no check of its encoding.
  private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + 8 <= bytes.count {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      guard word & 0x8080_8080_8080_8080 == 0 else { return false }
      place += 8
    }
    return unsafe bytes[place...].allSatisfy { $0 < 0x80 }
  }

  /// Appends the value as JSON. Numbers without a spelling in JSON are texts, and bytes are in base64.
  static func append(_ value: Value, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes += "null".utf8
    case .boolean(let value): bytes += (value ? "true" : "false").utf8
    case .integer(let number): JSONText.append(number, to: &bytes)
    case .double(let number) where number.isFinite: bytes += "\(number)".utf8
    case .decimal(let number) where !number.isNaN: bytes += "\(number)".utf8
    case .data(let data): JSON.append(data.base64EncodedString(), to: &bytes)
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (place, value) in values.enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        append(value, to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .string(let text): JSON.append(text, to: &bytes)
    case .objectID(let id):
      JSON.append(id.entityName, to: &bytes)
      bytes[bytes.count - 1] = UInt8(ascii: "/")
      JSONText.append(id.key.primaryKey, to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    case .double, .decimal, .date, .uuid, .url: JSON.append(text(value), to: &bytes)
    }
  }
}

extension JSON {
  /// A value of a store.
  static func value(_ value: Value) -> JSON {
    var bytes: [UInt8] = []
    ShownValue.append(value, to: &bytes)
    return .written(String(decoding: bytes, as: UTF8.self))
  }
}

extension Value {
  /// Whether a table shows the value at the right side of its column.
  var isNumber: Bool {
    switch self {
    case .integer, .double, .decimal: true
    default: false
    }
  }
}
