// SPDX-License-Identifier: MIT

/// Objects in an order, each once; appending is cheap, and so are finding and erasing, since an
/// index is made when it is first needed.
struct MemberList {
  private var items: [ManagedObject]
  /// Objects that left and are still among the items, because closing the gap again and again would
  /// be quadratic.
  private var erased: Set<ObjectIdentifier> = []
  /// The members of a long list, once someone asked for one.
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

  /// Appends an object that is not in the list.
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

  /// Takes an object out, and says whether it was there.
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
