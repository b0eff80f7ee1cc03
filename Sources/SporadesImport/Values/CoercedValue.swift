// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

/// An incoming value in the form of its attribute's cell.
enum CoercedValue: Sendable {
  case null
  case word(UInt64)
  /// Bytes of the batch, which need no copy.
  case place(start: Int, count: Int)
  case bytes([UInt8])
}

/// A sentence about a value that its attribute can not take.
package struct CoercionRefusal: Error {
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension CoercedValue {
  /// The value as predicates and keys of dictionaries have it.
  func value(of type: AttributeType, in batch: RecordBatch) -> Value {
    switch self {
    case .null: return .null
    case .word(let word):
      switch type {
      case .double, .float: return .double(Double(bitPattern: word))
      case .date:
        return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: word)))
      case .boolean: return .boolean(word != 0)
      default: return .integer(Int64(bitPattern: word))
      }
    case .place(let start, let count): return Self.value(batch.bytes[start..<start + count], type)
    case .bytes(let bytes): return Self.value(bytes[...], type)
    }
  }

  private static func value(_ bytes: ArraySlice<UInt8>, _ type: AttributeType) -> Value {
    switch type {
    case .binary, .transformable: return .data(Data(bytes))
    case .uuid:
      var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      unsafe withUnsafeMutableBytes(of: &uuid) { unsafe $0.copyBytes(from: bytes) }
      return .uuid(UUID(uuid: uuid))
    case .decimal:
      return .decimal(Decimal(string: String(decoding: bytes, as: UTF8.self)) ?? .nan)
    case .uri:
      let text = String(decoding: bytes, as: UTF8.self)
      return URL(string: text).map { .url($0) } ?? .string(text)
    default: return .string(String(decoding: bytes, as: UTF8.self))
    }
  }
}
