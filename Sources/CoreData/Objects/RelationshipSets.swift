// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel

/// A set that is a to-many relationship of an object: what enters it or leaves it is linked or unlinked.
final class RelationshipSet: NSMutableSet {
  private let owner: NSManagedObject
  private let key: String

  init(_ owner: NSManagedObject, _ key: String) {
    self.owner = owner
    self.key = key
    super.init(capacity: 0)
  }

  required init(capacity numItems: Int) { trap("mutableSetValue(forKey:) makes this set.") }
  /// No archive holds relationships.
  required convenience init?(coder aDecoder: NSCoder) { return nil }

  private var members: [ManagedObject] { owner.objects(forKey: key) }

  override var count: Int { owner.count(forRelationshipNamed: key) }
  override func member(_ object: Any) -> Any? { members.first { $0 === object as AnyObject } }
  override func objectEnumerator() -> NSEnumerator { NSSet(array: members).objectEnumerator() }
  override func add(_ object: Any) {
    for object in NSManagedObject.members(object) { owner.add(object, to: key) }
  }
  override func remove(_ object: Any) {
    for object in NSManagedObject.members(object) { owner.remove(object, from: key) }
  }
  override func copy(with zone: NSZone? = nil) -> Any { NSSet(array: members) }

  // Foundation's own compare and show what the class above stores, which is nothing here.
  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSSet else { return false }
    let members = NSSet(array: members)
    return other === self || members.isEqual((other as? RelationshipSet)?.copy() ?? other)
  }
  override var description: String { NSSet(array: members).description }
  override func mutableCopy(with zone: NSZone? = nil) -> Any { NSMutableSet(array: members) }
}

/// An ordered set that is an ordered relationship of an object.
final class RelationshipOrderedSet: NSMutableOrderedSet {
  private let owner: NSManagedObject
  private let key: String

  init(_ owner: NSManagedObject, _ key: String) {
    self.owner = owner
    self.key = key
    super.init(capacity: 0)
  }

  required convenience init(arrayLiteral elements: Any...) {
    trap("mutableOrderedSetValue(forKey:) makes this set.")
  }
  /// No archive holds relationships.
  required convenience init?(coder aDecoder: NSCoder) { return nil }

  private var members: [ManagedObject] { owner.objects(forKey: key) }

  override var count: Int { owner.count(forRelationshipNamed: key) }
  override func object(at index: Int) -> Any { members[index] }
  override func index(of object: Any) -> Int {
    members.firstIndex { $0 === object as AnyObject } ?? NSNotFound
  }
  override func insert(_ object: Any, at index: Int) {
    for object in NSManagedObject.members(object) { owner.insert(object, into: key, at: index) }
  }
  override func removeObject(at index: Int) { owner.remove(at: index, from: key) }
  override func replaceObject(at index: Int, with object: Any) {
    for object in NSManagedObject.members(object) {
      owner.replace(at: index, in: key, with: object)
    }
  }
  override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: members) }
}
