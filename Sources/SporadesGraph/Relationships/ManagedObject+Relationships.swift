// SPDX-License-Identifier: MIT
import SporadesModel

// Typed access to relationships by place, as for attributes.
extension ManagedObject {
  /// The object of an optional to-one relationship.
  public final subscript<Object: ManagedObject>(property place: Int) -> Object? {
    get {
      if unsafe home.hearsReads { home.hear(readOf: self, place) }
      let slot = unsafe Int(home.places[place])
      if slot < 0 { return members(at: place, Object.self).first.map { checked($0, place) } }
      return related(slot).map { checked($0, place) }
    }
    set {
      if home.checksQueue { checkChange(place) }
      guard let relationship = relationship(at: place) else { return }
      setToOne(relationship, newValue)
    }
  }

  /// The object of a required to-one relationship. If there is none, the context reports it, and the property shows an
  /// object without values that nothing saves.
  public final subscript<Object: ManagedObject>(property place: Int) -> Object {
    get {
      if let object: Object = self[property: place] as Object? { return object }
      return checked(standInObject(place), place)
    }
    set { self[property: place] = newValue as Object? }
  }

  /// The objects of a to-many relationship. Inlined, so that the caller's specialised code builds
  /// the set.
  @inlinable
  public final subscript<Object: ManagedObject>(property place: Int) -> Set<Object> {
    get {
      let members = members(at: place, Object.self)
      var set = Set<Object>(minimumCapacity: members.count)
      for member in members { set.insert(checked(member, place)) }
      return set
    }
    set { setMembers(at: place, Array(newValue)) }
  }

  /// The objects of an ordered to-many relationship, in order.
  @inlinable
  public final subscript<Object: ManagedObject>(property place: Int) -> [Object] {
    get { members(at: place, Object.self).map { checked($0, place) } }
    set { setMembers(at: place, newValue) }
  }

  /// An optional to-many relationship, which there is not. The setter makes the compiler say what to write.
  public final subscript<Object: ManagedObject>(property place: Int) -> Set<Object>? {
    get { refuseOptionalMembers(place) }
    @available(
      *, unavailable,
      message:
        "a to-many relationship is never optional, because it is empty where it leads to no object; write Set<…> without the question mark."
    )
    set {}
  }

  /// An optional ordered to-many relationship, which there is not. The setter makes the compiler say what to write.
  public final subscript<Object: ManagedObject>(property place: Int) -> [Object]? {
    get { refuseOptionalMembers(place) }
    @available(
      *, unavailable,
      message:
        "a to-many relationship is never optional, because it is empty where it leads to no object; write […] without the question mark."
    )
    set {}
  }

  private final func refuseOptionalMembers(_ place: Int) -> Never {
    trap(
      "\(type(of: self)).\(propertyName(at: place)) is optional, which no to-many relationship is.")
  }

  // The setters of properties that are marked `@Relationship`. For a property of another type, the mark
  // is one mistake, and the declaration reports it; the setter adds no second one.

  /// Sets an optional to-one relationship.
  @inlinable
  public final func set<Object: ManagedObject>(_ object: Object?, toRelationship place: Int) {
    self[property: place] = object
  }

  /// Sets a required to-one relationship.
  @inlinable
  public final func set<Object: ManagedObject>(_ object: Object, toRelationship place: Int) {
    self[property: place] = object
  }

  /// Sets a to-many relationship.
  @inlinable
  public final func set<Object: ManagedObject>(_ objects: Set<Object>, toRelationship place: Int) {
    self[property: place] = objects
  }

  /// Sets an ordered to-many relationship.
  @inlinable
  public final func set<Object: ManagedObject>(_ objects: [Object], toRelationship place: Int) {
    self[property: place] = objects
  }

  /// Takes a value that no relationship has. The declaration of such a property does not compile.
  @_disfavoredOverload
  public final func set<V>(_ value: V, toRelationship place: Int) {
    trap(
      "\(type(of: self)).\(propertyName(at: place)) has the type \(V.self), which no relationship has."
    )
  }

  @usableFromInline
  final func members<Object: ManagedObject>(
    at place: Int, _ type: Object.Type
  ) -> [ManagedObject] {
    if unsafe home.hearsReads { home.hear(readOf: self, place) }
    return relationship(at: place).map(members) ?? []
  }

  @usableFromInline
  final func setMembers(at place: Int, _ objects: [ManagedObject]) {
    if home.checksQueue { home.checkQueue(self, propertyName(at: place)) }
    guard let relationship = relationship(at: place) else { return }
    setMembers(relationship, objects)
  }

  // MARK: - Places and classes

  /// The substitute for the missing object of a required relationship. Its row is gone, so it has no values and takes none.
  private final func standInObject(_ place: Int) -> ManagedObject {
    let name = propertyName(at: place)
    guard let context = home.context, let relationship = relationship(at: place) else {
      trap(
        "\(home.shape.name).\(name) was read after its context was gone or was reset, where relationships lead to no "
          + "objects. Keep the context as long as its objects are in use.")
    }
    // An object that is gone has no values at all, and the context has decided whether to report that.
    if !state.contains(.gone) { context.report(.missingObject(objectID, property: name)) }
    let home = context.home(numbered: relationship.destination)
    let object = home.makeObject(ObjectSeed(home: home, key: context.nextTemporaryKey))
    object.state.insert(.gone)
    return object
  }

  private final func relationship(at place: Int) -> RelationshipShape? {
    if let relationship = home.binding.relationships[place] { return relationship }
    _ = propertyIndex(at: place)
    return nil
  }

  @inlinable
  final func checked<Object: ManagedObject>(_ object: ManagedObject, _ place: Int) -> Object {
    // because an exact match is common, and a cast walks the whole line of superclasses
    if type(of: object) == Object.self { return unsafe unsafeDowncast(object, to: Object.self) }
    return cast(object, place)
  }

  @usableFromInline
  final func cast<Object: ManagedObject>(_ object: ManagedObject, _ place: Int) -> Object {
    guard let object = object as? Object else {
      trap(
        """
        \(home.shape.name).\(propertyName(at: place)) leads to an object of class \
        \(type(of: object)), not \(Object.self). Bind the entity to the class when the stack is made.
        """)
    }
    return object
  }
}
