// SPDX-License-Identifier: MIT
public import Foundation
public import SporadesGraph
public import SporadesMissingFoundation
public import SporadesModel

/// The id of an object, which may leave its context's queue.
public typealias NSManagedObjectID = ManagedObjectID
/// The reasons for which an object wakes up from a snapshot.
public typealias NSSnapshotEventType = SnapshotEvents

/// A type that fetches return: objects, ids, dictionaries and numbers.
public protocol NSFetchRequestResult {}

extension NSManagedObject: NSFetchRequestResult {}
extension ManagedObjectID: NSFetchRequestResult {}
extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}

/// One object of the graph, in one context.
open class NSManagedObject: ManagedObject, NSObjectProtocol {
  /// The values of transient attributes that no store can keep.
  var unstored: [String: Any] = [:]

  /// Makes an object of an entity, and inserts it into a context.
  public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    guard let seed = WaitingSeed.take() else {
      guard let context else {
        super.init(DetachedContexts.seed(for: entity, class: Self.self))
        DetachedContexts.whileAlone { insertIntoContext() }
        return
      }
      super.init(context.seed(for: entity, class: Self.self))
      insertIntoContext()
      return
    }
    super.init(seed)
  }

  /// Makes an object of the class's entity, and inserts it into a context.
  public required convenience init(context moc: NSManagedObjectContext) {
    self.init(entity: moc.entity(for: Self.self), insertInto: moc)
  }

  open override class func makeObject(_ seed: ObjectSeed) -> ManagedObject {
    guard let entity = seed.heldEntity as? NSEntityDescription else {
      trap("\(self) is bound to an entity of Sporades, whose contexts make no objects of it.")
    }
    return WaitingSeed.with(seed) { self.init(entity: entity, insertInto: nil) }
  }

  // MARK: - What the object is

  /// 0 for an object whose values are in memory, and another number for a fault.
  public var faultingState: Int { isFault ? 1 : 0 }

  /// The entity of the class, in the model that a coordinator uses.
  open class func entity() -> NSEntityDescription {
    guard let entity = LoadedEntities.entity(of: self) else {
      trap(
        "No coordinator uses a model that has an entity of the class \(self). Load the stores first, or name the entity."
      )
    }
    return entity
  }

  /// A request for all objects of the class's entity.
  open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "\(self)")
    if let entity = LoadedEntities.entity(of: self) { request.entity = entity }
    return request
  }

  /// Whether changes of properties that the model does not have make no changed object of it.
  open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

  // MARK: - Values by name

  /// The value of a property: an object, a set of objects, or the value of an attribute.
  open func value(forKey key: String) -> Any? { modelled(key) }
  /// Sets a property.
  open override func setValue(_ value: Any?, forKey key: String) { setModelled(key, to: value) }
  /// Answers for a property that neither the model nor the class has: it ends the program with a sentence.
  open func value(forUndefinedKey key: String) -> Any? {
    trap("\(entityShape.describeMissingProperty(key))")
  }
  /// Takes a value for a property that the model does not have: it ends the program with a sentence.
  open func setValue(_ value: Any?, forUndefinedKey key: String) {
    trap("\(entityShape.describeMissingProperty(key))")
  }
  /// The value in memory. A fault stays a fault.
  open func primitiveValue(forKey key: String) -> Any? {
    guard case .attribute? = property(named: key) else { return isFault ? nil : modelled(key) }
    if let value = unstored[key] { return value }
    return shown([key: primitiveValue(forKey: key) as Value])[key].flatMap(ValueCoding.unwrapped)
  }
  /// Sets a value without change tracking.
  open override func setPrimitiveValue(_ value: Any?, forKey key: String) {
    switch property(named: key) {
    case .attribute(let attribute):
      if attribute.slot == nil, attribute.type == .undefined || attribute.type == .transformable {
        unstored[key] = ValueCoding.unwrapped(value)
        return
      }
      let coded = Self.coded(value, attribute.description, "\(entityShape.name).\(key)")
      super.setPrimitiveValue(coded, forKey: key)
    case .relationship(let relationship):
      let members = Self.members(value)
      relationship.isToMany
        ? setPrimitiveObjects(members, forKey: key)
        : setPrimitiveObject(members.first, forKey: key)
    case .fetched, nil: setValue(value, forUndefinedKey: key)
    }
  }

  // MARK: - Checks

  /// Throws the reasons against a value for the property. This implementation checks the model. A save calls an override for each
  /// property of a new or changed object.
  open func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String
  ) throws { try checkModel(unsafe value.pointee, forKey: key) }
  /// Passes a value of the library on.
  public final override func validateValue(_ value: Value, forKey name: String) throws {
    var object = shown(value, name) as AnyObject?
    try unsafe validateValue(&object, forKey: name)
  }
  func check(_ value: Value, forKey name: String) throws {
    try super.validateValue(value, forKey: name)
  }

  // MARK: - NSObject

  /// Whether the other object is this one.
  open func isEqual(_ object: Any?) -> Bool { (object as AnyObject?) === self }
  /// The hash of the object's place.
  open var hash: Int { ObjectIdentifier(self).hashValue }
  public func `self`() -> Self { self }
  public func isProxy() -> Bool { false }
  open var debugDescription: String { description }

  // MARK: - Reads and changes that the program announces

  /// Reads the row of a fault. It exists for accessors that programs write.
  open func willAccessValue(forKey key: String?) {
    if isFault, let key { _ = primitiveValue(forKey: key) as Any? }
  }
  /// Does nothing. It exists for code that calls it behind ``willAccessValue(forKey:)``.
  open func didAccessValue(forKey key: String?) {}
}

/// The objects of Core Data, for the properties below.
public protocol CoreDataObject: NSManagedObject {}

extension NSManagedObject: CoreDataObject {}

// Names that the class above has for other types. A class cannot have them again; an extension of a protocol can, and goes first.
extension CoreDataObject {
  /// The description of the object's entity.
  public var entity: NSEntityDescription {
    guard let entity = heldEntity as? NSEntityDescription else {
      trap(
        "\(type(of: self)) belongs to a stack of Sporades, whose entities are no NSEntityDescription."
      )
    }
    return entity
  }

  /// The context of the object; nil after it is gone.
  public var managedObjectContext: NSManagedObjectContext? {
    let context: ManagedObjectContext? = (self as ManagedObject).managedObjectContext
    guard let holder = context?.holder as? NSManagedObjectContext, !holder.isDetached else {
      return nil
    }
    return holder
  }
}
