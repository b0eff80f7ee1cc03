// SPDX-License-Identifier: MIT
public import Foundation
import SporadesChain
import SporadesHistory
import SporadesMissingFoundation
public import SporadesModel
import SporadesStore

/// One save in the history of a store: who made it, when, and what it changed.
public final class NSPersistentHistoryTransaction: NSObject, NSCopying, Sendable {
  let transaction: PersistentHistoryTransaction

  init(_ transaction: PersistentHistoryTransaction) { self.transaction = transaction }

  /// The moment of the save.
  public var timestamp: Date { transaction.timestamp }
  /// The changed objects; nil if the request did not ask for them.
  public var changes: [NSPersistentHistoryChange]? {
    transaction.changes?.map { NSPersistentHistoryChange($0) }
  }
  /// The number of the transaction in its store. Later transactions have larger numbers.
  public var transactionNumber: Int64 { transaction.transactionNumber }
  /// The identifier of the store.
  public var storeID: String { transaction.storeID }
  /// The identifier of the program's bundle; empty if it has none.
  public var bundleID: String { transaction.bundleID ?? "" }
  /// The name of the process; empty if the history does not tell it.
  public var processID: String { transaction.processID ?? "" }
  /// The name of the context.
  public var contextName: String? { transaction.contextName }
  /// The author that the context named.
  public var author: String? { transaction.author }
  /// The place in the store's history behind the transaction.
  public var token: NSPersistentHistoryToken { NSPersistentHistoryToken(transaction.token) }

  /// The ids of the changed objects, as a notification that contexts merge.
  public func objectIDNotification() -> Notification {
    let ids = transaction.objectIDNotification()
    var info: [AnyHashable: Any] = [:]
    if !ids.insertedObjectIDs.isEmpty { info[NSInsertedObjectIDsKey] = ids.insertedObjectIDs }
    if !ids.updatedObjectIDs.isEmpty { info[NSUpdatedObjectIDsKey] = ids.updatedObjectIDs }
    if !ids.deletedObjectIDs.isEmpty { info[NSDeletedObjectIDsKey] = ids.deletedObjectIDs }
    return Notification(name: .NSManagedObjectContextDidSaveObjectIDs, object: self, userInfo: info)
  }

  // MARK: - Requests

  /// The properties that the predicates of a request for transactions name.
  public class var entityDescription: NSEntityDescription? { HistoryEntities.transaction.copied }
  /// The properties that the predicates of a request for transactions name.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription?
  {
    entityDescription
  }
  /// A new request for transactions, which a request for the history takes.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    HistoryEntities.transaction.request
  }

  // MARK: - NSObject

  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Transactions are equal if they have the same number in the same store.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPersistentHistoryTransaction)?.transaction == transaction
  }
  public override var hash: Int { transaction.hashValue }
  public override var description: String { "\(transaction)" }
}

extension NSPersistentHistoryTransaction: KeyedObject {
  public func keyedValue(_ name: String) throws -> Any? {
    switch name {
    case "timestamp": return timestamp
    case "changes": return changes
    case "transactionNumber": return transactionNumber
    case "storeID": return storeID
    case "bundleID": return bundleID
    case "processID": return processID
    case "contextName": return contextName
    case "author": return author
    case "token": return token
    default:
      throw NSError.coreData(
        .general, "A transaction of a history has no property \(name). Correct the key.")
    }
  }
  public var comparedAs: Value? { nil }
}

/// The entities of histories, whose objects are no managed objects.
struct HistoryEntities: Sendable {
  private let name: String
  private let attributes: [(String, NSAttributeType)]
  private let relationship: (String, isToMany: Bool)

  static let transaction = HistoryEntities(
    name: PersistentHistoryTransaction.fetchRequest().entityName,
    attributes: [
      ("transactionNumber", .integer64AttributeType), ("timestamp", .dateAttributeType),
      ("storeID", .stringAttributeType), ("author", .stringAttributeType),
      ("contextName", .stringAttributeType), ("bundleID", .stringAttributeType),
      ("processID", .stringAttributeType), ("token", .integer64AttributeType),
    ], relationship: ("changes", true))
  static let change = HistoryEntities(
    name: PersistentHistoryChange.fetchRequest().entityName,
    attributes: [
      ("changeID", .integer64AttributeType), ("changeType", .integer16AttributeType),
      ("changedObjectID", .objectIDAttributeType), ("changedEntity", .stringAttributeType),
    ], relationship: ("transaction", false))

  /// A new description of the entity.
  var copied: NSEntityDescription {
    description(with: self == Self.change ? Self.transaction : Self.change)
  }

  private func description(with other: HistoryEntities) -> NSEntityDescription {
    let (entity, destination) = (NSEntityDescription(), NSEntityDescription())
    (entity.name, destination.name) = (name, other.name)
    let link = NSRelationshipDescription()
    link.name = relationship.0
    link.maxCount = relationship.isToMany ? 0 : 1
    link.destinationEntity = destination
    entity.properties =
      attributes.map { name, type in
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType) = (name, type)
        return attribute
      } + [link]
    return entity
  }

  /// A new request for objects of the entity.
  var request: NSFetchRequest<any NSFetchRequestResult> {
    NSFetchRequest<any NSFetchRequestResult>(entityName: name)
  }
}

extension HistoryEntities: Equatable {
  static func == (left: HistoryEntities, right: HistoryEntities) -> Bool { left.name == right.name }
}
