// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// The changed objects of a context by tree, and by the values and links that fetches compared.
///
/// A context with many changes builds the index in its first fetch. A loop of fetches and inserts
/// then costs no more than its own fetches and inserts. Indexed objects carry a mark, and announce
/// changes of their values; setters of other objects pay nothing. Code that replaces rows in other
/// ways drops the index.
final class PendingIndex {
  private struct Column: Hashable {
    let root: Int
    let slot: Int
  }

  private var byRoot: [Int: [ManagedObject]] = [:]
  private var columns: [Column: [ValueKey: [ManagedObject]]] = [:]
  private var slots: [Column: RowGuard.Slot] = [:]
  /// Indexed objects whose values may have changed since.
  private var loose: [ManagedObject] = []
  private var count = 0
  /// The number of objects that candidate searches have examined.
  private(set) var examined = 0

  /// The least number of changes for an index. With fewer, a fetch examines all of them.
  static let least = 64

  /// Adds the objects that were listed since the last call, and updates those whose values may have
  /// changed.
  func update(with listed: [ManagedObject]) {
    for object in listed[count...] {
      byRoot[object.home.shape.rootNumber, default: []].append(object)
      add(object)
    }
    count = listed.count
    let open = loose
    loose = []
    for object in open { add(object) }
  }

  private func add(_ object: ManagedObject) {
    object.state.insert(.indexed)
    for (column, slot) in slots where column.root == object.home.shape.rootNumber {
      add(object, column, slot)
    }
  }

  private func add(_ object: ManagedObject, _ column: Column, _ slot: RowGuard.Slot) {
    guard let row = object.place else { return }
    columns[column]?[slot.key(of: row, object.home.scope), default: []].append(object)
  }

  /// Marks an object whose values are about to change.
  func noteChange(of object: ManagedObject) { loose.append(object) }

  // MARK: - Asking

  var roots: Set<Int> {
    Set(byRoot.filter { $0.value.contains(where: \.isRowChanged) }.keys)
  }

  func touches(_ family: ClosedRange<Int>, ofRoot root: Int) -> Bool {
    byRoot[root]?.contains { family.contains($0.home.shape.number) && $0.isRowChanged } == true
  }

  /// The changed objects of the fetched tree. If the predicate demands one of some values, only the objects
  /// that had one when they were indexed; some of them may have changed since.
  func candidates(for fetch: StoreFetch, _ model: ManagedObjectModel) -> [ManagedObject] {
    let root = fetch.entity.rootNumber
    guard let (keys, slot) = demand(of: fetch, model) else {
      examined += byRoot[root]?.count ?? 0
      return byRoot[root]?.filter(\.isRowChanged) ?? []
    }
    let column = Column(root: root, slot: slot.number)
    if columns[column] == nil {
      columns[column] = [:]
      slots[column] = slot
      examined += byRoot[root]?.count ?? 0
      for object in byRoot[root] ?? [] { add(object, column, slot) }
    }
    var seen: Set<ObjectIdentifier> = []
    return keys.flatMap { living($0, in: column) }.filter {
      $0.isRowChanged && seen.insert(ObjectIdentifier($0)).inserted
    }
  }

  private func living(_ key: ValueKey, in column: Column) -> [ManagedObject] {
    let found = columns[column]?[key] ?? []
    examined += found.count
    // because only undo brings back an object that was made and deleted here, and undo drops the
    // index
    let living = found.filter { !$0.state.isSuperset(of: .withdrawn) }
    if living.count < found.count { columns[column]?[key] = living }
    return living
  }

  /// The values of which the fetch demands one in a slot of every object; nil if it demands none.
  private func demand(
    of fetch: StoreFetch, _ model: ManagedObjectModel
  ) -> (keys: [ValueKey], slot: RowGuard.Slot)? {
    guard let predicate = fetch.predicate,
      case .values(let keys, let slot)? = RowGuard(predicate, in: fetch.entity, model)
    else { return nil }
    // A row may still name an object that this context deleted, where the predicate sees none.
    return slot.type == nil && keys.contains(ValueKey([.null])) ? nil : (keys, slot)
  }
}

extension ManagedObjectContext {
  /// The index of the context's changes, brought up to date; nil if there are few changes.
  final func indexedChanges() -> PendingIndex? {
    guard changes.listed.count >= PendingIndex.least else { return nil }
    let index = pendingIndex ?? PendingIndex()
    pendingIndex = index
    index.update(with: changes.listed)
    return index
  }
}
