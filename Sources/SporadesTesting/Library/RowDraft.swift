// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesStore

/// A row that a test writes by the names of its properties.
///
/// ```swift
/// let austen = RowDraft("Author", 1, ["name": "Jane Austen"])
/// let emma = RowDraft("Novel", 1, ["title": "Emma"], to: ["author": austen])
/// try store.execute(ChangeSet(inserting: [austen, emma]))
/// ```
public struct RowDraft: Sendable {
  /// The shape of the row's entity.
  public let shape: EntityShape
  /// The key of the row.
  public let key: RowKey
  /// The version of the row, which each change raises by one.
  public private(set) var version: Int64 = 1
  /// The values of the row's attributes, by name.
  public private(set) var values: [String: Value]
  /// The keys that to-one relationships hold.
  public private(set) var references: [String: RowKey]
  /// The positions of the row in ordered inverses, by the names of the to-one relationships.
  public private(set) var positions: [String: Int64]
  private var changed: Set<String> = []

  /// Makes a row of the sample library or of another model. Attributes without a value are nil.
  public init(
    _ entity: String, _ primaryKey: Int64, _ values: [String: Value] = [:],
    to references: [String: RowDraft] = [:], at positions: [String: Int64] = [:],
    of model: ManagedObjectModel = SampleLibrary.model
  ) {
    guard let shape = model.shape(named: entity) else {
      preconditionFailure("The model has no entity \(entity).")
    }
    self.shape = shape
    key = RowKey(entity: shape.number, primaryKey: primaryKey)
    self.values = values
    self.references = references.mapValues(\.key)
    self.positions = positions
  }

  /// The next version of the row, with some properties changed.
  public func changed(
    _ values: [String: Value] = [:], to references: [String: RowDraft?] = [:],
    at positions: [String: Int64] = [:]
  ) -> RowDraft {
    var draft = self
    draft.version += 1
    draft.values.merge(values) { $1 }
    for (name, target) in references { draft.references[name] = target?.key }
    draft.positions.merge(positions) { $1 }
    draft.changed = Set(values.keys).union(references.keys).union(positions.keys)
    return draft
  }

  /// Packs rows of one inheritance tree into a page.
  public static func page(_ drafts: [RowDraft]) -> RowPage {
    var builder = RowPageBuilder(layout: drafts[0].shape.layout, capacity: drafts.count)
    for draft in drafts { draft.write(to: &builder) }
    return builder.finish()
  }

  private func write(to builder: inout RowPageBuilder) {
    builder.appendRow(key, version: version)
    for (name, value) in values {
      guard case .attribute(let attribute) = shape[name], let slot = attribute.slot else {
        preconditionFailure("\(shape.name) keeps no attribute \(name).")
      }
      builder.set(slot, to: value)
    }
    for (name, key) in references { builder.set(slots(name).slot, to: key) }
    for (name, position) in positions {
      guard let slot = slots(name).position else {
        preconditionFailure("\(shape.name).\(name) has no ordered inverse; leave the position out.")
      }
      builder.set(slot, to: position)
    }
  }

  private func slots(_ name: String) -> (slot: Int, position: Int?) {
    guard case .relationship(let relationship) = shape[name],
      case .reference(let slot, let position) = relationship.storage
    else { preconditionFailure("\(shape.name) has no to-one relationship \(name).") }
    return (slot, position)
  }

  /// One bit per slot, set if the last call of ``changed(_:to:at:)`` changed the slot.
  fileprivate var changedSlots: [UInt64] {
    var words = [UInt64](repeating: 0, count: shape.layout.bitWords)
    for name in changed {
      var slots: [Int] = []
      if case .attribute(let attribute) = shape[name] {
        slots = [attribute.slot].compactMap(\.self)
      } else {
        let (slot, position) = self.slots(name)
        slots = [slot, position].compactMap(\.self)
      }
      for slot in slots { words[slot >> 6] |= 1 << UInt64(slot & 63) }
    }
    return words
  }
}

extension ChangeSet {
  /// Makes the changes that insert, update and delete drafts. An updated draft has its new version, a
  /// deleted draft the version in the store.
  @_disfavoredOverload
  public convenience init(
    inserting inserted: [RowDraft] = [], updating updated: [RowDraft] = [],
    deleting deleted: [RowDraft] = [], links: [LinkChange] = []
  ) {
    func groups(_ drafts: [RowDraft]) -> [[RowDraft]] {
      Dictionary(grouping: drafts, by: \.shape.rootNumber).sorted { $0.key < $1.key }.map(\.value)
    }
    self.init(
      inserted: groups(inserted).map(RowDraft.page),
      updated: groups(updated).map {
        UpdatedRows(page: RowDraft.page($0), changedSlots: $0.flatMap(\.changedSlots))
      },
      deleted: deleted.map { DeletedRow(key: $0.key, version: $0.version) }, links: links)
  }
}

extension LinkChange {
  /// Makes a change of the links of one draft in a many-to-many relationship. In an ordered relationship,
  /// the links take the order of `others`.
  public init(
    _ owner: RowDraft, _ relationship: String, adding others: [RowDraft] = [],
    removing removed: [RowDraft] = [], moving moved: [RowDraft] = []
  ) {
    guard case .relationship(let shape) = owner.shape[relationship],
      case .join(let join, let isFirst) = shape.storage
    else { preconditionFailure("\(owner.shape.name).\(relationship) is not many-to-many.") }
    func links(_ drafts: [RowDraft]) -> [Link] {
      drafts.enumerated().map {
        Link(other: $1.key, position: shape.isOrdered ? Int64($0) : nil)
      }
    }
    self.init(
      join: join, isFirst: isFirst, owner: owner.key, added: links(others),
      removed: removed.map(\.key), moved: links(moved))
  }
}
