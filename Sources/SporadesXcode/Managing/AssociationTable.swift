// SPDX-License-Identifier: MIT
import SporadesModel

/// Which objects of the newer version an entity mapping made of which objects of the older one.
///
/// An object whose only successor has its primary key costs nearly no memory.
struct AssociationTable {
  private let source: Int
  private let destination: Int
  private var kept = KeyRanges()
  private var successors: [RowKey: [RowKey]] = [:]
  private var origins: [RowKey: [RowKey]] = [:]
  /// The sources in `successors`, in the order of their first association.
  private var order: [RowKey] = []

  /// A table for the objects of two entities, by their numbers. A mapping without an entity has the number 0.
  init(source: Int, destination: Int) { (self.source, self.destination) = (source, destination) }

  mutating func associate(_ old: RowKey, with new: RowKey) {
    guard !destinations(of: old).contains(new) else { return }
    if old.entity == source, new.entity == destination, old.primaryKey == new.primaryKey,
      old.store == 0, new.store == 0, kept.append(old.primaryKey)
    {
      return
    }
    if successors[old] == nil { order.append(old) }
    successors[old, default: []].append(new)
    origins[new, default: []].append(old)
  }

  func destinations(of old: RowKey) -> [RowKey] {
    let isKept = old.entity == source && old.store == 0 && kept.contains(old.primaryKey)
    let first = isKept ? [RowKey(entity: destination, primaryKey: old.primaryKey)] : []
    return first + (successors[old] ?? [])
  }

  func sources(of new: RowKey) -> [RowKey] {
    let isKept = new.entity == destination && new.store == 0 && kept.contains(new.primaryKey)
    let first = isKept ? [RowKey(entity: source, primaryKey: new.primaryKey)] : []
    return first + (origins[new] ?? [])
  }

  /// An object of the newer version has the primary key of its only source.
  func keeps(_ key: Int64) -> Bool { kept.contains(key) }

  /// All sources, each once.
  func forEachSource(_ body: (RowKey) throws -> Void) rethrows {
    for range in kept.ranges {
      for key in range { try body(RowKey(entity: source, primaryKey: key)) }
    }
    for old in order where !(old.entity == source && kept.contains(old.primaryKey)) {
      try body(old)
    }
  }
}
