// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel

/// Turns JSON into the bytes that an attribute of a `Codable` type stores. Throws if it is no value of the type.
typealias JSONEncoding = (Data, any AttributeTransformer) throws -> Data

extension PropertyDeclaration {
  /// The declaration of an attribute whose values can come as JSON.
  func encodingJSON<V: Codable>(_ type: V.Type) -> Self {
    var declaration = self
    declaration.encodeJSON = { json, transformer in
      try transformer.encode(try JSONDecoder().decode(V.self, from: json))
    }
    return declaration
  }
}

extension ManagedObjectContext {
  /// The bytes that an attribute stores for JSON; nil if it has no transformer of Swift's `Codable` types. Throws if the
  /// JSON is no value of its type.
  package final func storedBytes(
    ofJSON json: [UInt8], for attribute: AttributeShape, entity number: Int
  ) throws -> [UInt8]? {
    let binding = stack.bindings[number - 1]
    let name = attribute.description.valueTransformerName
    guard binding.type != ManagedObject.self else {
      // Without a class nobody knows the type, and the usual transformer keeps JSON.
      return name == nil ? json : nil
    }
    let own = binding.jsonEncodings.first { $0.name == attribute.name }
    guard let own else { return nil }
    return try Array(own.encode(Data(json), name.map(Transformers.named) ?? JSONTransformer()))
  }
}
