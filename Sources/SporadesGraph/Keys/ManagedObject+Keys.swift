// SPDX-License-Identifier: MIT
import FoundationEssentials
public import SporadesModel

// Access by name, for entities without a class and for code that learns names at run time.
extension ManagedObject {
  /// The value of an attribute, or the ids of the objects of a relationship. A member of a composite attribute has a
  /// path: `"address.street"`.
  @_disfavoredOverload
  public final func value(forKey name: String) -> Value {
    if unsafe home.hearsReads { home.hear(readOf: self, named: name.propertyNames[0]) }
    return value(of: property(name))
  }

  final func value(of property: PropertyShape) -> Value {
    switch property {
    case .attribute(let attribute): return value(of: attribute)
    case .relationship(let relationship):
      if relationship.isToMany {
        return .list(memberFaults(relationship).map { .objectID($0.objectID) })
      }
      return target(of: relationship).map { .objectID($0.objectID) } ?? .null
    case .fetched(let fetched): return .list(self.fetched(fetched).map { .objectID($0.objectID) })
    }
  }

  final func change(_ name: String, to value: Any?) {
    if home.checksQueue { checkChange(named: name) }
    switch property(name) {
    case .attribute(let attribute):
      trap(
        unless: !attribute.description.isDerived,
        "\(home.shape.name).\(name) is derived, so each save computes it. Set what it is derived from."
      )
      let value = whole(value, of: attribute) ?? converted(value, name)
      if !home.binding.enumChecks.isEmpty { checkRawValue(value, name.propertyNames, attribute) }
      set(value, of: attribute)
    case .relationship(let relationship):
      let objects = related(value, by: relationship)
      relationship.isToMany
        ? setMembers(relationship, objects) : setToOne(relationship, objects.first)
    case .fetched:
      trap(
        "\(home.shape.name).\(name) is a fetched property, which finds its objects itself. Change what "
          + "its request finds.")
    }
  }

  /// The value of the attribute or relationship with the name, or of a member of a composite: `"address.street"`.
  public final subscript(name: String) -> Value {
    get { value(forKey: name) }
    set { setValue(newValue, forKey: name) }
  }

  /// The object of a to-one relationship.
  public final func object(forKey name: String) -> ManagedObject? {
    if unsafe home.hearsReads { home.hear(readOf: self, named: name) }
    guard case .relationship(let relationship) = property(name), !relationship.isToMany else {
      refuseAccess(to: name)
    }
    return target(of: relationship)
  }

  /// Sets the object of a to-one relationship.
  public final func setObject(_ object: ManagedObject?, forKey name: String) {
    if home.checksQueue { home.checkQueue(self, name) }
    guard case .relationship(let relationship) = property(name), !relationship.isToMany else {
      refuseAccess(to: name)
    }
    setToOne(relationship, object)
  }

  /// The objects of a to-many relationship, in its order if it has one, or the objects that a
  /// fetched property finds.
  public final func objects(forKey name: String) -> [ManagedObject] {
    if unsafe home.hearsReads { home.hear(readOf: self, named: name) }
    if case .fetched(let fetched) = property(name) { return self.fetched(fetched) }
    guard case .relationship(let relationship) = property(name), relationship.isToMany else {
      refuseAccess(to: name)
    }
    return members(relationship)
  }

  /// Sets the objects of a to-many relationship.
  public final func setObjects(_ objects: [ManagedObject], forKey name: String) {
    if home.checksQueue { home.checkQueue(self, name) }
    guard case .relationship(let relationship) = property(name), relationship.isToMany else {
      refuseAccess(to: name)
    }
    setMembers(relationship, objects)
  }

  /// Traps because the called function does not fit the property, and names the one that does.
  final func refuseAccess(to name: String) -> Never {
    let remedy =
      switch property(name) {
      case .attribute:
        "an attribute. Use value(forKey:) and setValue(_:forKey:)"
      case .relationship(let relationship) where relationship.isToMany:
        "a to-many relationship. Use objects(forKey:), setObjects(_:forKey:), add(_:to:) and "
          + "remove(_:from:)"
      case .relationship:
        "a to-one relationship. Use object(forKey:) and setObject(_:forKey:)"
      case .fetched: "a fetched property. Read it with objects(forKey:)"
      }
    trap("\(home.shape.name).\(name) is \(remedy).")
  }

  /// The property with the name. It traps if there is none.
  final func property(_ name: String) -> PropertyShape {
    guard let property = home.shape[name] ?? compositeMember(name) else {
      trap(home.shape.describeMissingProperty(name))
    }
    return property
  }

  /// The member of a composite attribute at the end of a path such as `address.street`.
  private final func compositeMember(_ path: String) -> PropertyShape? {
    let names = path.propertyNames
    guard names.count > 1, case .attribute(var attribute)? = home.shape[names[0]] else {
      return nil
    }
    for name in names.dropFirst() {
      guard let element = attribute.elements.first(where: { $0.name == name }) else { return nil }
      attribute = element
    }
    return .attribute(attribute)
  }
}

extension ManagedObject {
  /// The value of an attribute, or the ids of the objects of a relationship. No listener hears of it.
  package final func untrackedValue(forKey name: String) -> Value { value(of: property(name)) }
}
