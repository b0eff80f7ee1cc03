// SPDX-License-Identifier: MIT
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores

public import Foundation
public import SporadesGraph
public import SporadesModel

// The functions that generated accessors call, for properties with @NSManaged.
extension NSManagedObject {
  // MARK: - Attributes whose cells have the property's type

  @inlinable public func _getManaged<V: AttributeConvertible>(_ key: StaticString) -> V {
    let place = cellPlace(of: key, read: V.attributeType)
    return place < 0 ? attribute(elsewhere: key) ?? V.absent : self[property: place]
  }
  @inlinable public func _getManagedOptional<V: AttributeConvertible>(_ key: StaticString) -> V? {
    let place = cellPlace(of: key, read: V.attributeType)
    return place < 0 ? attribute(elsewhere: key) : self[property: place]
  }
  @inlinable public func _setManaged<V: AttributeConvertible>(_ key: StaticString, _ value: V) {
    let place = cellPlace(of: key, written: V.attributeType)
    if place < 0 { setAttribute(elsewhere: key, value) } else { self[property: place] = value }
  }
  @inlinable public func _setManagedOptional<V: AttributeConvertible>(
    _ key: StaticString, _ value: V?
  ) {
    let place = cellPlace(of: key, written: V.attributeType)
    if place < 0 { setAttribute(elsewhere: key, value) } else { self[property: place] = value }
  }
  @inlinable public func _setManaged<V: AttributeConvertible & FixedWidthInteger>(
    _ key: StaticString, _ value: V
  ) {
    let place = cellPlace(of: key, written: Int64(truncatingIfNeeded: value))
    if place < 0 { setAttribute(elsewhere: key, value) } else { self[property: place] = value }
  }

  /// The place of an attribute whose cells can be read as those of a type; negative for all other properties.
  @usableFromInline func cellPlace(of key: StaticString, read type: AttributeType) -> Int {
    let bound = BoundEntity.of(self)
    guard let place = bound.place(of: key), let own = bound.cells[place].type,
      own.hasCells(as: type)
    else { return -1 }
    return place
  }

  /// The place of an attribute whose cells take values of a type; negative for all other properties.
  @usableFromInline func cellPlace(of key: StaticString, written type: AttributeType) -> Int {
    let bound = BoundEntity.of(self)
    guard let place = bound.place(of: key), bound.cells[place].type == type,
      !bound.cells[place].isDerived
    else { return -1 }
    return place
  }

  /// The place of an attribute whose cells take a whole number; negative for all other properties.
  @usableFromInline func cellPlace(of key: StaticString, written number: Int64) -> Int {
    let bound = BoundEntity.of(self)
    guard let place = bound.place(of: key), let type = bound.cells[place].type,
      type.isOfWholeNumbers,
      type.integerRange.contains(number), !bound.cells[place].isDerived
    else { return -1 }
    return place
  }

  @usableFromInline func attribute<V: AttributeConvertible>(elsewhere key: StaticString) -> V? {
    attribute(key.description)
  }

  @usableFromInline
  func setAttribute<V: AttributeConvertible>(elsewhere key: StaticString, _ value: V?) {
    setAttribute(key.description, value)
  }

  /// The name of a property, which the shape has already where it has the property.
  private func name(of key: StaticString) -> String {
    let bound = BoundEntity.of(self)
    return bound.place(of: key).map { bound.shape.properties[$0].name } ?? key.description
  }

  // MARK: - All other types

  public func _getManaged<V>(_ key: StaticString) -> V {
    let name = name(of: key)
    guard let value: V = managed(name, modelled(name)) else {
      trap(
        "\(entityShape.name).\(key) was read as \(V.self), and is \(modelled(name).map { "a \(type(of: $0))" } ?? "nil"). Make the property optional, or give it the model's type."
      )
    }
    return value
  }
  public func _getManagedOptional<V>(_ key: StaticString) -> V? {
    let name = name(of: key)
    return managed(name, modelled(name))
  }
  public func _setManaged<V>(_ key: StaticString, _ value: V) {
    setModelled(name(of: key), to: value)
  }
  public func _setManagedOptional<V>(_ key: StaticString, _ value: V?) {
    setModelled(name(of: key), to: value)
  }

  public func _getManaged<V: RawRepresentable>(_ key: StaticString) -> V {
    guard let value: V = rawRepresentable(modelled(name(of: key))) else {
      trap(
        "\(entityShape.name).\(key) is \(modelled(name(of: key)) ?? "nil"), which belongs to no case of \(V.self). Add the case, or make the property optional."
      )
    }
    return value
  }
  public func _getManagedOptional<V: RawRepresentable>(_ key: StaticString) -> V? {
    rawRepresentable(modelled(name(of: key)))
  }
  public func _setManaged<V: RawRepresentable>(_ key: StaticString, _ value: V) {
    setModelled(name(of: key), to: value.rawValue)
  }
  public func _setManagedOptional<V: RawRepresentable>(_ key: StaticString, _ value: V?) {
    setModelled(name(of: key), to: value?.rawValue)
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
