// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesChain
import SporadesModel
import SporadesStore

/// Computes derived attributes in a save to the store.
///
/// Rules:
/// 1. A changed object computes all its derived attributes.
/// 2. An object from which an expression reaches a changed object computes that attribute, even if
///    it has no changes itself. Former owners of a link do too.
/// 3. An equal result is no change.
/// 4. Values are computed from the rows in the store at the time of the save. If others have saved
///    since, the save reads those rows again, and the root refuses older results.
struct DerivedValues {
  private let context: ManagedObjectContext
  private let now = Date()

  init(_ context: ManagedObjectContext) { self.context = context }

  /// Computes all derived values. `readingAnew` says that unchanged objects may be older than their
  /// stored rows.
  func update(readingAnew: Bool = false) throws(StoreError) {
    let changed = context.changes.listed.filter(\.isRowChanged)
    if readingAnew { try readAnew(changed) }
    for derived in context.stack.derivedAttributes {
      var done: Set<ObjectIdentifier> = []
      for object in try owners(of: derived, among: changed)
      where !object.isRemoved && done.insert(ObjectIdentifier(object)).inserted {
        guard unsafe object.loadRow() != nil else { continue }
        object.set(try value(derived, of: object), of: derived.attribute)
      }
    }
  }

  // MARK: - What others changed

  /// Reads the objects along each expression again, step by step, because each step may lead to
  /// other objects now.
  private func readAnew(_ changed: [ManagedObject]) throws(StoreError) {
    for derived in context.stack.derivedAttributes {
      var level = try owners(of: derived, among: changed)
      try readRows(of: level)
      for step in derived.steps {
        for object in level { object.knownToMany(step)?.invalidate() }
        level = level.flatMap { $0.objects(of: step) }
        try readRows(of: level)
      }
    }
  }

  /// Reads the rows of unchanged objects again. A changed object keeps its base row, so that the
  /// store detects conflicts. A gone row is not merged, because that would silently drop new links
  /// to it.
  private func readRows(of objects: [ManagedObject]) throws(StoreError) {
    let keys = Set(objects.filter { !$0.isRowChanged && !$0.state.contains(.gone) }.map(\.key))
    try context.merge(shown: Array(keys), mergesGone: false)
  }

  // MARK: - Whose values to compute

  private func owners(
    of derived: DerivedAttribute, among changed: [ManagedObject]
  ) throws(StoreError) -> [ManagedObject] {
    var owners = changed.filter { derived.family.contains($0.home.shape.number) }
    for depth in derived.steps.indices {
      let family = context.model.shape(numbered: derived.steps[depth].destination).family
      var level = changed.filter { family.contains($0.home.shape.number) }
      for step in derived.steps[...depth].reversed() where !level.isEmpty {
        level = try back(along: step, from: level)
      }
      owners += level.filter { derived.family.contains($0.home.shape.number) }
    }
    return owners
  }

  /// The objects whose relationship leads, or led before the save, to one of the objects.
  private func back(
    along step: RelationshipShape, from objects: [ManagedObject]
  ) throws(StoreError) -> [ManagedObject] {
    if case .inverseReference(let slot, _) = step.storage {
      return objects.flatMap { object in
        (object.references(everIn: slot)).map { context.object(forKey: $0) }
      }
    }
    guard let first = objects.first, let name = step.inverseName,
      case .relationship(let inverse)? = first.home.shape[name], inverse.isStored
    else { return try fetch(step, objects) }
    if case .reference(let slot, _) = inverse.storage {
      return objects.flatMap { object in
        object.references(everIn: slot).map { context.object(forKey: $0) }
      }
    }
    let open = objects.filter { !$0.toMany(inverse).isLoaded }
    try context.load(inverse, for: open)
    return objects.flatMap { $0.members(inverse) }
  }

  /// Fetches the objects whose to-one relationship without inverse leads to one of the objects.
  private func fetch(
    _ step: RelationshipShape, _ objects: [ManagedObject]
  ) throws(StoreError) -> [ManagedObject] {
    let ids = objects.map { Value.objectID($0.objectID) }
    let predicate = FetchPredicate.comparison(
      .init(.keyPath([step.name]), .isIn, .constant(.list(ids))))
    let fetch = StoreFetch(context.model.shape(numbered: step.entity), where: predicate)
    return try context.storedObjects(fetch).filter { !$0.isDeleted }
  }

  // MARK: - What they are

  private func value(
    _ derived: DerivedAttribute, of object: ManagedObject
  ) throws(StoreError) -> Value {
    switch derived.derivation {
    case .now: return object.isRowChanged ? .date(now) : object.value(of: derived.attribute)
    case .count: return .integer(Int64(try ends(derived, object).count))
    case .sum:
      let values = try ends(derived, object).map { end in source(derived, end) }
      let sum = AggregateFunction.sum.value(of: values)
      return sum.isNull ? .integer(0) : sum
    case .keyPath: return try single(derived, object)
    case .canonical:
      return try text(derived, object) {
        TextFolding.fold($0, [.caseInsensitive, .diacriticInsensitive])
      }
    case .uppercase: return try text(derived, object) { $0.uppercased() }
    case .lowercase: return try text(derived, object) { $0.lowercased() }
    }
  }

  private func ends(
    _ derived: DerivedAttribute, _ object: ManagedObject
  ) throws(StoreError) -> [ManagedObject] {
    var level = [object]
    for step in derived.steps { level = level.flatMap { $0.objects(of: step) } }
    try context.fulfil(level)
    return level.filter { !$0.isDeleted && !$0.state.contains(.gone) }
  }

  private func source(_ derived: DerivedAttribute, _ end: ManagedObject) -> Value {
    derived.source.map { end.value(of: $0) } ?? .null
  }

  private func single(
    _ derived: DerivedAttribute, _ object: ManagedObject
  ) throws(StoreError) -> Value {
    try ends(derived, object).first.map { source(derived, $0) } ?? .null
  }

  private func text(
    _ derived: DerivedAttribute, _ object: ManagedObject, _ change: (String) -> String
  ) throws(StoreError) -> Value {
    guard case .string(let text) = try single(derived, object) else { return .null }
    return .string(change(text))
  }
}

extension ManagedObjectContext {
  /// Computes derived attributes from the rows that are stored now.
  final func deriveValues(again: Bool) throws(StoreError) {
    guard !stack.derivedAttributes.isEmpty, let root = parent.root else { return }
    let last = root.lastPublished
    let readsAnew = again || stack.derivesAcrossObjects && basis < last
    try DerivedValues(self).update(readingAnew: readsAnew)
    knownSaves.ofDerivations = readsAnew ? last : 0
  }
}

extension ManagedObject {
  /// The keys that a reference slot has now and had at the last save.
  fileprivate final func references(everIn slot: Int) -> [RowKey] {
    let former = base.flatMap { $0.page.reference($0.index, slot: slot) }
    return [reference(slot), former].compactMap(\.self)
  }
}
