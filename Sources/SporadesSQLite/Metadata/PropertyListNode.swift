// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesStore

/// A value of a property list, decoded by trying each type.
struct PropertyListNode: Codable {
  let value: MetadataValue

  init(value: MetadataValue) { self.value = value }

  init(from decoder: any Decoder) throws {
    // A failure means that the value is no dictionary. A decoder offers no other test.
    if let keyed = try? decoder.container(keyedBy: Key.self) {
      var entries: [String: MetadataValue] = [:]
      for key in keyed.allKeys {
        entries[key.stringValue] = try keyed.decode(PropertyListNode.self, forKey: key).value
      }
      value = .dictionary(entries)
      // A failure means that the value is no array either.
    } else if var list = try? decoder.unkeyedContainer() {
      var items: [MetadataValue] = []
      while !list.isAtEnd { items.append(try list.decode(PropertyListNode.self).value) }
      value = .list(items)
    } else {
      value = try Self.scalar(decoder.singleValueContainer())
    }
  }

  private static func scalar(_ container: any SingleValueDecodingContainer) throws -> MetadataValue
  {
    if let truth = value(Bool.self, in: container) { return .boolean(truth) }
    if let number = value(Int64.self, in: container) { return .integer(number) }
    if let number = value(Double.self, in: container) { return .double(number) }
    if let text = value(String.self, in: container) { return .string(text) }
    if let date = value(Date.self, in: container) {
      return .date(date.timeIntervalSinceReferenceDate)
    }
    return .data(Array(try container.decode(Data.self)))
  }

  private static func value<Scalar: Decodable>(
    _ type: Scalar.Type, in container: any SingleValueDecodingContainer
  ) -> Scalar? {
    // A failure means that the value has another type. A decoder offers no other test.
    try? container.decode(type)
  }

  func encode(to encoder: any Encoder) throws {
    switch value {
    case .dictionary(let entries):
      var keyed = encoder.container(keyedBy: Key.self)
      for (key, value) in entries {
        try keyed.encode(PropertyListNode(value: value), forKey: Key(stringValue: key))
      }
    case .list(let items):
      var list = encoder.unkeyedContainer()
      for item in items { try list.encode(PropertyListNode(value: item)) }
    default:
      var container = encoder.singleValueContainer()
      try encodeScalar(to: &container)
    }
  }

  private func encodeScalar(to container: inout any SingleValueEncodingContainer) throws {
    switch value {
    case .string(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .double(let number): try container.encode(number)
    case .boolean(let truth): try container.encode(truth)
    case .date(let seconds): try container.encode(Date(timeIntervalSinceReferenceDate: seconds))
    case .data(let bytes): try container.encode(Data(bytes))
    case .list, .dictionary: break
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
