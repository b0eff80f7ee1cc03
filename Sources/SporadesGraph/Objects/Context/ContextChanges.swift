// SPDX-License-Identifier: MIT
import SporadesModel

/// The objects of a context that were changed since the last save.
struct ContextChanges {
  /// In the order of their first change; holds them until the save.
  private(set) var listed: [ManagedObject] = []
  /// Objects whose to-many relationships changed in memory, while their rows may be the same.
  private(set) var linked: [ManagedObject] = []
  var isEmpty: Bool { !listed.contains(where: \.hasChanges) }

  /// A listed object may have a temporary key.
  private(set) var hasTemporaryKeys = false

  /// A listed object is deleted, or was.
  var hasDeletions = false

  mutating func list(_ object: ManagedObject) {
    if object.key.isTemporary { hasTemporaryKeys = true }
    guard !object.state.contains(.listed) else { return }
    object.state.insert(.listed)
    listed.append(object)
  }

  /// Holds an object whose to-many relationships changed until the save, since no row tells it.
  mutating func noteLinks(_ object: ManagedObject) {
    guard !object.state.contains(.linked) else { return }
    object.state.insert(.linked)
    linked.append(object)
  }

  private var asked = 0

  /// The objects listed since this was last asked.
  mutating func takeNewlyListed() -> ArraySlice<ManagedObject> {
    defer { asked = listed.count }
    return listed[asked...]
  }

  mutating func keysArePermanent() { hasTemporaryKeys = false }

  /// Starts anew.
  mutating func clear() {
    for object in listed { object.state.remove(.listed) }
    for object in linked { object.state.remove(.linked) }
    self = ContextChanges()
  }
}
