// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesImport
import SporadesModel

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
    case .double, .decimal, .date, .uuid, .url, .objectID: JSON.append(text(value), to: &bytes)
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
