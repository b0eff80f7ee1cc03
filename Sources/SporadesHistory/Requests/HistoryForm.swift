// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// The properties of transactions and changes that predicates and orders can name.
enum HistoryForm {
  static let transaction = "TRANSACTION"
  static let change = "CHANGE"

  private static let object = "OBJECT"

  /// The model of the properties. Its entities are those of no store.
  static let model: ManagedObjectModel = {
    func optional(_ name: String, _ type: AttributeType) -> AttributeDescription {
      AttributeDescription(name, type, isOptional: true)
    }
    let entities = [
      EntityDescription(
        transaction,
        attributes: [
          optional("transactionNumber", .integer64), optional("timestamp", .date),
          optional("storeID", .string), optional("author", .string),
          optional("contextName", .string), optional("bundleID", .string),
          optional("processID", .string),
        ], relationships: [.toMany("changes", change, inverse: "transaction")]),
      EntityDescription(
        change,
        attributes: [
          optional("changeID", .integer64), optional("changeType", .integer16),
          optional("changedEntity", .string),
        ],
        relationships: [
          .toOne("transaction", transaction, inverse: "changes"), .toOne("changedObjectID", object),
        ]),
      EntityDescription(object),
    ]
    do { return try ManagedObjectModel(entities: entities) } catch {
      preconditionFailure("The form of a history is no model: \(error)")
    }
  }()

  private static let numberOfObject = model.shape(named: object)?.number ?? 0

  /// An id of an object of this model for the id of a changed object. Different ids have different ones.
  static func object(_ id: ManagedObjectID) -> ManagedObjectID {
    let (key, scope) = (id.key, id.scope)
    let ownScope =
      key.store == 0
      ? scope : StoreScope(identifier: "\(scope.number)/\(key.store)", entityNames: [])
    return ManagedObjectID(
      key: RowKey(entity: numberOfObject, primaryKey: key.primaryKey, store: key.entity),
      scope: ownScope)
  }

  /// The shape of transactions or of changes; nil for another name.
  static func shape(named name: String) -> EntityShape? {
    name == transaction || name == change ? model.shape(named: name) : nil
  }
}

/// A transaction, a change, or a changed object, as predicates and orders read it.
enum HistorySubject: PredicateSubject {
  typealias Failure = FetchPredicateError
  case transaction(PersistentHistoryTransaction)
  case change(PersistentHistoryChange)
  /// The id is one of ``HistoryForm/object(_:)``.
  case object(ManagedObjectID)

  private static let scope = StoreScope(identifier: "history", entityNames: [])

  var subjectID: ManagedObjectID {
    switch self {
    case .transaction(let transaction): Self.id(transaction.transactionNumber, 1)
    case .change(let change): Self.id(change.changeID, 2)
    case .object(let id): id
    }
  }

  private static func id(_ number: Int64, _ entity: Int) -> ManagedObjectID {
    ManagedObjectID(key: RowKey(entity: entity, primaryKey: number), scope: scope)
  }

  func value(of attribute: AttributeShape) -> Value {
    switch (self, attribute.name) {
    case (.transaction(let transaction), let name): Self.value(of: transaction, name)
    case (.change(let change), "changeID"): .integer(change.changeID)
    case (.change(let change), "changeType"): .integer(Int64(change.changeType.rawValue))
    case (.change(let change), _): .string(change.changedObjectID.entityName)
    case (.object, _): .null
    }
  }

  private static func value(of transaction: PersistentHistoryTransaction, _ name: String) -> Value {
    switch name {
    case "transactionNumber": .integer(transaction.transactionNumber)
    case "timestamp": .date(transaction.timestamp)
    case "storeID": .string(transaction.storeID)
    case "author": transaction.author.value
    case "contextName": transaction.contextName.value
    case "bundleID": transaction.bundleID.value
    default: transaction.processID.value
    }
  }

  func related(by relationship: RelationshipShape) -> [HistorySubject] {
    switch (self, relationship.name) {
    case (.transaction(let transaction), _): (transaction.changes ?? []).map { .change($0) }
    case (.change(let change), "transaction"): [.transaction(change.transaction)]
    case (.change(let change), _): [.object(HistoryForm.object(change.changedObjectID))]
    case (.object, _): []
    }
  }
}
