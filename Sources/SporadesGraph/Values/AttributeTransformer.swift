// SPDX-License-Identifier: MIT
public import FoundationEssentials
import SporadesModel

/// Converts values of a transformable attribute to bytes and back.
public protocol AttributeTransformer: Sendable {
  /// Converts a value to bytes.
  func encode<V: Encodable>(_ value: V) throws -> Data
  /// Converts bytes to a value.
  func decode<V: Decodable>(_ type: V.Type, from data: Data) throws -> V
}

/// The transformer of attributes that name none. It writes JSON with sorted keys, so equal values
/// have equal bytes.
public struct JSONTransformer: AttributeTransformer {
  /// Makes the transformer.
  public init() {}

  /// Converts a value to JSON.
  public func encode<V: Encodable>(_ value: V) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try encoder.encode(value)
  }

  /// Converts JSON to a value.
  public func decode<V: Decodable>(_ type: V.Type, from data: Data) throws -> V {
    try JSONDecoder().decode(type, from: data)
  }
}

/// A transformer that writes binary property lists. They are more compact than JSON for values that
/// hold data.
public struct PropertyListTransformer: AttributeTransformer {
  /// Makes the transformer.
  public init() {}

  /// Converts a value to a binary property list.
  public func encode<V: Encodable>(_ value: V) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try encoder.encode(value)
  }

  /// Converts a property list to a value.
  public func decode<V: Decodable>(_ type: V.Type, from data: Data) throws -> V {
    try PropertyListDecoder().decode(type, from: data)
  }
}

/// The registry of transformers that models refer to by name.
public enum Transformers {
  private static let registered = Guarded<[String: any AttributeTransformer]>([
    "JSON": JSONTransformer(), "PropertyList": PropertyListTransformer(),
  ])

  /// Registers a transformer under the name that attributes use.
  public static func register(_ transformer: any AttributeTransformer, named name: String) {
    registered.withLock { $0[name] = transformer }
  }

  package static func named(_ name: String) -> any AttributeTransformer {
    guard let found = registered.withLock({ $0[name] }) else {
      trap(
        "No transformer is registered as \(name). Call Transformers.register(_:named:) first.")
    }
    return found
  }
}
