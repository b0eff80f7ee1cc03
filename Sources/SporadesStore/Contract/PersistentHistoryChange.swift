// SPDX-License-Identifier: MIT
public import SporadesModel

/// The change that a transaction made to one object.
public struct PersistentHistoryChange: Sendable {
  /// The kind of a change.
  public enum ChangeType: Int, Hashable, Sendable, CaseIterable, ValueConvertible {
    /// The object is new.
    case insert = 0
    /// Properties of the object changed.
    case update = 1
    /// The object is gone.
    case delete = 2
  }

  /// The facts of a change beyond its kind. Changes with equal details can share them.
  public final class Details: Sendable {
    /// The names of the changed properties; nil if the history does not tell.
    public let updatedProperties: Set<String>?
    /// The values that the model preserves of deleted objects, by their attributes.
    public let tombstone: [String: Value]?

    /// Collects the details of a change.
    public init(updatedProperties: Set<String>? = nil, tombstone: [String: Value]? = nil) {
      self.updatedProperties = updatedProperties
      self.tombstone = tombstone
    }
  }

  /// The number of the change in its store. Later changes have larger numbers.
  public let changeID: Int64
  /// The id of the changed object.
  public let changedObjectID: ManagedObjectID
  /// The kind of the change.
  public let changeType: ChangeType
  private let details: Details?
  package let facts: PersistentHistoryTransaction.Facts

  /// Describes a change of an object by a transaction.
  public init(
    _ changeID: Int64, _ changeType: ChangeType, of id: ManagedObjectID, _ details: Details?,
    in facts: PersistentHistoryTransaction.Facts
  ) {
    self.changeID = changeID
    self.changeType = changeType
    changedObjectID = id
    self.details = details
    self.facts = facts
  }

  /// The names of the properties that an update changed. Nil for an insert and a delete, and for an update of which the
  /// history does not tell them: a migration removed its properties, or another program wrote it for another model.
  public var updatedProperties: Set<String>? { details?.updatedProperties }
  /// The values of a deleted object's attributes with `preservesValueInHistoryOnDeletion`; nil for other changes, and if
  /// its entity has none.
  public var tombstone: [String: Value]? { details?.tombstone }
  /// The transaction of the change, without its changes.
  public var transaction: PersistentHistoryTransaction {
    PersistentHistoryTransaction(facts, changes: nil)
  }

  /// The same change of the object with another id.
  package func moved(to id: ManagedObjectID) -> PersistentHistoryChange {
    PersistentHistoryChange(changeID, changeType, of: id, details, in: facts)
  }
}

extension PersistentHistoryChange: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    left.changeID == right.changeID && left.changedObjectID == right.changedObjectID
      && left.changeType == right.changeType && left.updatedProperties == right.updatedProperties
      && left.tombstone == right.tombstone && left.facts.number == right.facts.number
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(changeID)
    hasher.combine(changedObjectID)
  }
}

extension PersistentHistoryChange: CustomStringConvertible {
  public var description: String {
    let names = updatedProperties.map { " of \($0.inOrder().joined(separator: ", "))" } ?? ""
    return "\(changeType)\(names) of \(changedObjectID)"
  }
}
