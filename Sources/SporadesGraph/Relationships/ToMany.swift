// SPDX-License-Identifier: MIT
import SporadesModel

/// The objects a to-many relationship of one object leads to, as far as the context knows.
///
/// Until someone asks for the members, only what was added and removed is kept; the store is not
/// asked for the rest.
final class ToMany {
  private(set) var isLoaded: Bool
  /// Added since the last save; for ordered relationships in order.
  private(set) var added: [ManagedObject] = []
  /// Removed since the last save.
  private(set) var removed: [ManagedObject] = []
  private var loaded: [ManagedObject] = []
  private var places: [ObjectIdentifier: Int]?
  private var holes = 0
  /// The order was changed since the last save.
  var isReordered = false

  init(isLoaded: Bool) { self.isLoaded = isLoaded }

  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

  /// The members; only right once they are loaded.
  var members: [ManagedObject] {
    if holes > 0 { compact() }
    return loaded
  }

  func contains(_ object: ManagedObject) -> Bool {
    place(of: object) != nil
  }

  /// Takes what the store says, under what was changed here.
  func load(_ stored: [ManagedObject]) {
    let gone = Set(removed.map(ObjectIdentifier.init))
    loaded = stored.filter { !gone.contains(ObjectIdentifier($0)) }
    places = nil
    holes = 0
    isLoaded = true
    for object in added where place(of: object) == nil { append(object) }
  }

  func add(_ object: ManagedObject) {
    if let index = removed.firstIndex(where: { $0 === object }) {
      removed.remove(at: index)
    } else if !added.contains(where: { $0 === object }) {
      added.append(object)
    }
    if isLoaded && place(of: object) == nil { append(object) }
  }

  func remove(_ object: ManagedObject) {
    if let index = added.lastIndex(where: { $0 === object }) {
      added.remove(at: index)
    } else {
      removed.append(object)
    }
    if isLoaded { erase(object) }
  }

  /// Sets the order of the members, which stay the same.
  func reorder(_ objects: [ManagedObject]) {
    guard isLoaded, !members.elementsEqual(objects, by: ===) else { return }
    loaded = objects
    places = nil
    isReordered = true
  }

  /// The changes were saved; what is known stays known.
  func didSave() {
    added = []
    removed = []
    isReordered = false
  }

  private func append(_ object: ManagedObject) {
    places?[ObjectIdentifier(object)] = loaded.count
    loaded.append(object)
  }

  private func erase(_ object: ManagedObject) {
    guard let place = place(of: object) else { return }
    if place == loaded.count - 1 {
      loaded.removeLast()
      places?[ObjectIdentifier(object)] = nil
    } else {
      // because removing from the middle of a large relationship again and again would be quadratic
      places?[ObjectIdentifier(object)] = nil
      loaded[place] = hole
      holes += 1
    }
  }

  private lazy var hole: ManagedObject = KeyPathProbe.probe(ManagedObject.self)

  private func compact() {
    loaded.removeAll { $0 === hole }
    holes = 0
    places = nil
  }

  private func place(of object: ManagedObject) -> Int? {
    if loaded.count < 16 { return loaded.firstIndex { $0 === object } }
    if places == nil {
      compact()
      places = Dictionary(
        uniqueKeysWithValues: loaded.enumerated().map { (ObjectIdentifier($1), $0) })
    }
    return places?[ObjectIdentifier(object)]
  }
}
