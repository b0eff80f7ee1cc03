// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// A row of a context as predicates, columns and orders see it, with the unsaved changes of the context.
///
/// An object that the context has answers for its row. A row without an object answers itself, so that a question makes
/// no objects.
struct RowSubject: PredicateSubject {
  /// The place of the values.
  enum Place {
    case object(ManagedObject)
    case row(RowPage, Int)
  }

  let place: Place
  let rows: LinkedRows
  /// The number of the rows that were read together with this one.
  let group: Int

  var object: ManagedObject? { place.object }
  var key: RowKey { place.key }

  var subjectID: ManagedObjectID {
    switch place {
    case .object(let object): object.objectID
    case .row(let page, let index): ManagedObjectID(key: page.key(index), scope: rows.scope)
    }
  }

  func value(of attribute: AttributeShape) throws(StoreError) -> Value {
    switch place {
    case .object(let object): return try ObjectSubject(object: object).value(of: attribute)
    case .row(let page, let index):
      guard let slot = attribute.slot, page.layout.isLarge(slot) else {
        return page.value(index, of: attribute)
      }
      return try page.bytes(index, slot: slot).map(attribute.type.value) ?? .null
    }
  }

  func isNull(_ attribute: AttributeShape) throws(StoreError) -> Bool {
    switch place {
    case .object(let object): return try ObjectSubject(object: object).isNull(attribute)
    case .row(let page, let index):
      return attribute.slot.map { page.isNull(index, slot: $0) } ?? true
    }
  }

  func related(by relationship: RelationshipShape) throws(StoreError) -> [RowSubject] {
    switch relationship.storage {
    case .reference(let slot, _):
      guard let key = try reference(slot) else { return [] }
      return try rows.target(key, of: self, slot).map { [$0] } ?? []
    case .inverseReference, .join: return try rows.members(relationship, of: self)
    case .memory:
      let members = object?.objects(of: relationship) ?? []
      return members.map { RowSubject(place: .object($0), rows: rows, group: group) }
    }
  }

  /// A reference may name an object that is no more: the link is there, and nothing lies behind it.
  func relatedIDs(by relationship: RelationshipShape) throws(StoreError) -> [ManagedObjectID] {
    guard case .reference(let slot, _) = relationship.storage else {
      return try related(by: relationship).map(\.subjectID)
    }
    return try reference(slot).map { [rows.id(of: $0)] } ?? []
  }

  private func reference(_ slot: Int) throws(StoreError) -> RowKey? {
    if case .object(let object) = place { try ObjectSubject(object: object).load() }
    return place.reference(slot)
  }
}

extension RowSubject.Place {
  var object: ManagedObject? { if case .object(let object) = self { object } else { nil } }

  var key: RowKey {
    switch self {
    case .object(let object): object.key
    case .row(let page, let index): page.key(index)
    }
  }

  /// The key in a reference slot. A fault has none until it is read.
  func reference(_ slot: Int) -> RowKey? {
    switch self {
    case .object(let object): object.isFault ? nil : object.reference(slot)
    case .row(let page, let index): page.reference(index, slot: slot)
    }
  }

  /// The number in a slot of positions.
  func position(_ slot: Int) -> Int64? {
    switch self {
    case .object(let object): object.number(slot)
    case .row(let page, let index):
      page.isNull(index, slot: slot) ? nil : Int64(bitPattern: page.word(index, slot: slot))
    }
  }
}
