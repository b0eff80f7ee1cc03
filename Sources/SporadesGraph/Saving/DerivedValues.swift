// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesChain
import SporadesModel
import SporadesStore

/// Computes derived attributes in a save to the store.
///
/// Rules:
/// 1. An object computes a derived attribute if the save changes something that its expression reads:
///    in the object itself, or in another one (``DerivedOwners``).
/// 2. An object whose derived value changes counts as changed for the attributes that are derived
///    from this one.
/// 3. An equal result is no change.
/// 4. Totals over one one-to-many relationship follow the changes (``MemberTotals``). All other
///    values are computed from the rows in the store at the time of the save. If others have saved
///    since, the save reads those rows again, and the root refuses older results.
struct DerivedValues {
  private let context: ManagedObjectContext
  private let now = Date()

  init(_ context: ManagedObjectContext) { self.context = context }

  /// Computes all derived values. `readingAnew` says that unchanged objects may be older than their
  /// stored rows.
  func update(readingAnew: Bool = false) throws(StoreError) {
    for derived in context.stack.derivedAttributes {
      let changed = context.changes.listed.filter(\.hasChanges)
      if let totals = try MemberTotals(derived, among: changed, context) {
        let owners = totals.owners + changed.filter(derived.belongs)
        if readingAnew { try context.readAnew(unchanged: owners) }
        try update(derived, of: owners, following: totals)
      } else {
        let owners = try DerivedOwners(derived, context, readingAnew).find(among: changed)
        if readingAnew { try readAnew(derived, owners) }
        try update(derived, of: owners)
      }
    }
  }

  private func update(
    _ derived: DerivedAttribute, of owners: [ManagedObject], following totals: MemberTotals? = nil
  ) throws(StoreError) {
    var done: Set<ObjectIdentifier> = []
    for object in owners
    where derived.belongs(to: object) && !object.isDeleted
      && done.insert(ObjectIdentifier(object)).inserted
    {
      guard unsafe object.loadRow() != nil else { continue }
      var value = try totals?.value(of: object)
      if value == nil { value = try computedValue(derived, of: object) }
      if let value { try set(value, derived, of: object) }
    }
  }

  /// Sets a derived value, which may be beyond what the attribute holds.
  private func set(
    _ value: Value, _ derived: DerivedAttribute, of object: ManagedObject
  ) throws(StoreError) {
    let type = derived.attribute.type
    guard value.isNull || Cell(value, as: type) != nil else {
      let name = "\(object.home.shape.name).\(derived.attribute.name)"
      throw StoreError(
        .unsupported,
        "\(name) of \(object.objectID) would be \(value), which an attribute of the type \(type)"
          + " does not hold. Give \(name) a type that holds what it is derived from.")
    }
    object.set(value, of: derived.attribute)
  }

  // MARK: - What others changed

  /// Reads the objects along an expression again, step by step, because each step may lead to other
  /// objects now.
  private func readAnew(
    _ derived: DerivedAttribute, _ owners: [ManagedObject]
  ) throws(StoreError) {
    var level = owners
    try context.readAnew(unchanged: level)
    for (place, step) in derived.steps.enumerated() {
      for object in level { object.knownToMany(step)?.invalidate() }
      // because a count needs no values of what it counts
      if derived.source == nil && place == derived.steps.count - 1 { return }
      level = level.flatMap { $0.objects(of: step) }
      try context.readAnew(unchanged: level)
    }
  }

  // MARK: - What they are

  private func computedValue(
    _ derived: DerivedAttribute, of object: ManagedObject
  ) throws(StoreError) -> Value {
    switch derived.derivation {
    case .now: return object.hasChanges ? .date(now) : object.value(of: derived.attribute)
    case .count: return .integer(Int64(count(derived, object)))
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

  /// The number of objects at the end of the expression's path. Their rows are not read.
  private func count(_ derived: DerivedAttribute, _ object: ManagedObject) -> Int {
    guard let last = derived.steps.last else { return 0 }
    return derived.steps.dropLast().reduce([object]) { level, step in
      level.flatMap { $0.objects(of: step) }
    }.reduce(0) { $0 + count(last, $1) }
  }

  private func count(_ step: RelationshipShape, _ owner: ManagedObject) -> Int {
    let isLoaded = owner.knownToMany(step)?.isLoaded == true
    let members = owner.memberFaults(step).filter { !$0.isDeleted && !$0.state.contains(.gone) }
    // because a later merge can not tell from a fault which owner it leaves
    if !isLoaded { owner.knownToMany(step)?.invalidate() }
    return members.count
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
