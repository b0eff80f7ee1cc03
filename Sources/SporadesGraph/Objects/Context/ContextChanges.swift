// SPDX-License-Identifier: MIT
import SporadesModel

/// The objects of a context that were changed since the last save.
struct ContextChanges {
  /// The changed objects in the order of their first change. The list keeps them alive until the
  /// save.
  private(set) var listed: [ManagedObject] = []
  /// Objects with changed to-many relationships. Their rows may be unchanged.
  private(set) var linked: [ManagedObject] = []
  var isEmpty: Bool { !listed.contains(where: \.hasChanges) }

  /// Whether a listed object may have a temporary key.
  private(set) var hasTemporaryKeys = false

  /// Whether a listed object is or was deleted.
  var hasDeletions = false

  mutating func list(_ object: ManagedObject) {
    if object.key.isTemporary { hasTemporaryKeys = true }
    guard !object.state.contains(.listed) else { return }
    object.state.insert(.listed)
    listed.append(object)
  }

  /// Keeps an object with changed to-many relationships alive until the save, because no changed
  /// row does.
  mutating func noteLinks(_ object: ManagedObject) {
    guard !object.state.contains(.linked) else { return }
    object.state.insert(.linked)
    linked.append(object)
  }

  private var asked = 0

  /// The objects listed since the previous call.
  mutating func takeNewlyListed() -> ArraySlice<ManagedObject> {
    defer { asked = listed.count }
    return listed[asked...]
  }

  mutating func keysArePermanent() { hasTemporaryKeys = false }

  /// Forgets all changes.
  mutating func clear() {
    for object in listed { object.state.remove(.listed) }
    for object in linked { object.state.remove(.linked) }
    self = ContextChanges()
  }
}
