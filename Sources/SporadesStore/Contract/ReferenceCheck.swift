// SPDX-License-Identifier: MIT
package import SporadesModel

/// References that two saves broke together. Each save alone would be right.
package enum ReferenceProblem: Error {
  /// The save refers to rows that another save has deleted.
  case lost([LostReference])
  /// The save deletes rows to which other saves have linked objects.
  case linked([RowKey])

  /// The problem with other keys of the same rows.
  package func moved(by change: (RowKey) -> RowKey) -> ReferenceProblem {
    switch self {
    case .linked(let keys): .linked(keys.map(change))
    case .lost(let references):
      .lost(
        references.map {
          LostReference(
            owner: change($0.owner), property: $0.property, target: change($0.target))
        })
    }
  }
}

/// A changed reference or a new link whose target may be deleted.
package struct LostReference: Sendable {
  package let owner: RowKey
  package let property: String
  package let target: RowKey

  package init(owner: RowKey, property: String, target: RowKey) {
    self.owner = owner
    self.property = property
    self.target = target
  }
}

/// The rows that a check of references reads: those of all accepted saves.
package protocol ReferencedRows {
  /// The keys that no row has.
  mutating func absent(_ keys: [RowKey]) throws(StoreError) -> [RowKey]
  /// The rows whose reference in `slot` is one of `owners`.
  mutating func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int
  ) throws(StoreError) -> [RowPage]
}

/// Finds references that a save would leave without a target.
///
/// Rules:
/// 1. The check reads rows only for a save whose context may have missed others. Contexts that save
///    one after the other pay nothing.
/// 2. Versions guard the rows that the save itself changes, so the check skips them.
/// 3. A reference may lack its target if the relationship has no inverse, or has the delete rule "no action".
package struct ReferenceCheck {
  private let model: ManagedObjectModel
  private let scope: StoreScope

  package init(_ model: ManagedObjectModel, _ scope: StoreScope) {
    self.model = model
    self.scope = scope
  }

  // MARK: - Targets

  /// Refuses changes that refer to a deleted row.
  package func checkTargets(
    of changes: ChangeSet, in rows: inout some ReferencedRows
  ) throws(StoreError) {
    var targets = changes.targets
    guard !targets.isEmpty else { return }
    func own() -> Set<RowKey> { Set(changes.keys.map(model.rootKey)) }
    // To ask the store for a few rows of the save itself costs less than to filter them out.
    if targets.count > Self.fewTargets {
      let own = own()
      targets = Set(targets).filter { !own.contains(model.rootKey($0)) }
    }
    let absent = Set(try rows.absent(targets))
    guard !absent.isEmpty else { return }
    let present = own()
    let lost = changes.references(model).filter {
      absent.contains($0.target) && !present.contains(model.rootKey($0.target))
    }
    guard lost.isEmpty else { throw Self.refusal(lost, scope) }
  }

  private static let fewTargets = 8

  package static func refusal(_ lost: [LostReference], _ scope: StoreScope) -> StoreError {
    func id(_ key: RowKey) -> ManagedObjectID { ManagedObjectID(key: key, scope: scope) }
    var owners: [ManagedObjectID] = []
    for reference in lost where !owners.contains(id(reference.owner)) {
      owners.append(id(reference.owner))
    }
    let list = lost.map { "\(id($0.owner)).\($0.property) leads to \(id($0.target))" }
    return StoreError(
      .conflict(owners),
      "\(list.joined(separator: ", ")), which another save has deleted. Link another object, or set a "
        + "merge policy.",
      underlying: ReferenceProblem.lost(lost))
  }

  // MARK: - Referrers

  /// Refuses to delete rows to which other saves have linked objects.
  package func checkReferrers(
    of changes: ChangeSet, in source: inout some ReferencedRows
  ) throws(StoreError) {
    let own = Set(changes.keys.map(model.rootKey))
    var linked: Set<RowKey> = []
    for (entity, rows) in Dictionary(grouping: changes.deleted, by: \.key.entity) {
      let owners = Dictionary(rows.map { ($0.key.primaryKey, $0.key) }) { first, _ in first }
      for case .relationship(let relationship) in model.shape(numbered: entity).properties
      where relationship.description.deleteRule != .noAction {
        guard case .inverseReference(let slot, _) = relationship.storage else { continue }
        let pages = try source.rows(
          of: model.shape(numbered: relationship.destination), referencing: Array(owners.values),
          in: slot)
        for page in pages {
          for index in 0..<page.count where !own.contains(model.rootKey(page.key(index))) {
            if let owner = page.reference(index, slot: slot).flatMap({ owners[$0.primaryKey] }) {
              linked.insert(owner)
            }
          }
        }
      }
    }
    guard linked.isEmpty else {
      let ids = linked.sorted().map { ManagedObjectID(key: $0, scope: scope) }
      throw StoreError(
        .conflict(ids),
        "Other saves linked objects to \(ids), which this save deletes. Fetch the objects again and repeat the "
          + "deletion, or set a merge policy.",
        underlying: ReferenceProblem.linked(linked.sorted()))
    }
  }
}

extension ChangeSet {
  /// The changed reference slots and the new links.
  package func references(_ model: ManagedObjectModel) -> [LostReference] {
    var all: [LostReference] = []
    visitReferences { page, index, slot in
      guard let target = page.reference(index, slot: slot) else { return }
      all.append(
        LostReference(
          owner: page.key(index), property: page.layout.slots[slot].name, target: target))
    }
    for change in links {
      let join = model.joins[change.join]
      let name = (change.isFirst ? join.first : join.second).relationship.name
      for link in change.added {
        all.append(LostReference(owner: change.owner, property: name, target: link.other))
      }
    }
    return all
  }
}
