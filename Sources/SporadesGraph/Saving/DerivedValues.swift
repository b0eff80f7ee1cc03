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
      let changed = context.changes.listed.filter(\.writesRow)
      if let totals = try MemberTotals(derived, among: changed, context) {
        let owners = totals.owners + changed.filter(derived.belongs)
        if readingAnew { try context.readAnew(unchanged: owners) }
        try update(derived, of: owners, changed, following: totals)
      } else {
        let owners = try DerivedOwners(derived, context, readingAnew).find(among: changed)
        if readingAnew {
          try DerivedPath(derived, changed, context).readAnew(from: owners)
        }
        try update(derived, of: owners, changed)
      }
    }
  }

  /// Computes one derived value of unchanged objects from the rows in the store.
  func renew(_ derived: DerivedAttribute, of objects: [ManagedObject]) throws(StoreError) {
    try update(derived, of: objects, [])
  }

  private func update(
    _ derived: DerivedAttribute, of owners: [ManagedObject], _ changed: [ManagedObject],
    following totals: MemberTotals? = nil
  ) throws(StoreError) {
    var path: DerivedPath?
    var done: Set<ObjectIdentifier> = []
    for object in owners
    where derived.belongs(to: object) && !object.isRemoved
      && done.insert(ObjectIdentifier(object)).inserted
    {
      guard unsafe object.loadRow() != nil else { continue }
      if let total = try totals?.value(of: object) {
        try set(total, derived, of: object)
        continue
      }
      let way = path ?? DerivedPath(derived, changed, context)
      path = way
      try set(try value(derived, of: object, way), derived, of: object)
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
        "\(name) of \(object.objectID) would be \(value.kindName) that an attribute of the type \(type)"
          + " does not hold. Give \(name) a type that holds what it is derived from.")
    }
    object.set(value, of: derived.attribute)
  }

  // MARK: - What they are

  private func value(
    _ derived: DerivedAttribute, of object: ManagedObject, _ path: DerivedPath
  ) throws(StoreError) -> Value {
    switch derived.derivation {
    case .now: return object.writesRow ? .date(now) : object.value(of: derived.attribute)
    case .count: return .integer(Int64(try path.count(of: object)))
    case .sum:
      let sum = AggregateFunction.sum.value(of: try sources(derived, object, path))
      return sum.isNull ? .integer(0) : sum
    case .keyPath: return try single(derived, object, path)
    case .canonical:
      return try text(derived, object, path) {
        TextFolding.fold($0, [.caseInsensitive, .diacriticInsensitive])
      }
    case .uppercase: return try text(derived, object, path) { $0.uppercased() }
    case .lowercase: return try text(derived, object, path) { $0.lowercased() }
    }
  }

  private func sources(
    _ derived: DerivedAttribute, _ object: ManagedObject, _ path: DerivedPath
  ) throws(StoreError) -> [Value] {
    guard let source = derived.source else { return [] }
    return try path.ends(of: object).map { $0.value(of: source) }
  }

  private func single(
    _ derived: DerivedAttribute, _ object: ManagedObject, _ path: DerivedPath
  ) throws(StoreError) -> Value {
    try sources(derived, object, path).first ?? .null
  }

  private func text(
    _ derived: DerivedAttribute, _ object: ManagedObject, _ path: DerivedPath,
    _ change: (String) -> String
  ) throws(StoreError) -> Value {
    guard case .string(let text) = try single(derived, object, path) else { return .null }
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
    hearing.known.ofDerivations = readsAnew ? last : 0
  }
}
