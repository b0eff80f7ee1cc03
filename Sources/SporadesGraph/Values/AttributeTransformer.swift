// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel

/// Turns values of a transformable attribute into bytes and back.
public protocol AttributeTransformer: Sendable {
  func encode<V: Encodable>(_ value: V) throws -> Data
  func decode<V: Decodable>(_ type: V.Type, from data: Data) throws -> V
}

/// The transformer of attributes that name none: JSON with sorted keys, so that equal values have
/// equal bytes.
public struct JSONTransformer: AttributeTransformer {
  public init() {}

  public func encode<V: Encodable>(_ value: V) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(value)
  }

  public func decode<V: Decodable>(_ type: V.Type, from data: Data) throws -> V {
    try JSONDecoder().decode(type, from: data)
  }
}

/// Binary property lists, more compact for values made of data.
public struct PropertyListTransformer: AttributeTransformer {
  public init() {}

  public func encode<V: Encodable>(_ value: V) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try encoder.encode(value)
  }

  public func decode<V: Decodable>(_ type: V.Type, from data: Data) throws -> V {
    try PropertyListDecoder().decode(type, from: data)
  }
}

/// The transformers that models refer to by name.
public enum Transformers {
  private static let registered = Guarded<[String: any AttributeTransformer]>([
    "JSON": JSONTransformer(), "PropertyList": PropertyListTransformer(),
  ])

  /// Makes a transformer known under the name that attributes give.
  public static func register(_ transformer: any AttributeTransformer, named name: String) {
    registered.withLock { $0[name] = transformer }
  }

  static func named(_ name: String) -> any AttributeTransformer {
    guard let found = registered.withLock({ $0[name] }) else {
      preconditionFailure(
        "No transformer is registered as \(name). Call Transformers.register(_:named:) first.")
    }
    return found
  }
}
