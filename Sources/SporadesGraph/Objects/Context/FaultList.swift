// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

/// The faults of one inheritance tree in the order they were made, so that one that fires can take
/// its siblings along.
///
/// Rules:
/// 1. Values in memory ask nothing here; the list is written where an object is made as a fault, and
///    read where one fires.
/// 2. It holds keys, no objects: whoever lets a fault go need not say so here.
/// 3. Each key is looked at once. What fired, took part, or had its values already leaves the list.
struct FaultList: Sendable {
  /// The most rows that one fault reads with its own.
  static let batch = 256
  private static let capacity = 1 << 16
  /// How far the rows of a page are searched for what else they lead to.
  private static let reach = 4096

  private var keys: [RowKey] = []
  /// The row whose reference was followed to the fault that was made last.
  private var origin: (page: RowPage, index: Int, slot: Int)?

  mutating func note(_ key: RowKey) {
    if keys.count == Self.capacity { keys.removeFirst(Self.capacity / 2) }
    keys.append(key)
  }

  mutating func noteOrigin(_ page: RowPage, _ index: Int, slot: Int) {
    origin = (page, index, slot)
  }

  /// The page is let go; keys are cheap enough to stay.
  mutating func forgetOrigin() { origin = nil }

  /// The fault's key, and those of the faults that came with it: made before and after it, or
  /// waiting behind the other references of the page it was reached from.
  mutating func batch(
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

  /// Adds what a page's references lead to: objects that are faults, and those not made yet.
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
  /// The object another one's reference leads to, which was not in memory.
  func fault(_ key: RowKey, referredToBy object: ManagedObject, _ slot: Int) -> ManagedObject {
    let fault = self.object(forKey: key)
    guard let page = object.page else { return fault }
    faults[stack.roots[key.entity - 1] - 1].noteOrigin(page, object.rowIndex, slot: slot)
    return fault
  }

  /// Remembers that an object of the tree has no values and may come to read them with others.
  func noteFault(_ key: RowKey, root: Int) {
    if faults.isEmpty { faults = stack.noFaults }
    faults[root - 1].note(key)
  }

  /// Reads the values of a fault, and in the same request those of the faults that came with it.
  func readWithSiblings(_ object: ManagedObject, _ slot: Int?) throws(StoreError) {
    guard !faults.isEmpty else { return try read([object.key], for: object, slot) }
    let keys = faults[object.home.shape.rootNumber - 1].batch(with: object.key) { key in
      registered(key).map { $0.isFault && !$0.state.contains(.gone) }
    }
    try read(keys, for: object, slot)
  }

  /// Reads rows of which one is the object's. Siblings without a row stay faults, to be told of
  /// when they are asked for themselves.
  func read(_ keys: [RowKey], for object: ManagedObject, _ slot: Int?) throws(StoreError) {
    register(object)
    for page in try source.rows(for: keys) {
      for index in 0..<page.count { _ = self.object(showing: page, index) }
    }
    guard object.isFault else { return }
    object.state.insert(.gone)
    if !isInOrder(object, slot) { report(.objectNotFound(object.objectID)) }
  }

  private func isInOrder(_ object: ManagedObject, _ slot: Int?) -> Bool {
    guard let decide = shouldHandleInaccessibleFault else { return shouldDeleteInaccessibleFaults }
    var property: String?
    if let slot {
      let slot = object.home.shape.layout.slots[slot]
      switch slot.role {
      case .attribute, .toOne: property = slot.name
      case .position, .owner: break
      }
    }
    return decide(object, object.objectID, property)
  }
}
