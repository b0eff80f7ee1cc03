// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

public import Foundation
public import SporadesGraph
import SporadesModel

// The functions that generated accessors call, for properties with @NSManaged.
extension NSManagedObject {
  // MARK: - Attributes whose cells have the property's type

  public func _getManaged<V: AttributeConvertible>(_ key: String) -> V {
    attribute(key) ?? V.absent
  }
  public func _getManagedOptional<V: AttributeConvertible>(_ key: String) -> V? { attribute(key) }
  public func _setManaged<V: AttributeConvertible>(_ key: String, _ value: V) {
    setAttribute(key, value)
  }
  public func _setManagedOptional<V: AttributeConvertible>(_ key: String, _ value: V?) {
    setAttribute(key, value)
  }

  // MARK: - All other types

  public func _getManaged<V>(_ key: String) -> V {
    guard let value: V = managed(key, modelled(key)) else {
      trap(
        "\(entityShape.name).\(key) was read as \(V.self), and is \(modelled(key).map { "a \(type(of: $0))" } ?? "nil"). Make the property optional, or give it the model's type."
      )
    }
    return value
  }
  public func _getManagedOptional<V>(_ key: String) -> V? { managed(key, modelled(key)) }
  public func _setManaged<V>(_ key: String, _ value: V) { setModelled(key, to: value) }
  public func _setManagedOptional<V>(_ key: String, _ value: V?) { setModelled(key, to: value) }

  public func _getManaged<V: RawRepresentable>(_ key: String) -> V {
    guard let value: V = rawRepresentable(modelled(key)) else {
      trap(
        "\(entityShape.name).\(key) is \(modelled(key) ?? "nil"), which belongs to no case of \(V.self). Add the case, or make the property optional."
      )
    }
    return value
  }
  public func _getManagedOptional<V: RawRepresentable>(_ key: String) -> V? {
    rawRepresentable(modelled(key))
  }
  public func _setManaged<V: RawRepresentable>(_ key: String, _ value: V) {
    setModelled(key, to: value.rawValue)
  }
  public func _setManagedOptional<V: RawRepresentable>(_ key: String, _ value: V?) {
    setModelled(key, to: value?.rawValue)
  }

  /// A collection of a to-many relationship, or any value that can be cast.
  private func managed<V>(_ key: String, _ value: Any?) -> V? {
    guard let value else { return nil }
    if let value = value as? V { return value }
    if case .relationship? = property(named: key) {
      if V.self == NSMutableSet.self { return mutableSetValue(forKey: key) as? V }
      if V.self == NSMutableOrderedSet.self { return mutableOrderedSetValue(forKey: key) as? V }
    }
    // Objective-C takes any number for a decimal one.
    if V.self == NSDecimalNumber.self, let number = value as? NSNumber {
      return NSDecimalNumber(decimal: number.decimalValue) as? V
    }
    if let type = V.self as? any MemberCollection.Type {
      return type.init(members: Self.members(value)) as? V
    }
    return nil
  }

  private func rawRepresentable<V: RawRepresentable>(_ value: Any?) -> V? {
    (value as? V.RawValue).flatMap { V(rawValue: $0) }
  }

  // MARK: - Primitive values

  public func _getPrimitive<V>(_ key: String) -> V {
    guard let value: V = managed(key, primitiveValue(forKey: key) as Any?) else {
      trap(
        "The primitive value of \(entityShape.name).\(key) is no \(V.self). Make the property optional."
      )
    }
    return value
  }
  public func _getPrimitiveOptional<V>(_ key: String) -> V? {
    managed(key, primitiveValue(forKey: key) as Any?)
  }
  public func _setPrimitive<V>(_ key: String, _ value: V) { setPrimitiveValue(value, forKey: key) }
  public func _setPrimitiveOptional<V>(_ key: String, _ value: V?) {
    setPrimitiveValue(value, forKey: key)
  }

  // MARK: - Members of to-many relationships

  public func _addManaged(_ key: String, _ value: NSManagedObject) { add(value, to: key) }
  public func _addManaged(_ key: String, _ value: NSSet) { addAll(key, value) }
  public func _addManaged<T>(_ key: String, _ value: Set<T>) { addAll(key, value) }
  public func _addManaged(_ key: String, _ value: NSOrderedSet) { addAll(key, value) }
  public func _removeManaged(_ key: String, _ value: NSManagedObject) { remove(value, from: key) }
  public func _removeManaged(_ key: String, _ value: NSSet) { removeAll(key, value) }
  public func _removeManaged<T>(_ key: String, _ value: Set<T>) { removeAll(key, value) }
  public func _removeManaged(_ key: String, _ value: NSOrderedSet) { removeAll(key, value) }

  public func _insertManaged(_ key: String, _ value: NSManagedObject, at index: Int) {
    insert(value, into: key, at: index)
  }
  public func _insertManaged<T: NSManagedObject>(_ key: String, _ values: [T], at: NSIndexSet) {
    let set = mutableOrderedSetValue(forKey: key)
    set.insert(values, at: at as IndexSet)
  }
  public func _removeManaged(_ key: String, at index: Int) { remove(at: index, from: key) }
  public func _removeManaged(_ key: String, at indexes: NSIndexSet) {
    for index in (indexes as IndexSet).reversed() { remove(at: index, from: key) }
  }
  public func _replaceManaged(_ key: String, at index: Int, with value: NSManagedObject) {
    replace(at: index, in: key, with: value)
  }
  public func _replaceManaged<T: NSManagedObject>(
    _ key: String, at indexes: NSIndexSet, with values: [T]
  ) {
    for (index, value) in zip(indexes as IndexSet, values) {
      replace(at: index, in: key, with: value)
    }
  }

  private func addAll(_ key: String, _ values: Any) {
    for object in Self.members(values) { add(object, to: key) }
  }

  private func removeAll(_ key: String, _ values: Any) {
    for object in Self.members(values) { remove(object, from: key) }
  }
}

/// A Swift collection that a to-many relationship can be read as.
private protocol MemberCollection {
  init?(members: [ManagedObject])
}

extension Set: MemberCollection where Element: NSManagedObject {
  fileprivate init?(members: [ManagedObject]) {
    self = Set(members.compactMap { $0 as? Element })
  }
}

extension Array: MemberCollection where Element: NSManagedObject {
  fileprivate init?(members: [ManagedObject]) {
    self = members.compactMap { $0 as? Element }
  }
}
