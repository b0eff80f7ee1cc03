// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL

/// The text of a value that outlives its object in the history. The server writes it, and it keeps its meaning where an
/// attribute gets another type.
enum KeptText {
  /// The term for the text of a column's value.
  static func term(_ column: String, _ type: AttributeType) -> String {
    switch ServerType(type) {
    case .text: column
    case .bool: "\(column)::int::text"
    // Seconds since 2001, as memory counts them.
    case .timestamptz: "(extract(epoch FROM \(column)) - 978307200)::text"
    case .bytea: "encode(\(column), 'hex')"
    case .uuid: "upper(\(column)::text)"
    default: "\(column)::text"
    }
  }

  /// The value; null for a text that is none of the type.
  static func value(_ text: String, _ type: AttributeType) -> Value {
    let content: SQLValue? =
      switch ServerType(type) {
      case .bool: Int64(text).flatMap { 0...1 ~= $0 ? .integer($0) : nil }
      case .int2: Int16(text).map { .integer(Int64($0)) }
      case .int4: Int32(text).map { .integer(Int64($0)) }
      case .int8: Int64(text).map { .integer($0) }
      case .float8, .timestamptz: Double(text).map { .real($0) }
      case .bytea: bytes(text).map { .blob($0) }
      case .uuid: UUID(uuidString: text).map { .blob($0.bytes) }
      default: .text(text)
      }
    return content?.modelValue(type) ?? .null
  }

  /// Whether the texts of one type are those of equal values of another, or of none.
  static func means(_ old: AttributeType, theSameAs new: AttributeType) -> Bool {
    let (before, after) = (ServerType(old), ServerType(new))
    switch after {
    case .bool, .int2, .int4, .int8: return [.bool, .int2, .int4, .int8].contains(before)
    case .float8: return [.float8, .int2, .int4].contains(before)
    case .numeric: return [.numeric, .int2, .int4, .int8].contains(before)
    case .text: return [.text, .int2, .int4, .int8, .uuid].contains(before)
    case .uuid: return [.uuid, .text].contains(before)
    default: return before == after
    }
  }

  private static func bytes(_ digits: String) -> [UInt8]? {
    let signs = Array(digits.utf8)
    guard signs.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(signs.count / 2)
    for place in stride(from: 0, to: signs.count, by: 2) {
      guard let high = digit(signs[place]), let low = digit(signs[place + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func digit(_ sign: UInt8) -> UInt8? {
    switch sign {
    case 48...57: sign - 48
    case 97...102: sign - 87
    default: nil
    }
  }
}
