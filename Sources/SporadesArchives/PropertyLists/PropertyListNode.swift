// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

/// A value of a property list in XML, decoded by trying each type.
struct PropertyListNode: Decodable {
  let value: MetadataValue

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

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
