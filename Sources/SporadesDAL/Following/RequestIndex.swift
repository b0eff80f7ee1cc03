// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

/// Finds the requests that a changed row may concern, without a look at the others.
///
/// A row concerns a request that holds it, and one whose guard accepts its new values. So nobody needs its old values.
struct RequestIndex {
  /// The requests of one entity's rows.
  fileprivate struct Entity {
    /// Every change concerns them.
    var always: Set<Int> = []
    var values: [Int: Valued] = [:]
    var ranges: [Int: Ranged] = [:]
    /// Those with a predicate that no index serves.
    var unguarded: Set<Int> = []
    /// The same, by the slots that their predicates and orders read.
    var readers: [Int: Set<Int>] = [:]
  }

  fileprivate struct Valued {
    let slot: RowGuard.Slot
    var owners: [ValueKey: [Int]] = [:]
  }

  fileprivate struct Ranged {
    let slot: RowGuard.Slot
    var index = IntervalIndex()
  }

  /// The requests that hold a row. One is usual, and has no list.
  private struct Holders {
    var first: Int
    var others: [Int] = []
  }

  private var entities: [Int: Entity] = [:]
  private var holders: [RowKey: Holders] = [:]
  private var joins: [Int: Set<Int>] = [:]
  /// The numbers of requests that read rows of an entity, by entity.
  private var watchers: [Int: Int] = [:]
  private let scope: StoreScope

  init(_ scope: StoreScope) { self.scope = scope }

  // MARK: - Requests

  /// Counts a reader of entities, before it is told which rows concern it.
  mutating func watch(_ entities: Set<Int>, by count: Int) {
    for entity in entities { watchers[entity, default: 0] += count }
  }

  /// Somebody reads rows of the entity.
  func isWatched(_ key: RowKey) -> Bool {
    watchers[key.entity, default: 0] > 0 || holders[key] != nil
  }

  mutating func add(_ owner: Int, _ condition: FollowedCondition) {
    guard condition.isExact else { return addReader(owner, condition.reads) }
    for entity in condition.family { change(entity) { $0.add(owner, condition) } }
    if case .keys(let keys)? = condition.rowGuard { hold(keys, owner) }
  }

  mutating func remove(_ owner: Int, _ condition: FollowedCondition) {
    guard condition.isExact else { return removeReader(owner, condition.reads) }
    for entity in condition.family { change(entity) { $0.remove(owner, condition) } }
    if case .keys(let keys)? = condition.rowGuard { release(keys, owner) }
  }

  /// Adds somebody whom every change of what was read concerns.
  mutating func addReader(_ owner: Int, _ notes: ReadNotes) {
    for entity in notes.entities { change(entity) { $0.always.insert(owner) } }
    for join in notes.joins { joins[join, default: []].insert(owner) }
    hold(notes.keys, owner)
  }

  mutating func removeReader(_ owner: Int, _ notes: ReadNotes) {
    for entity in notes.entities { change(entity) { $0.always.remove(owner) } }
    for join in notes.joins { joins[join]?.remove(owner) }
    release(notes.keys, owner)
  }

  private mutating func change(_ entity: Int, _ body: (inout Entity) -> Void) {
    body(&entities[entity, default: Entity()])
  }

  mutating func hold(_ keys: some Sequence<RowKey>, _ owner: Int) {
    for key in keys {
      if holders[key] == nil {
        holders[key] = Holders(first: owner)
      } else if holders[key]?.first != owner, holders[key]?.others.contains(owner) == false {
        holders[key]?.others.append(owner)
      }
    }
  }

  mutating func release(_ keys: some Sequence<RowKey>, _ owner: Int) {
    for key in keys {
      guard var all = holders[key] else { continue }
      if all.first == owner {
        guard let next = all.others.popLast() else {
          holders[key] = nil
          continue
        }
        all.first = next
      } else {
        all.others.removeAll { $0 == owner }
      }
      holders[key] = all
    }
  }

  // MARK: - Changes

  /// Calls `body` with each request that the change may concern, perhaps more than once.
  mutating func forEach(concernedBy change: RowChange, _ body: (Int) -> Void) {
    if let all = holders[change.key] {
      body(all.first)
      for owner in all.others { body(owner) }
    }
    guard let place = entities.index(forKey: change.key.entity) else { return }
    entities.values[place].visit(change, scope, body)
  }

  /// The requests that a change of a join's links concerns.
  func owners(ofJoin join: Int) -> Set<Int> { joins[join] ?? [] }
}

extension RequestIndex.Entity {
  fileprivate mutating func add(_ owner: Int, _ condition: FollowedCondition) {
    guard condition.isFiltered else {
      _ = always.insert(owner)
      return
    }
    switch condition.rowGuard {
    // Holders of the keys are found by the row.
    case .keys: break
    case .values(let keys, let slot):
      for key in Set(keys) {
        values[slot.number, default: .init(slot: slot)].owners[key, default: []].append(owner)
      }
    case .range(let range, let slot):
      ranges[slot.number, default: .init(slot: slot)].index.insert(range, owner: owner)
    case nil:
      unguarded.insert(owner)
      condition.slots.visit { readers[$0, default: []].insert(owner) }
    }
  }

  fileprivate mutating func remove(_ owner: Int, _ condition: FollowedCondition) {
    guard condition.isFiltered else {
      _ = always.remove(owner)
      return
    }
    switch condition.rowGuard {
    case .keys: break
    case .values(let keys, let slot):
      for key in Set(keys) {
        values[slot.number]?.owners[key]?.removeAll { $0 == owner }
        if values[slot.number]?.owners[key]?.isEmpty == true {
          values[slot.number]?.owners[key] = nil
        }
      }
      if values[slot.number]?.owners.isEmpty == true { values[slot.number] = nil }
    case .range(let range, let slot):
      ranges[slot.number]?.index.remove(range, owner: owner)
      if ranges[slot.number]?.index.isEmpty == true { ranges[slot.number] = nil }
    case nil:
      unguarded.remove(owner)
      condition.slots.visit { readers[$0]?.remove(owner) }
    }
  }

  fileprivate mutating func visit(
    _ change: RowChange, _ scope: StoreScope, _ body: (Int) -> Void
  ) {
    for owner in always { body(owner) }
    // A row that is gone concerns those that hold it.
    guard let row = change.row else { return }
    for valued in values.values {
      for owner in valued.owners[valued.slot.key(of: row, scope)] ?? [] { body(owner) }
    }
    for slot in ranges.keys {
      if let number = ranges[slot]?.slot.number(of: row) {
        ranges[slot]?.index.forEach(containing: number, body)
      }
    }
    guard !unguarded.isEmpty else { return }
    guard !change.slots.isAll else {
      for owner in unguarded { body(owner) }
      return
    }
    change.slots.visit { slot in for owner in readers[slot] ?? [] { body(owner) } }
  }
}
