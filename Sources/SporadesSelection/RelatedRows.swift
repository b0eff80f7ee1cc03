// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// The place in which the rows lie that the relationships of other rows lead to.
package protocol RelatedRowSource {
  /// The rows with keys of one inheritance tree, in any order; keys without a row are left out.
  func rows(for keys: [RowKey]) throws(StoreError) -> [RowPage]
  /// The links of a to-many relationship of the owners, in the order of each owner's members.
  func links(
    of relationship: RelationshipShape, owners: [RowKey]
  ) throws(StoreError) -> [StoredLink]
}

/// The rows of a store in one view.
package struct StoreRows: RelatedRowSource {
  private let store: any PersistentStore
  private let view: StoreView

  package init(_ store: any PersistentStore, _ view: StoreView) {
    self.store = store
    self.view = view
  }

  package func rows(for keys: [RowKey]) throws(StoreError) -> [RowPage] {
    try store.rows(for: keys, in: view)
  }

  package func links(
    of relationship: RelationshipShape, owners: [RowKey]
  ) throws(StoreError) -> [StoredLink] {
    try store.links(of: relationship, owners: owners, in: view)
  }
}

/// The rows and links that the relationships of rows in pages lead to. Each is read once.
///
/// Predicates and orders ask one row after the other. The rows at the end of a key path are therefore read for all rows
/// together, where somebody names the key path before.
package final class RelatedRows {
  let model: ManagedObjectModel
  let scope: StoreScope
  private let source: any RelatedRowSource
  /// The rows by the number of the tree's root, then by the identity of the key.
  private var rows: [Int: [UInt64: RowPlace]] = [:]
  /// The keys of the members by the number of the relationship, then by the identity of the owner's key.
  private var members: [Int: [UInt64: [RowKey]]] = [:]

  package init(_ model: ManagedObjectModel, _ scope: StoreScope, from source: any RelatedRowSource)
  {
    self.model = model
    self.scope = scope
    self.source = source
  }

  /// The subjects of the rows in pages.
  package func subjects(of pages: [RowPage]) -> [RowSubject] {
    pages.flatMap { page in
      (0..<page.count).map { RowSubject(RowPlace(page: page, index: $0), self) }
    }
  }

  // MARK: - Before they are asked for

  /// Reads what a key path leads to from all rows of pages. Earlier checks have refused unknown names.
  package func follow(
    _ names: [String], from start: EntityShape, _ pages: [RowPage]
  ) throws(StoreError) {
    var entity = start
    var current = subjects(of: pages).map(\.place)
    for (place, name) in names.enumerated() {
      guard case .relationship(let step)? = entity[name] else { return }
      let keys = try targets(of: current, step)
      // Nobody reads the rows behind the last step: their keys are enough.
      guard place < names.count - 1 else { return }
      entity = model.shape(numbered: step.destination)
      try read(keys)
      current = keys.compactMap { known($0) }
    }
  }

  /// The keys that a relationship of rows leads to, each once.
  private func targets(
    of places: [RowPlace], _ step: RelationshipShape
  ) throws(StoreError) -> [RowKey] {
    switch step.storage {
    case .reference(let slot, _):
      return Array(Set(places.compactMap { $0.reference(slot) }))
    case .inverseReference, .join:
      let owners = places.map(\.key).filter { members[step.number]?[$0.identity] == nil }
      try readMembers(of: owners, step)
      let known = members[step.number, default: [:]]
      return Array(Set(places.flatMap { known[$0.key.identity, default: []] }))
    case .memory: return []
    }
  }

  private func readMembers(
    of owners: [RowKey], _ step: RelationshipShape
  ) throws(StoreError) {
    guard !owners.isEmpty else { return }
    var found = Dictionary(owners.map { ($0.identity, [RowKey]()) }) { first, _ in first }
    for link in try source.links(of: step, owners: owners) {
      found[link.owner.identity, default: []].append(link.other)
    }
    members[step.number, default: [:]].merge(found) { $1 }
  }

  // MARK: - One row

  private func known(_ key: RowKey) -> RowPlace? {
    rows[model.shape(numbered: key.entity).rootNumber]?[key.identity]
  }

  private func read(_ keys: [RowKey]) throws(StoreError) {
    let missing = keys.filter { known($0) == nil }
    guard let first = missing.first else { return }
    let root = model.shape(numbered: first.entity).rootNumber
    for page in try source.rows(for: missing.sorted()) {
      for index in 0..<page.count {
        rows[root, default: [:]][page.key(index).identity] = RowPlace(page: page, index: index)
      }
    }
  }

  fileprivate func rows(for keys: [RowKey]) throws(StoreError) -> [RowPlace] {
    try read(keys)
    return keys.compactMap { known($0) }
  }

  fileprivate func members(
    of owner: RowKey, _ step: RelationshipShape
  ) throws(StoreError) -> [RowKey] {
    if let known = members[step.number]?[owner.identity] { return known }
    try readMembers(of: [owner], step)
    return members[step.number]?[owner.identity] ?? []
  }
}

/// A row of a page, for predicates, orders and expressions.
package struct RowSubject: PredicateSubject {
  package typealias Failure = StoreError
  package let place: RowPlace
  private let related: RelatedRows

  init(_ place: RowPlace, _ related: RelatedRows) {
    self.place = place
    self.related = related
  }

  package var subjectID: ManagedObjectID { ManagedObjectID(key: place.key, scope: related.scope) }

  package func value(of attribute: AttributeShape) throws(StoreError) -> Value {
    let (page, index) = (place.page, place.index)
    guard let slot = attribute.slot, page.layout.isLarge(slot) else {
      return page.value(index, of: attribute)
    }
    return try page.bytes(index, slot: slot).map(attribute.type.value) ?? .null
  }

  package func related(by relationship: RelationshipShape) throws(StoreError) -> [RowSubject] {
    try related.rows(for: try keys(relationship)).map { RowSubject($0, related) }
  }

  /// The column of a link without an inverse keeps the key of an object that was deleted: the link is there, and nothing
  /// lies behind it.
  package func relatedIDs(
    by relationship: RelationshipShape
  ) throws(StoreError) -> [ManagedObjectID] {
    try keys(relationship).map { ManagedObjectID(key: $0, scope: related.scope) }
  }

  private func keys(_ relationship: RelationshipShape) throws(StoreError) -> [RowKey] {
    switch relationship.storage {
    case .reference(let slot, _): place.reference(slot).map { [$0] } ?? []
    case .inverseReference, .join: try related.members(of: place.key, relationship)
    case .memory: []
    }
  }
}
