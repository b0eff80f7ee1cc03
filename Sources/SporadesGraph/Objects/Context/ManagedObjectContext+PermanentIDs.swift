// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// Permanent ids of new objects.
extension ManagedObjectContext {
  /// Gives new objects their permanent ids before they are saved.
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
    checkQueue()
    let new = objects.filter { $0.isInserted && $0.key.isTemporary }
    patchReferences(try assignPermanentKeys(to: new))
    for object in new { register(object) }
  }

  /// Gives every new object its permanent key, and patches all references to it.
  func assignPermanentKeys() throws(StoreError) {
    patchReferences(try assignPermanentKeys(to: changes.temporary))
  }

  /// Returns the new keys of objects that others may refer to, by temporary primary key.
  private func assignPermanentKeys(
    to objects: [ManagedObject]
  ) throws(StoreError) -> [Int64: RowKey] {
    guard !objects.isEmpty else { return [:] }
    var keys: [Int64: RowKey] = [:]
    let former = temporaryIDs.isEmpty ? [] : objects.map(\.key)
    defer { temporaryIDs.settle(former, as: objects) }
    if let coordinator = stack.coordinator {
      for (object, key) in zip(objects, try newKeys(of: objects, coordinator)) {
        setKey(object, key, noting: &keys)
      }
      return keys
    }
    var reserved = try reserveKeys(for: objects)
    objects.forEachHeld { object in
      let root = object.home.shape.rootNumber - 1
      let key = RowKey(entity: object.home.shape.number, primaryKey: reserved[root])
      reserved[root] += 1
      setKey(object, key, noting: &keys)
    }
    return keys
  }

  @inline(__always)
  private func setKey(
    _ object: ManagedObject, _ key: RowKey, noting keys: inout [Int64: RowKey]
  ) {
    let isKnown = object.state.contains(.registered)
    if isKnown {
      keys[object.key.primaryKey] = key
      unregister(object)
    }
    object.key = key
    if isKnown { register(object) }
    unsafe object.row?.key = key
  }

  /// The first reserved key of each tree, by number of the root less one.
  private func reserveKeys(for objects: [ManagedObject]) throws(StoreError) -> [Int64] {
    // The array first counts the new objects of each tree, then takes the first reserved key.
    var keys = stack.zeroKeys
    objects.forEachHeld { keys[$0.home.shape.rootNumber - 1] += 1 }
    for root in keys.indices where keys[root] > 0 {
      let shape = model.shape(numbered: root + 1)
      keys[root] = try source.reserveKeys(Int(keys[root]), for: shape, inStore: 0).lowerBound
    }
    return keys
  }

  /// Replaces temporary keys in the references of changed rows.
  private func patchReferences(_ keys: [Int64: RowKey]) {
    guard !keys.isEmpty else { return }
    // because the index finds links by the former keys
    pendingIndex = nil
    for object in changes.listed where !object.isDeleted {
      guard let row = unsafe object.row else { continue }
      for slot in object.home.shape.layout.referenceSlots {
        let held = unsafe RowKey(rawValue: row.word(slot, object.home.slots))
        if held.isTemporary, let key = keys[held.primaryKey] {
          unsafe row.set(slot, to: key.rawValue, object.home.slots)
        }
      }
    }
  }
}
