// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

/// The faults of one inheritance tree, in the order of their creation. A fault that fires reads its
/// neighbours in the same request.
///
/// Rules:
/// 1. Access to values in memory does not touch the list. Making a fault appends to it, and firing
///    a fault searches it.
/// 2. The list holds keys, not objects, so an object can go away without notice.
/// 3. Each key is examined once. A search removes the keys that it has passed.
struct FaultList: Sendable {
  /// The most rows that one firing fault reads.
  static let batch = 256
  private static let capacity = 1 << 16
  /// The most rows of a page that are searched for further references.
  private static let reach = 4096

  private var keys: [RowKey] = []
  /// The row whose reference led to the newest fault.
  private var origin: (page: RowPage, index: Int, slot: Int)?

  mutating func note(_ key: RowKey) {
    if keys.count == Self.capacity { keys.removeFirst(Self.capacity / 2) }
    keys.append(key)
  }

  mutating func noteOrigin(_ page: RowPage, _ index: Int, slot: Int) {
    origin = (page, index, slot)
  }

  /// Releases the page of the origin. The keys are small enough to stay.
  mutating func releaseOrigin() { origin = nil }

  /// The keys to read together with the fault's: those made before and after it, and those that the
  /// other rows of the origin's page refer to.
  mutating func takeBatch(
    with key: RowKey, where isFault: (RowKey) -> Bool?
  ) -> [RowKey] {
    var batch = neighbours(of: key, where: isFault)
    if let origin, origin.page.reference(origin.index, slot: origin.slot) == key {
      self.origin = nil
      addReferences(of: origin.page, from: origin.index, origin.slot, to: &batch, isFault)
    }
    return batch
  }

  private mutating func neighbours(
    of key: RowKey, where isFault: (RowKey) -> Bool?
  ) -> [RowKey] {
    var batch = [key]
    guard let place = keys.last == key ? keys.count - 1 : keys.firstIndex(of: key) else {
      return batch
    }
    var (start, end) = (place, place + 1)
    while end < keys.count, batch.count < Self.batch {
      if isFault(keys[end]) == true { batch.append(keys[end]) }
      end += 1
    }
    while start > 0, batch.count < Self.batch {
      start -= 1
      if isFault(keys[start]) == true { batch.append(keys[start]) }
    }
    keys.removeSubrange(start..<end)
    return batch
  }

  /// Adds the keys that a page's rows refer to, if their objects are faults or do not exist yet.
  private func addReferences(
    of page: RowPage, from index: Int, _ slot: Int, to batch: inout [RowKey],
    _ isFault: (RowKey) -> Bool?
  ) {
    var seen = Set(batch)
    for step in 0..<min(page.count, Self.reach) where batch.count < Self.batch {
      let row = (index + step) % page.count
      guard let key = page.reference(row, slot: slot), !key.isTemporary,
        isFault(key) != false, seen.insert(key).inserted
      else { continue }
      batch.append(key)
    }
  }
}

extension ManagedObjectContext {
  /// Makes a fault for an object's reference, and remembers the referring row.
  func fault(_ key: RowKey, referredToBy object: ManagedObject, _ slot: Int) -> ManagedObject {
    let fault = self.object(forKey: key)
    guard let page = object.page else { return fault }
    faults[stack.roots[key.entity - 1] - 1].noteOrigin(page, object.rowIndex, slot: slot)
    return fault
  }

  /// Adds a new fault of the tree to its list.
  func noteFault(_ key: RowKey, root: Int) {
    if faults.isEmpty { faults = stack.initialFaults }
    faults[root - 1].note(key)
  }

  /// Reads the values of a fault together with its neighbours.
  func readWithSiblings(_ object: ManagedObject, _ slot: Int?) throws(StoreError) {
    guard !faults.isEmpty else { return try read([object.key], for: object, slot) }
    let keys = faults[object.home.shape.rootNumber - 1].takeBatch(with: object.key) { key in
      registered(key).map { $0.isFault && !$0.state.contains(.gone) }
    }
    try read(keys, for: object, slot)
  }

  /// Reads rows, among them the object's. A neighbour without a row stays a fault and is reported
  /// when its own values are read.
  func read(_ keys: [RowKey], for object: ManagedObject, _ slot: Int?) throws(StoreError) {
    register(object)
    for page in try source.rows(for: keys) {
      for index in 0..<page.count { _ = self.object(showing: page, index) }
    }
    if object.isFault { noteMissingRow(of: object, slot) }
  }

  /// Marks an object whose row the store does not have.
  func noteMissingRow(of object: ManagedObject, _ slot: Int?) {
    object.state.insert(.gone)
    if !acceptsMissingRow(of: object, slot) { report(.objectNotFound(object.objectID)) }
  }

  private func acceptsMissingRow(of object: ManagedObject, _ slot: Int?) -> Bool {
    guard let decide = shouldHandleInaccessibleFault else { return shouldDeleteInaccessibleFaults }
    var property: String?
    if let slot {
      let slot = object.home.shape.layout.slots[slot]
      switch slot.role {
      case .attribute, .toOne: property = slot.name
      case .position, .owner: break
      }
    }
    return callHook { decide(object, object.objectID, property) }
  }
}
