// SPDX-License-Identifier: MIT
public import SporadesModel

/// One object of the graph, inside one context.
///
/// An object is an id and a place in a row page; a change gives it a row of its own in a page its
/// context keeps open until the next save. It belongs to its context's queue. What may leave the
/// queue is its ``objectID``, and ``inContext(_:)`` finds it again elsewhere.
///
/// Subclasses declare their properties with the `@Entity` macro, or by overriding ``declaration``
/// and reading `self[property:]`. An entity without a class has plain managed objects, whose
/// properties are reached by key.
@safe
open class ManagedObject {
  @usableFromInline final let home: ObjectHome
  /// Nil while the object is a fault.
  @exclusivity(unchecked) @usableFromInline final var row: PackedRow?
  /// Held by hand: access to values must not pay for counting references.
  @exclusivity(unchecked) @usableFromInline final var pageReference: Unmanaged<RowPage>?
  final var extras: ObjectExtras?
  /// The key, but for the entity, which the home knows: in its twelve bits lies the state. So an
  /// object has 56 bytes, which takes 64 of the allocator's and not 80.
  @exclusivity(unchecked) private final var keyAndState: UInt64

  /// Contexts make objects; call `create(in:)` or `init(context:)` instead.
  public required init(_ seed: ObjectSeed) {
    home = seed.home
    unsafe keyAndState = seed.key.identity
    unsafe row = nil
    unsafe pageReference = nil
  }

  deinit { unsafe pageReference?.release() }

  /// A new object of the class's entity in the context.
  public required convenience init(context: ManagedObjectContext) {
    let home = context.home(for: Self.self)
    if home.checksQueue { home.checkQueue() }
    self.init(ObjectSeed(home: home, key: context.nextTemporaryKey))
    context.adoptInserted(self)
  }

  /// The entity as the class tells it. The `@Entity` macro writes it.
  open class var declaration: EntityDeclaration {
    preconditionFailure(
      "\(self) declares no entity. Put @Entity before the class, or override `declaration`.")
  }

  /// The key paths of the class's own and inherited properties. The `@Entity` macro writes them.
  open class var propertyKeyPaths: [PropertyKeyPath] { [] }

  /// The key paths of the class's own and inherited properties as a subclass has them. The `@Entity`
  /// macro writes them for a class that can have subclasses.
  public static func propertyKeyPaths<Root: ManagedObject>(
    of root: Root.Type
  ) -> [PropertyKeyPath] { [] }

  // MARK: - What the object is

  public final var objectID: ManagedObjectID { ManagedObjectID(key: key, scope: home.scope) }
  /// The context the object lives in; nil once the context is gone or was reset.
  public final var managedObjectContext: ManagedObjectContext? { home.context }
  public final var entity: EntityDescription { home.shape.description }

  /// The object is new since the last save of its context.
  public final var isInserted: Bool { state.contains(.inserted) }
  /// The object was changed since the last save of its context.
  public final var isUpdated: Bool { state.contains(.updated) && !state.contains(.deleted) }
  /// The object will be deleted by the next save of its context.
  public final var isDeleted: Bool { state.contains(.deleted) }
  public final var hasChanges: Bool { !state.isDisjoint(with: [.inserted, .updated, .deleted]) }
  /// The object's values are not in memory yet.
  public final var isFault: Bool { unsafe row == nil }

  // MARK: - Moments of its life

  /// The object was made and inserted in a context.
  open func awakeFromInsert() {}
  /// The object's values came from the store.
  open func awakeFromFetch() {}
  /// The object is about to be deleted.
  open func prepareForDeletion() {}
  /// The context is about to save; changes made here are saved with it.
  open func willSave() {}
  /// The context has saved.
  open func didSave() {}
  /// The object went back to, or forward to, values it had before.
  open func awake(fromSnapshotEvents events: SnapshotEvents) {}
  /// The object is about to forget its values; change nothing here.
  open func willTurnIntoFault() {}
  /// The object has forgotten its values; change nothing here.
  open func didTurnIntoFault() {}
  /// Throws what is wrong with the new object; the implementation here throws what its model says,
  /// and a save checks that whether an override calls it or not.
  open func validateForInsert() throws { try validateModel() }
  /// Throws what is wrong with the changed object; see ``validateForInsert()``.
  open func validateForUpdate() throws { try validateModel() }
  /// Throws why the object must not be deleted; see ``validateForInsert()``.
  open func validateForDelete() throws { try validateModel() }
  /// Throws what is wrong with a value the property has or may get; the implementation here throws
  /// what the model says. A save asks it for ``validatedProperties``.
  open func validateValue(_ value: Value, forKey name: String) throws {
    try validateModel(value, forKey: name)
  }
  /// The properties whose values a save gives to ``validateValue(_:forKey:)``.
  open class var validatedProperties: [String] { [] }

  /// The text of `CustomStringConvertible`; the object itself never relies on it.
  open var description: String {
    let values = isFault ? "fault" : valuesForDescription
    return "\(home.shape.name)(\(objectID); \(values))"
  }

  private var valuesForDescription: String {
    home.shape.attributes.map { "\($0.name): \(value(forKey: $0.name))" }.joined(separator: ", ")
  }
}

extension ManagedObject: CustomStringConvertible {}

// Objects are equal when they are the same object; contexts never ask.
extension ManagedObject: Hashable {
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// What sets and dictionaries find an object by: its place in memory, which nobody outside chooses, so
  /// that a multiplication does where other keys need a hash that withstands attacks.
  @inlinable
  public func _rawHashValue(seed: Int) -> Int {
    let place = UInt(bitPattern: ObjectIdentifier(self)) ^ UInt(bitPattern: seed)
    return Int(bitPattern: place.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15).high)
  }
}

extension ManagedObject {
  final var key: RowKey {
    get { unsafe RowKey(rawValue: keyAndState & ~ObjectState.mask | home.entityBits) }
    set { unsafe keyAndState = keyAndState & ObjectState.mask | newValue.identity }
  }

  /// The key's own part, which the home need not be asked for.
  final var primaryKey: Int64 { unsafe RowKey(rawValue: keyAndState).primaryKey }

  final var state: ObjectState {
    get { unsafe ObjectState(inKey: keyAndState) }
    set { unsafe keyAndState = keyAndState & ~ObjectState.mask | newValue.inKey }
  }
}

/// What a managed object is made from; only contexts make them.
public struct ObjectSeed {
  let home: ObjectHome
  let key: RowKey
}

/// Where an object stands between two saves: at most twelve bits.
struct ObjectState: OptionSet {
  let rawValue: UInt16

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The bits of a ``RowKey`` that hold the entity.
  static let mask: UInt64 = 0xFFF << shift
  private static let shift: UInt64 = 40

  init(inKey word: UInt64) { rawValue = UInt16(truncatingIfNeeded: word >> Self.shift) & 0xFFF }
  var inKey: UInt64 { UInt64(rawValue) << Self.shift }

  static let inserted = ObjectState(rawValue: 1)
  static let updated = ObjectState(rawValue: 2)
  static let deleted = ObjectState(rawValue: 4)
  /// The row lies in a page the context keeps open.
  static let open = ObjectState(rawValue: 8)
  /// The row is not in the store any more, or never got there.
  static let gone = ObjectState(rawValue: 16)
  /// The context's list of changed objects has it.
  static let listed = ObjectState(rawValue: 32)
  /// The context's identity map has it.
  static let registered = ObjectState(rawValue: 64)
  /// The context's list of objects whose to-many relationships changed has it.
  static let linked = ObjectState(rawValue: 256)
  /// The object hears that it is about to be deleted.
  static let leaving = ObjectState(rawValue: 512)
  /// The context finds the object among its changes by its values, and must hear when they change.
  static let indexed = ObjectState(rawValue: 2048)
  static let openAndIndexed: ObjectState = [.open, .indexed]
  /// A save is asking the object's own checks.
  static let validating = ObjectState(rawValue: 1024)
}

/// What few objects have: to-many relationships in memory, transient values and links.
final class ObjectExtras {
  /// Few enough to be looked through faster than looked up.
  var toMany: [ToMany] = []
  /// By index of the property in the entity's shape.
  var transients: [Int: Value] = [:]
  /// What transient relationships lead to, by the relationship's number.
  var transientLinks: [Int: MemberList] = [:]
}
