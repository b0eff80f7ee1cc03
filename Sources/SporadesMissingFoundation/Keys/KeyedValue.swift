// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// Reads values by name, of objects of any type.
enum KeyedValue {
  /// The value at the end of a key path. A path through collections leads to one list of the last members' values.
  static func read(_ names: [String], of object: Any?) throws -> Any? {
    guard let name = names.first, let object = unwrapped(object) else {
      return names.isEmpty ? object : nil
    }
    if let members = collection(object) {
      var values: [Any?] = []
      for member in members {
        let value = try read(names, of: member)
        if let several = unwrapped(value).flatMap(collection) {
          values += several
        } else {
          values.append(value)
        }
      }
      return values
    }
    return try read(Array(names.dropFirst()), of: value(name, of: object))
  }

  /// Whether the value is none of the forms of nil.
  static func isThere(_ value: Any?) -> Bool { unwrapped(value) != nil }

  /// The members of a collection; a single value is its own only member.
  static func members(_ value: Any?) -> [Any?] {
    guard let value = unwrapped(value) else { return [] }
    return collection(value) ?? [value]
  }

  /// The members of a collection; nil for a single value. Dictionaries are single values.
  static func collection(_ value: Any) -> [Any?]? {
    switch value {
    case is String, is Data, is NSDictionary, is any KeyedObject: nil
    case let items as [Any?]: items
    case let items as Set<AnyHashable>: items.map { $0.base }
    case let items as NSArray: items.map { $0 }
    case let items as NSSet: items.map { $0 }
    case let items as NSOrderedSet: items.array
    default: nil
    }
  }

  /// The value of one property of an object that is no collection.
  static func value(_ name: String, of object: Any) throws -> Any? {
    if name == "self" { return object }
    switch object {
    case let object as any KeyedObject: return try object.keyedValue(name)
    case let values as NSDictionary: return values.object(forKey: name)
    case let values as [String: Any?]: return values[name] ?? nil
    case let text as String:
      switch name {
      case "length": return text.utf16.count
      case "lowercaseString": return text.lowercased()
      case "uppercaseString": return text.uppercased()
      case "capitalizedString": return text.capitalized
      default: break
      }
    default: break
    }
    return try storedProperty(name, of: object)
  }

  private static func storedProperty(_ name: String, of object: Any) throws -> Any? {
    var mirror: Mirror? = Mirror(reflecting: object)
    while let level = mirror {
      // The compiler stores a lazy property under a name of its own.
      let names = [name, "$__lazy_storage_$_\(name)"]
      if let found = level.children.first(where: { $0.label.map(names.contains) ?? false }) {
        return found.value
      }
      mirror = level.superclassMirror
    }
    throw FetchPredicateError(
      .unknownKeyPath,
      "An object of the type \(type(of: object)) has no stored property named \(name). Correct the key, or conform the type "
        + "to KeyedObject if the property is computed.")
  }

  /// The value inside of optionals; nil for the forms of nil.
  static func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    if let optional = value as? any OptionalValue { return unwrapped(optional.wrapped) }
    return value is NSNull ? nil : value
  }
}

/// An optional of any type.
private protocol OptionalValue {
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrapped: Any? { self }
}
