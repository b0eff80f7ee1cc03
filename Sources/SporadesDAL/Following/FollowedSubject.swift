// SPDX-License-Identifier: MIT
import SporadesModel

/// A row as predicates and orders see it that read nothing beside the row.
struct FollowedSubject: PredicateSubject {
  typealias Failure = FetchPredicateError
  let row: RowPlace
  let scope: StoreScope

  var subjectID: ManagedObjectID { ManagedObjectID(key: row.key, scope: scope) }

  func value(of attribute: AttributeShape) -> Value { row.page.value(row.index, of: attribute) }

  func isNull(_ attribute: AttributeShape) -> Bool {
    guard let slot = attribute.slot else { return true }
    return row.page.isNull(row.index, slot: slot)
  }

  func relatedIDs(
    by relationship: RelationshipShape
  ) throws(FetchPredicateError) -> [ManagedObjectID] {
    guard case .reference(let slot, _) = relationship.storage else {
      return try related(by: relationship).map(\.subjectID)
    }
    return row.reference(slot).map { [ManagedObjectID(key: $0, scope: scope)] } ?? []
  }

  func related(by relationship: RelationshipShape) throws(FetchPredicateError) -> [FollowedSubject]
  {
    // The condition of such a predicate is never asked of a single row, but of the store.
    throw FetchPredicateError(
      .unsupported, "\(relationship.name) leads to other rows, which a single row does not tell.")
  }
}
