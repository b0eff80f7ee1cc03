// SPDX-License-Identifier: MIT
import Foundation
import SporadesMissingFoundation
import SporadesModel

/// The way in which the values of a transformable attribute lie in a store.
enum StoredTransformation {
  /// By an archive with keys, as Core Data does it where the model names no transformer.
  case archive
  /// By a transformer that the program registered.
  case transformer(ValueTransformer)

  /// The transformation with the name that a model gives; nil for the usual one.
  static func named(_ name: String?) -> StoredTransformation {
    guard let name, !name.isEmpty else { return .archive }
    let known = NSValueTransformerName(name)
    if let transformer = ValueTransformer(forName: known) { return .transformer(transformer) }
    if name.hasPrefix("NSSecureUnarchiveFromData") || name.hasPrefix("NSKeyedUnarchiveFromData") {
      return .archive
    }
    trap(
      "The model names the transformer \(name), which is not registered. Call ValueTransformer.setValueTransformer(_:forName:) before the first object is used."
    )
  }

  /// The object that the bytes stand for.
  func object(from bytes: Data) -> Any? {
    switch self {
    case .transformer(let transformer): return transformer.reverseTransformedValue(bytes)
    case .archive:
      do {
        let reader = try NSKeyedUnarchiver(forReadingFrom: bytes)
        reader.requiresSecureCoding = false
        defer { reader.finishDecoding() }
        return reader.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
      } catch {
        trap("The archive of a transformable attribute cannot be read: \(error)")
      }
    }
  }

  /// The bytes of an object.
  func bytes(of object: Any, for subject: @autoclosure () -> String) throws -> Data {
    switch self {
    case .transformer(let transformer):
      guard let bytes = transformer.transformedValue(object) as? Data else {
        throw NSError.coreData(
          .general,
          "\(subject()) was set to a value of the type \(Swift.type(of: object)), of which its transformer \(transformer) makes no data."
        )
      }
      return bytes
    case .archive:
      return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
    }
  }
}
