// SPDX-License-Identifier: MIT
public import Foundation
import SporadesGraph
import SporadesMissingFoundation
import SporadesModel

// Access by name, as NSObject offers it on Apple's platforms. The members that programs override stand in the class itself.
extension NSManagedObject {
  /// The value at the end of a key path, also through to-many relationships and collection operators.
  public func value(forKeyPath keyPath: String) -> Any? {
    let names = keyPath.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let first = value(forKey: String(names[0])) as Any?
    guard names.count > 1 else { return first }
    guard let first = ValueCoding.unwrapped(first) else { return nil }
    if let object = first as? NSManagedObject { return object.value(forKeyPath: String(names[1])) }
    let rest = String(names[1])
    switch first {
    case let set as NSSet: return set.value(forKeyPath: rest)
    case let set as NSOrderedSet: return set.value(forKeyPath: rest)
    case let list as NSArray: return list.value(forKeyPath: rest)
    case let values as [String: Any]: return values[rest]
    default:
      trap("\(entityShape.name).\(keyPath): \(names[0]) is \(first), which has no properties.")
    }
  }

  /// Sets the property at the end of a key path.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    guard let point = keyPath.lastIndex(of: ".") else { return setValue(value, forKey: keyPath) }
    let (path, name) = (String(keyPath[..<point]), String(keyPath[keyPath.index(after: point)...]))
    if case .attribute(let attribute)? = property(named: keyPath.propertyNames[0]),
      attribute.type == .composite
    {
      return setMember(
        keyPath, to: Self.coded(value, AttributeDescription(keyPath, .undefined), keyPath))
    }
    (self.value(forKeyPath: path) as? NSManagedObject)?.setValue(value, forKey: name)
  }

  /// The values of properties by their names; `NSNull` stands for nothing.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, (value(forKey: $0) as Any?) ?? NSNull()) }) { first, _ in first }
  }

  /// Sets properties by their names.
  public func setValuesForKeys(_ values: [String: Any]) {
    for (key, value) in values { setValue(value, forKey: key) }
  }

  // MARK: - Changes

  /// The values of the properties that have changed since the last save.
  public func changedValues() -> [String: Any] {
    let values: [String: Value] = changedValues()
    return values.keys.reduce(into: [:]) { all, name in
      all[name] = (value(forKey: name) as Any?) ?? NSNull()
    }
  }

  /// The values that the last save left, or that the store had when the object was read.
  public func committedValues(forKeys keys: [String]?) -> [String: Any] {
    shown(committedValues(forKeys: keys) as [String: Value])
  }

  /// The former values of the properties that have changed since the context last told of changes.
  public func changedValuesForCurrentEvent() -> [String: Any] {
    shown(changedValuesForCurrentEvent() as [String: Value])
  }

  /// The values as a program sees them.
  func shown(_ values: [String: Value]) -> [String: Any] {
    values.reduce(into: [:]) { all, entry in
      all[entry.key] = shown(entry.value, entry.key) ?? NSNull()
    }
  }

  func shown(_ value: Value, _ name: String) -> Any? {
    switch property(named: name) {
    case .attribute(let attribute): return ValueCoding(attribute.description).plain(value)
    case .relationship(let relationship):
      let objects = ids(value).compactMap { managedObjectContext?.object(with: $0) }
      guard relationship.isToMany else { return objects.first }
      return relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    case .fetched, nil: return ValueCoding.plain(value)
    }
  }

  /// The values in a conflict: of attributes, and the ids of objects to which to-one relationships lead.
  func snapshot(_ values: [String: Value]) -> [String: Any] {
    values.reduce(into: [:]) { all, entry in
      switch property(named: entry.key) {
      case .relationship(let relationship) where relationship.isToMany: break
      case .relationship: all[entry.key] = ids(entry.value).first ?? NSNull()
      default: all[entry.key] = shown(entry.value, entry.key) ?? NSNull()
      }
    }
  }

  /// The object's values as a conflict has them.
  func snapshot() -> [String: Any] {
    entity.properties.reduce(into: [:]) { all, property in
      switch property {
      case is NSAttributeDescription where !property.isTransient:
        all[property.name] = (value(forKey: property.name) as Any?) ?? NSNull()
      case let relationship as NSRelationshipDescription where !relationship.isToMany:
        all[property.name] =
          (value(forKey: property.name) as? NSManagedObject)?.objectID ?? NSNull()
      default: break
      }
    }
  }

  private func ids(_ value: Value) -> [ManagedObjectID] {
    switch value {
    case .objectID(let id): [id]
    case .list(let values): values.flatMap(ids)
    default: []
    }
  }

  // MARK: - Collections that write

  /// A set that writes into a to-many relationship.
  public func mutableSetValue(forKey key: String) -> NSMutableSet { RelationshipSet(self, key) }

  /// An ordered set that writes into an ordered relationship.
  public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    RelationshipOrderedSet(self, key)
  }
}
