// SPDX-License-Identifier: MIT
public import SporadesModel

/// One object of the graph, inside one context.
///
/// An object is an id and a place in a row page. Its first change copies the row to a page that the
/// context keeps open until the next save. The object belongs to its context's queue. Only its
/// ``objectID`` may leave the queue; `inContext(_:)` finds the object in another context.
///
/// Subclasses declare their properties with the `@Entity` macro, or by overriding ``declaration``
/// and reading `self[property:]`. The objects of an entity without a class are plain managed
/// objects with access by key.
@safe
open class ManagedObject {
  @usableFromInline final let home: ObjectHome
  /// Nil while the object is a fault.
  @exclusivity(unchecked) @usableFromInline final var row: PackedRow?
  /// The object retains and releases the page itself, so that access to values costs no reference
  /// counting.
  @exclusivity(unchecked) @usableFromInline final var pageReference: Unmanaged<RowPage>?
  final var extras: ObjectExtras?
  /// The primary key and the state in one word. The home knows the entity, so the twelve bits that
  /// a ``RowKey`` uses for the entity hold the state here. An object therefore has 56 bytes and
  /// fits the allocator's class of 64 instead of 80.
  @exclusivity(unchecked) private final var keyAndState: UInt64

  /// ``makeObject(_:)`` calls this. Applications call `create(in:)` or `init(context:)`.
  public init(_ seed: ObjectSeed) {
    home = seed.home
    unsafe keyAndState = seed.key.identity
    unsafe row = nil
    unsafe pageReference = nil
  }

  deinit { unsafe pageReference?.release() }

  /// Inserts a new object of the class's entity into the context.
  public convenience init(context: ManagedObjectContext) {
    if context.checksQueue { context.checkQueue() }
    self.init(context.seed(for: Self.self))
    context.insertRow(of: self)
  }

  /// Makes an object of the class. Contexts call it. The `@Entity` macro writes it; a class that declares its entity without the
  /// macro overrides it, too.
  ///
  /// It takes the place of a required initializer, which each class with initializers of its own would have to repeat.
  open class func makeObject(_ seed: ObjectSeed) -> ManagedObject { ManagedObject(seed) }

  /// The entity that the class declares. The `@Entity` macro writes it.
  open class var declaration: EntityDeclaration { EntityDeclaration(without: self) }

  /// The key paths of the class's properties, inherited ones included. The `@Entity` macro writes
  /// them.
  open class var propertyKeyPaths: [PropertyKeyPath] { [] }

  /// The key paths of the class's properties, rooted in a subclass. The `@Entity` macro writes them
  /// for a class that can have subclasses.
  public static func propertyKeyPaths<Root: ManagedObject>(
    of root: Root.Type
  ) -> [PropertyKeyPath] { [] }

  // MARK: - What the object is

  /// The name of the object, which may leave the queue of its context. Read it on the queue: the context
  /// notes the temporary ids that it gives out.
  public final var objectID: ManagedObjectID {
    let key = key
    if home.checksQueue && key.isTemporary { home.checkQueue(self) }
    return home.id(of: key)
  }
  /// The context of the object. It is nil after the context is gone or was reset, after the object's deletion was
  /// saved or merged and all have heard of it, and after a new object was deleted or rolled back.
  @_disfavoredOverload
  public final var managedObjectContext: ManagedObjectContext? {
    state.intersection(.belonging) == .gone ? nil : home.context
  }
  /// The description of the object's entity.
  @_disfavoredOverload
  public final var entity: EntityDescription { home.shape.description }

  /// Whether the object is new since the last save of its context. In ``didSave()``: whether that save inserted it.
  public final var isInserted: Bool {
    let state = state
    return state.intersection(.withdrawn) == .inserted
      || state.intersection(.savedOrLater) == .announcedNew
  }
  /// Whether the object was changed since the last save of its context. The owner of a to-many
  /// relationship is changed by a member that joins or leaves it. In ``didSave()``: whether that save changed it.
  public final var isUpdated: Bool {
    let state = state
    guard state.isDisjoint(with: .withdrawn) else { return false }
    return state.contains(.updated) || hasChangedLinks
      || state.intersection(.savedOrLater) == .announced
  }
  /// Whether the next save of its context deletes the object. An object that was never saved is not
  /// deleted; it leaves the context at once. In ``didSave()``, and while observers hear of the deletion: whether the object
  /// was deleted.
  public final var isDeleted: Bool {
    let state = state
    return state.intersection(.withdrawn) == .deleted || state.isSuperset(of: .announcedGone)
  }
  /// Whether the object is new, changed or deleted since the last save of its context.
  public final var hasChanges: Bool { isRowChanged || hasChangedLinks }
  /// Whether the object's values are not in memory.
  public final var isFault: Bool { unsafe row == nil }

  // MARK: - Values by name

  /// Sets an attribute or a relationship.
  ///
  /// An attribute takes a value of its type, a number of another type that it can hold, a case of an enum, a struct that is its
  /// composite, or nil. A relationship takes an object or its id, an array or a set of them, or nil. A member of a composite
  /// attribute has a path: `"address.street"`.
  open func setValue(_ value: Any?, forKey name: String) {
    home.binding.check.set(value, forKey: name, of: self)
  }
  /// Sets an attribute without change tracking: the object does not count as changed. The next save writes the value only if the
  /// object counts as changed for another reason. `refresh` drops the value.
  open func setPrimitiveValue(_ value: Any?, forKey name: String) {
    home.binding.check.setPrimitive(value, forKey: name, of: self)
  }
  /// Counts the object as changed. Call it before ``setPrimitiveValue(_:forKey:)``.
  open func willChangeValue(forKey name: String) {
    home.binding.check.willChange(self, name)
  }
  /// Does nothing. It exists for code that calls ``willChangeValue(forKey:)`` and this in pairs.
  open func didChangeValue(forKey name: String) {}

  // MARK: - Moments of its life

  /// Called after the object was made and inserted into a context.
  open func awakeFromInsert() {}
  /// Called after the object's values were read from the store.
  open func awakeFromFetch() {}
  /// Called before the object is deleted.
  open func prepareForDeletion() {}
  /// Called before the context saves. The save includes changes made here.
  open func willSave() {}
  /// Called after the context has saved. The object says what was saved: ``isInserted``, ``isUpdated`` or
  /// ``isDeleted``. A deleted object still has its values.
  open func didSave() {}
  /// Called after the object has returned to earlier values, or to later ones by a redo.
  open func awake(fromSnapshotEvents events: SnapshotEvents) {}
  /// Called before the object drops its values. Change nothing here.
  open func willTurnIntoFault() {}
  /// Called after the object has dropped its values. Change nothing here.
  open func didTurnIntoFault() {}
  /// Throws the reasons against saving the new object. This implementation checks the model; a save
  /// checks the model even if an override does not call it.
  open func validateForInsert() throws { try validateModel() }
  /// Throws the reasons against saving the changed object; see ``validateForInsert()``.
  open func validateForUpdate() throws { try validateModel() }
  /// Throws the reasons against deleting the object; see ``validateForInsert()``.
  open func validateForDelete() throws { try validateModel() }
  /// Throws the reasons against a value for the property. This implementation checks the model. A
  /// save calls it for the ``validatedProperties``.
  open func validateValue(_ value: Value, forKey name: String) throws {
    try validateModel(value, forKey: name)
  }
  /// The properties that a save passes to ``validateValue(_:forKey:)``.
  open class var validatedProperties: [String] { [] }

  /// The text of `CustomStringConvertible`. The object itself never depends on it.
  open var description: String {
    let values = isFault ? "fault" : valuesForDescription
    return "\(home.shape.name)(\(objectID); \(values))"
  }

  private var valuesForDescription: String {
    home.shape.attributes.map { attribute in
      if unsafe home.hearsReads { home.hear(readOf: self, named: attribute.name) }
      return "\(attribute.name): \(value(of: attribute).debugDescription)"
    }.joined(separator: ", ")
  }
}

extension ManagedObject: CustomStringConvertible {}

// Two references are equal if they lead to the same object. Contexts never compare objects by
// value.
extension ManagedObject: Hashable {
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// The hash for sets and dictionaries. It is computed from the object's address. Nobody outside
  /// chooses addresses, so one multiplication is enough; keys that an attacker can choose need a
  /// stronger hash.
  @inlinable
  public func _rawHashValue(seed: Int) -> Int {
    ManagedObject.hash(of: ObjectIdentifier(self), seed: seed)
  }

  @inlinable
  static func hash(of place: ObjectIdentifier, seed: Int) -> Int {
    let place = UInt(bitPattern: place) ^ UInt(bitPattern: seed)
    return Int(bitPattern: place.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15).high)
  }
}

extension ManagedObject {
  final var key: RowKey {
    get { unsafe RowKey(rawValue: keyAndState & ~ObjectState.mask | home.entityBits) }
    set { unsafe keyAndState = keyAndState & ObjectState.mask | newValue.identity }
  }

  /// The primary key, without asking the home for the entity.
  final var primaryKey: Int64 { unsafe RowKey(rawValue: keyAndState).primaryKey }

  final var state: ObjectState {
    get { unsafe ObjectState(inKey: keyAndState) }
    set { unsafe keyAndState = keyAndState & ~ObjectState.mask | newValue.inKey }
  }
}

/// The parts that a managed object is made from. Only contexts make seeds.
public struct ObjectSeed {
  let home: ObjectHome
  let key: RowKey
}
