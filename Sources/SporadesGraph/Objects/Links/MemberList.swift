// SPDX-License-Identifier: MIT

/// A list of objects without duplicates. Appending, finding and erasing are cheap; the list builds
/// an index when a search first needs it.
struct MemberList {
  private var items: [ManagedObject]
  /// Erased objects that are still among the items. Closing each gap at once would make a series of
  /// removals quadratic.
  private var erased: Set<ObjectPlace> = []
  /// The members of a long list, built by the first search.
  private var index: Set<ObjectPlace>?
  private static let shortCount = 16

  init(_ objects: [ManagedObject] = []) { items = objects }

  var isEmpty: Bool { items.count == erased.count }

  var objects: [ManagedObject] {
    mutating get {
      compact()
      return items
    }
  }

  /// Appends an object that the list does not have.
  mutating func append(_ object: ManagedObject) {
    if !erased.isEmpty && erased.contains(ObjectPlace(object)) { compact() }
    items.append(object)
    index?.insert(ObjectPlace(object))
  }

  mutating func contains(_ object: ManagedObject) -> Bool {
    if items.count < Self.shortCount {
      return items.contains { $0 === object } && !erased.contains(ObjectPlace(object))
    }
    if index == nil {
      compact()
      index = Set(items.map(ObjectPlace.init))
    }
    return index?.contains(ObjectPlace(object)) ?? false
  }

  /// Erases an object, and returns whether the list had it.
  mutating func erase(_ object: ManagedObject) -> Bool {
    guard contains(object) else { return false }
    index?.remove(ObjectPlace(object))
    if items.last === object {
      items.removeLast()
    } else {
      erased.insert(ObjectPlace(object))
    }
    return true
  }

  private mutating func compact() {
    guard !erased.isEmpty else { return }
    items.removeAll { erased.contains(ObjectPlace($0)) }
    erased = []
  }
}

/// The place of an object in memory, as the key of a set that holds no objects. Its hash is that of ``ManagedObject``.
private struct ObjectPlace: Hashable {
  private let value: ObjectIdentifier

  init(_ object: ManagedObject) { value = ObjectIdentifier(object) }

  func _rawHashValue(seed: Int) -> Int { ManagedObject.hash(of: value, seed: seed) }
}
