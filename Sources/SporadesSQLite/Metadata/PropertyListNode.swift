// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesStore

/// A value of a property list, read by trying what it can be.
struct PropertyListNode: Codable {
  let value: MetadataValue

  init(value: MetadataValue) { self.value = value }

  init(from decoder: any Decoder) throws {
    if let keyed = try? decoder.container(keyedBy: Key.self) {
      var entries: [String: MetadataValue] = [:]
      for key in keyed.allKeys {
        entries[key.stringValue] = try keyed.decode(PropertyListNode.self, forKey: key).value
      }
      value = .dictionary(entries)
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
    if let truth = try? container.decode(Bool.self) { return .boolean(truth) }
    if let number = try? container.decode(Int64.self) { return .integer(number) }
    if let number = try? container.decode(Double.self) { return .double(number) }
    if let text = try? container.decode(String.self) { return .string(text) }
    if let date = try? container.decode(Date.self) {
      return .date(date.timeIntervalSinceReferenceDate)
    }
    return .data(Array(try container.decode(Data.self)))
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
