// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

/// Finds the objects whose derived attribute a save must compute.
///
/// Rules:
/// 1. These are the objects from which the expression reads something that the save changes: the
///    attribute at the end of its path, or a link on the way. Former owners of a link are among them.
/// 2. Links of unchanged objects are read again where they may be older than the stored ones.
struct DerivedOwners {
  private let derived: DerivedAttribute
  private let context: ManagedObjectContext
  private let readsAnew: Bool

  init(_ derived: DerivedAttribute, _ context: ManagedObjectContext, _ readsAnew: Bool) {
    self.derived = derived
    self.context = context
    self.readsAnew = readsAnew
  }

  func find(among changed: [ManagedObject]) throws(StoreError) -> [ManagedObject] {
    var owners = changed.filter { derived.belongs(to: $0) && isComputed(for: $0) }
    for depth in derived.steps.indices {
      let family = derived.steps[depth].destinationFamily
      var level = changed.filter {
        family.contains($0.home.shape.number) && hasChange($0, at: depth)
      }
      for step in derived.steps[...depth].reversed() where !level.isEmpty {
        level = try back(along: step, from: level)
        if readsAnew { try context.readAnew(unchanged: level) }
      }
      owners += level.filter(derived.belongs)
    }
    return owners
  }

  // MARK: - What the save changes

  /// Whether a changed object computes its own value.
  private func isComputed(for object: ManagedObject) -> Bool {
    if object.isInserted || derived.derivation == .now || context.stack.hasTriggers {
      return true
    }
    // A null may be a value that was never computed. A value of an earlier attempt to save may be
    // outdated.
    guard let slot = derived.attribute.slot, let base = object.basePlace,
      !base.page.isNull(base.index, slot: slot), !object.differsFromBase(slot)
    else { return true }
    return hasChange(object, ahead: 0)
  }

  /// Whether the save changes what the expression reads of an object to which `depth` leads.
  private func hasChange(_ object: ManagedObject, at depth: Int) -> Bool {
    if object.isInserted || object.isRemoved || context.stack.hasTriggers { return true }
    switch derived.steps[depth].storage {
    case .inverseReference(let slot, _): if object.differsFromBase(slot) { return true }
    case .join: if object.hasChangedLinks { return true }
    case .reference, .memory: break
    }
    return hasChange(object, ahead: depth + 1)
  }

  /// Whether the save changes the object's own link of a step, or the attribute behind all steps.
  private func hasChange(_ object: ManagedObject, ahead place: Int) -> Bool {
    guard place < derived.steps.count else {
      return derived.source?.slot.map(object.differsFromBase) ?? false
    }
    // Of a one-to-many relationship, the members are changed, not their owner.
    return switch derived.steps[place].storage {
    case .reference(let slot, _): object.differsFromBase(slot)
    case .join: object.hasChangedLinks
    case .inverseReference, .memory: false
    }
  }

  // MARK: - The way back

  /// The objects whose relationship leads, or led before the save, to one of the objects.
  private func back(
    along step: RelationshipShape, from objects: [ManagedObject]
  ) throws(StoreError) -> [ManagedObject] {
    if case .inverseReference(let slot, _) = step.storage {
      return targets(everIn: slot, of: objects)
    }
    guard let first = objects.first, let name = step.inverseName,
      case .relationship(let inverse)? = first.home.shape[name], inverse.isStored
    else { return try fetch(step, objects) }
    if case .reference(let slot, _) = inverse.storage { return targets(everIn: slot, of: objects) }
    if readsAnew { for object in objects { object.knownToMany(inverse)?.invalidate() } }
    let open = objects.filter { !$0.toMany(inverse).isLoaded }
    try context.load(inverse, for: open)
    return objects.flatMap { $0.members(inverse) + $0.toMany(inverse).removed }
  }

  /// The objects to which a reference slot of the objects leads, or led at the last save.
  private func targets(everIn slot: Int, of objects: [ManagedObject]) -> [ManagedObject] {
    objects.flatMap { object in
      object.references(everIn: slot).map { context.object(forKey: $0) }
    }
  }

  /// Fetches the objects whose to-one relationship without inverse leads to one of the objects.
  private func fetch(
    _ step: RelationshipShape, _ objects: [ManagedObject]
  ) throws(StoreError) -> [ManagedObject] {
    let ids = objects.map { Value.objectID($0.objectID) }
    let predicate = FetchPredicate.comparison(
      .init(.keyPath([step.name]), .isIn, .constant(.list(ids))))
    let fetch = StoreFetch(context.model.shape(numbered: step.entity), where: predicate)
    return try context.storedObjects(fetch).filter { !$0.isRemoved }
  }
}

extension DerivedAttribute {
  /// The object's entity has the attribute.
  func belongs(to object: ManagedObject) -> Bool { family.contains(object.home.shape.number) }
}

extension ManagedObjectContext {
  /// Reads the rows of unchanged objects again. A changed object keeps its base row, so that the
  /// store detects conflicts. A gone row is not merged, because that would silently drop new links
  /// to it.
  func readAnew(unchanged objects: [ManagedObject]) throws(StoreError) {
    let keys = Set(objects.filter { !$0.isRowChanged && !$0.state.contains(.gone) }.map(\.key))
    try merge(shown: Array(keys), mergesGone: false)
  }
}

extension ManagedObject {
  /// The keys that a reference slot has now and had at the last save.
  fileprivate final func references(everIn slot: Int) -> [RowKey] {
    let former = base.flatMap { $0.page.reference($0.index, slot: slot) }
    return [reference(slot), former].compactMap(\.self)
  }
}
