// SPDX-License-Identifier: MIT
import SporadesModel

/// The objects of a context that were changed since the last save.
struct ContextChanges {
  /// The changed objects in the order of their first change. The list keeps them alive until the
  /// save.
  private(set) var listed: [ManagedObject] = []
  var isEmpty: Bool { !listed.contains(where: \.hasChanges) }

  /// Whether a listed object may have a temporary key.
  private(set) var hasTemporaryKeys = false

  /// Whether a listed object is or was deleted.
  var hasDeletions = false

  /// The indices of the transient attributes that were set since the last save. Only a context over a
  /// context notes them.
  private(set) var transients: [ManagedObject: Set<Int>] = [:]

  mutating func noteTransient(_ index: Int, of object: ManagedObject) {
    transients[object, default: []].insert(index)
  }

  mutating func list(_ object: ManagedObject) {
    if object.key.isTemporary { hasTemporaryKeys = true }
    guard !object.state.contains(.listed) else { return }
    object.state.insert(.listed)
    listed.append(object)
  }

  /// Lists an object for its changed to-many relationships. Its row may be unchanged, and even
  /// unread.
  mutating func noteLinks(_ object: ManagedObject) {
    guard !object.state.contains(.linked) else { return }
    object.state.insert(.linked)
    list(object)
  }

  /// The listed objects with changed to-many relationships.
  var linked: [ManagedObject] { listed.filter { $0.state.contains(.linked) } }

  /// The listed objects that have changes.
  var changed: [ManagedObject] {
    listed.allHeld { $0.hasChanges } ? listed : listed.filter(\.hasChanges)
  }

  /// The new objects that have temporary keys.
  var temporary: [ManagedObject] {
    listed.allHeld { $0.isTemporary } ? listed : listed.filter(\.isTemporary)
  }

  private var asked = 0

  /// The objects listed since the previous call.
  mutating func takeNewlyListed() -> ArraySlice<ManagedObject> {
    defer { asked = listed.count }
    return listed[asked...]
  }

  /// The places of listed objects, as far as the list was searched for one that leaves.
  private var places: [ObjectIdentifier: Int] = [:]

  /// Takes an object out of the list. The last one comes to its place.
  mutating func unlist(_ object: ManagedObject) {
    for place in places.count..<listed.count { places[ObjectIdentifier(listed[place])] = place }
    guard let place = places.removeValue(forKey: ObjectIdentifier(object)) else { return }
    let last = listed.removeLast()
    if last !== object {
      listed[place] = last
      places[ObjectIdentifier(last)] = place
    }
    transients[object] = nil
    asked = min(asked, listed.count)
    object.state.subtract([.listed, .linked])
  }

  mutating func keysArePermanent() { hasTemporaryKeys = false }

  /// Forgets all changes.
  mutating func clear() {
    listed.forEachHeld { $0.state.subtract([.listed, .linked]) }
    self = ContextChanges()
  }
}

extension ManagedObject {
  /// The object is new and has a temporary key.
  fileprivate final var isTemporary: Bool { isInserted && key.isTemporary }
}
