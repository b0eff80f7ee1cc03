// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

/// The values by which an object is found.
struct ObjectKey: Hashable, Sendable {
  let first: Value
  let others: [Value]

  init(_ values: [Value]) {
    first = values[0]
    others = Array(values.dropFirst())
  }

  init(_ value: Value) {
    first = value
    others = []
  }

  var description: String { ([first] + others).map(\.debugDescription).joined(separator: ", ") }
}

/// The objects of an entity by their keys: those that the store has, and those that the import made.
///
/// Each key that a batch names gets a number, so that it is looked up once.
struct ObjectFinder {
  private let entityName: String
  private let names: [String]
  private var numbers: [ObjectKey: Int] = [:]
  /// By the number of the key.
  private var objects: [ManagedObject?] = []
  /// The store's further objects, by the numbers of keys that several have.
  private var sharers: [Int: Set<ObjectIdentifier>] = [:]
  private var wanted: [ObjectKey] = []
  /// The to-many relationships whose members are read together with the objects.
  private var prefetched: Set<String> = []

  init(_ lookup: Lookup) {
    entityName = lookup.entityName
    names = lookup.names
  }

  /// The object with the key of a number; nil if there is none.
  subscript(number: Int) -> ManagedObject? { objects[number] }

  /// The object with a key; nil if there is none.
  subscript(key: ObjectKey) -> ManagedObject? { numbers[key].flatMap { objects[$0] } }

  /// The number of the store's objects that share the key of a number; nil if not more than one has it.
  func count(sharing number: Int) -> Int? { sharers[number].map { $0.count + 1 } }

  /// The number of the store's objects that share a key; nil if not more than one has it.
  func count(sharing key: ObjectKey) -> Int? { numbers[key].flatMap { count(sharing: $0) } }

  /// Asks for an object in the next ``read(in:)``, and returns the number of its key.
  mutating func want(_ key: ObjectKey) -> Int {
    let (number, isNew) = number(of: key)
    if isNew { wanted.append(key) }
    return number
  }

  private mutating func number(of key: ObjectKey) -> (number: Int, isNew: Bool) {
    let next = objects.count
    let number = Self.read(&numbers[key, default: next])
    guard number == next else { return (number, false) }
    objects.append(nil)
    return (next, true)
  }

  /// Reads an entry of a dictionary that is made at the same time, with one look-up.
  private static func read(_ entry: inout Int) -> Int { entry }

  /// Makes room for the keys of a batch.
  mutating func reserve(_ count: Int) {
    numbers.reserveCapacity(numbers.count + count)
    objects.reserveCapacity(objects.count + count)
    wanted.reserveCapacity(count)
  }

  mutating func prefetch(_ relationship: String) { prefetched.insert(relationship) }

  /// Notes an object that the import has made.
  mutating func note(_ object: ManagedObject, number: Int) { objects[number] = object }

  /// Notes an object that the import has made.
  mutating func note(_ object: ManagedObject, _ key: ObjectKey) {
    objects[number(of: key).number] = object
  }

  /// Notes an object by the values that it has, if nobody asked for them before.
  mutating func note(_ object: ManagedObject) {
    let values = names.map { object.value(forKey: $0) }
    guard !values.contains(.null) else { return }
    let key = ObjectKey(values)
    if self[key] == nil { note(object, key) }
  }

  /// Reads the wanted objects from the store.
  mutating func read(in context: ManagedObjectContext) throws {
    while !wanted.isEmpty {
      // The store takes this many values in one statement.
      let some = Array(wanted.suffix(10_000))
      wanted.removeLast(some.count)
      let values = names.count == 1 ? some.map(\.first) : Array(Set(some.map(\.first)))
      var request = FetchRequest(
        entityName,
        where: .comparison(
          FetchPredicate.Comparison(.keyPath(names[0]), .isIn, .constant(.list(values)))))
      request.includesPendingChanges = false
      request.relationshipKeyPathsForPrefetching = prefetched.sorted()
      for object in try context.fetch(request) {
        let number = number(of: ObjectKey(names.map { object.value(forKey: $0) })).number
        // An object that the import has changed or made goes first.
        if let known = objects[number] {
          if known !== object, !known.isInserted, !known.isDeleted, !object.isDeleted {
            sharers[number, default: []].insert(ObjectIdentifier(object))
          }
        } else {
          objects[number] = object
        }
      }
    }
  }
}
