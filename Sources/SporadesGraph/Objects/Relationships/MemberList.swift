// SPDX-License-Identifier: MIT

/// A list of objects without duplicates. Appending, finding and erasing are cheap; the list builds
/// an index when a search first needs it.
struct MemberList {
  private var items: [ManagedObject]
  /// Erased objects that are still among the items. Closing each gap at once would make a series of
  /// removals quadratic.
  private var erased: Set<ObjectIdentifier> = []
  /// The members of a long list, built by the first search.
  private var index: Set<ObjectIdentifier>?
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
    if !erased.isEmpty && erased.contains(ObjectIdentifier(object)) { compact() }
    items.append(object)
    index?.insert(ObjectIdentifier(object))
  }

  mutating func contains(_ object: ManagedObject) -> Bool {
    if items.count < Self.shortCount {
      return items.contains { $0 === object } && !erased.contains(ObjectIdentifier(object))
    }
    if index == nil {
      compact()
      index = Set(items.map(ObjectIdentifier.init))
    }
    return index?.contains(ObjectIdentifier(object)) ?? false
  }

  /// Erases an object, and returns whether the list had it.
  mutating func erase(_ object: ManagedObject) -> Bool {
    guard contains(object) else { return false }
    index?.remove(ObjectIdentifier(object))
    if items.last === object {
      items.removeLast()
    } else {
      erased.insert(ObjectIdentifier(object))
    }
    return true
  }

  private mutating func compact() {
    guard !erased.isEmpty else { return }
    items.removeAll { erased.contains(ObjectIdentifier($0)) }
    erased = []
  }
}
