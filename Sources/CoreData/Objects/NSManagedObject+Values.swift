// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
public import SporadesMissingFoundation
public import SporadesModel

// Values by name.
extension NSManagedObject {
  /// The property with a name; nil for a name that the model does not have.
  func property(named name: String) -> PropertyShape? { entityShape[name] }

  /// The value of a property: an object, a set of objects, or the value of an attribute.
  func modelled(_ name: String) -> Any? {
    guard let property = property(named: name) else {
      guard name.contains(".") else { return undefined(name) }
      return value(forKeyPath: name)
    }
    switch property {
    case .attribute(let attribute):
      if attribute.slot == nil, let value = unstored[name] { return value }
      let value: Value = value(forKey: name)
      if attribute.type == .composite { return composite(value, of: attribute) }
      return ValueCoding(attribute.description).plain(value)
    case .relationship(let relationship):
      guard relationship.isToMany else { return object(forKey: name) }
      let members = objects(forKey: name)
      return relationship.isOrdered
        ? NSOrderedSet(array: members) : NSSet(array: members)
    case .fetched: return objects(forKey: name)
    }
  }

  private func composite(_ value: Value, of attribute: AttributeShape) -> Any? {
    guard case .list(let values) = value else { return nil }
    var parts: [String: Any] = [:]
    for (element, value) in zip(attribute.elements, values) {
      parts[element.name] =
        element.type == .composite
        ? composite(value, of: element) : ValueCoding(element.description).plain(value)
    }
    return parts.isEmpty ? nil : parts
  }

  /// The value of a property that the model does not have.
  private func undefined(_ name: String) -> Any? {
    var mirror: Mirror? = Mirror(reflecting: self)
    while let level = mirror {
      if let found = level.children.first(where: { $0.label == name }) {
        return ValueCoding.unwrapped(found.value)
      }
      mirror = level.superclassMirror
    }
    return value(forUndefinedKey: name)
  }

  /// Sets a property of the model.
  func setModelled(_ name: String, to value: Any?) {
    guard let property = property(named: name) else {
      guard name.contains(".") else { return setValue(value, forUndefinedKey: name) }
      return setValue(value, forKeyPath: name)
    }
    switch property {
    case .attribute(let attribute): setAttribute(attribute, to: value)
    case .relationship(let relationship):
      let members = Self.members(value)
      relationship.isToMany
        ? setObjects(members, forKey: name) : setObject(members.first, forKey: name)
    case .fetched:
      trap("\(entityShape.name).\(name) is a fetched property, which finds its objects itself.")
    }
  }

  private func setAttribute(_ attribute: AttributeShape, to value: Any?) {
    let name = attribute.name
    if attribute.slot == nil, attribute.type == .undefined || attribute.type == .transformable {
      unstored[name] = ValueCoding.unwrapped(value)
      return
    }
    if attribute.type == .composite { return setComposite(attribute, to: value, path: name) }
    let coded = Self.coded(value, attribute.description, "\(entityShape.name).\(name)")
    super.setValue(coded, forKey: name)
  }

  private func setComposite(_ attribute: AttributeShape, to value: Any?, path: String) {
    let parts = ValueCoding.unwrapped(value) as? [String: Any] ?? [:]
    for element in attribute.elements {
      let path = "\(path).\(element.name)"
      if element.type == .composite {
        setComposite(element, to: parts[element.name], path: path)
      } else {
        super.setValue(Self.coded(parts[element.name], element.description, path), forKey: path)
      }
    }
  }

  static func coded(
    _ value: Any?, _ attribute: AttributeDescription, _ subject: @autoclosure () -> String
  ) -> Value {
    do { return try ValueCoding(attribute).value(of: value, for: subject()) } catch {
      trap(error.localizedDescription)
    }
  }

  /// The objects in a value of a relationship: one object, or a collection of any kind.
  static func members(_ value: Any?) -> [ManagedObject] {
    switch ValueCoding.unwrapped(value) {
    case nil: return []
    case let object as ManagedObject: return [object]
    case let objects as NSSet: return objects.allObjects.map(member)
    case let objects as NSOrderedSet: return objects.array.map(member)
    case let objects as [Any]: return objects.map(member)
    case let objects as Set<ManagedObject>: return Array(objects)
    case let objects as Set<AnyHashable>: return objects.map { member($0.base) }
    case let other?: return [member(other)]
    }
  }

  private static func member(_ item: Any) -> ManagedObject {
    guard let object = item as? ManagedObject else {
      trap(
        "A relationship was set to \(item) of the type \(type(of: item)), which is no managed object."
      )
    }
    return object
  }
}

extension NSManagedObject: KeyedObject {
  public func keyedValue(_ name: String) throws -> Any? { value(forKey: name) as Any? }
  public func setKeyedValue(_ value: Any?, _ name: String) throws { setValue(value, forKey: name) }
  public var comparedAs: Value? { .objectID(objectID) }
  public func answer(to condition: FetchPredicate) throws -> Bool? {
    try condition.evaluate(with: self)
  }
}

extension ManagedObjectID: KeyedObject {
  public func keyedValue(_ name: String) throws -> Any? {
    throw NSError.coreData(.general, "An object's id has no property \(name). Ask the object.")
  }
  public var comparedAs: Value? { .objectID(self) }
}
