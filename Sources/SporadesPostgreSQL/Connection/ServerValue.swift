// SPDX-License-Identifier: MIT

/// A value for a parameter, in the form in which it travels.
package struct ServerValue: Sendable {
  let type: ServerType
  /// Nil for null.
  let bytes: [UInt8]?

  package static func null(_ type: ServerType) -> ServerValue {
    ServerValue(type: type, bytes: nil)
  }

  package static func int2(_ number: Int16) -> ServerValue {
    ServerValue(type: .int2, bytes: bigEndian(number))
  }

  package static func int4(_ number: Int32) -> ServerValue {
    ServerValue(type: .int4, bytes: bigEndian(number))
  }

  package static func int8(_ number: Int64) -> ServerValue {
    ServerValue(type: .int8, bytes: bigEndian(number))
  }

  package static func int8(_ number: Int64?) -> ServerValue {
    number.map { int8($0) } ?? null(.int8)
  }

  package static func float8(_ number: Double) -> ServerValue {
    ServerValue(type: .float8, bytes: bigEndian(number.bitPattern))
  }

  package static func timestamptz(_ microseconds: Int64) -> ServerValue {
    ServerValue(type: .timestamptz, bytes: bigEndian(microseconds))
  }

  package static func bool(_ truth: Bool) -> ServerValue {
    ServerValue(type: .bool, bytes: [truth ? 1 : 0])
  }

  package static func text(_ text: String) -> ServerValue {
    ServerValue(type: .text, bytes: Array(text.utf8))
  }

  package static func bytea(_ bytes: [UInt8]) -> ServerValue {
    ServerValue(type: .bytea, bytes: bytes)
  }
  package static func uuid(_ bytes: [UInt8]) -> ServerValue {
    ServerValue(type: .uuid, bytes: bytes)
  }

  package static func int8List(_ numbers: [Int64]) -> ServerValue {
    list(.int8, numbers.map { int8($0) })
  }

  /// A list in the server's form: dimensions, whether there are nulls, the type, the length, the lower bound, and each
  /// element behind its length.
  package static func list(_ type: ServerType, _ values: [ServerValue]) -> ServerValue {
    guard let list = type.list else { preconditionFailure("A list of lists is no value.") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(20 + values.reduce(0) { $0 + 4 + ($1.bytes?.count ?? 0) })
    let hasNulls = values.contains { $0.bytes == nil }
    bytes += bigEndian(UInt32(values.isEmpty ? 0 : 1))
    bytes += bigEndian(UInt32(hasNulls ? 1 : 0))
    bytes += bigEndian(type.rawValue)
    if !values.isEmpty {
      bytes += bigEndian(UInt32(clamping: values.count))
      bytes += bigEndian(UInt32(1))
    }
    for value in values {
      guard let content = value.bytes else {
        bytes += bigEndian(UInt32.max)
        continue
      }
      bytes += bigEndian(UInt32(clamping: content.count))
      bytes += content
    }
    return ServerValue(type: list, bytes: bytes)
  }

  private static func bigEndian(_ word: some FixedWidthInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: word.bigEndian) { unsafe Array($0) }
  }
}
