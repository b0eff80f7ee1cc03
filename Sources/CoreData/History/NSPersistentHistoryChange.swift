// SPDX-License-Identifier: MIT
public import Foundation
import SporadesMissingFoundation
public import SporadesModel
import SporadesStore

/// The kind of a change.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  /// The object is new.
  case insert = 0
  /// Properties of the object changed.
  case update = 1
  /// The object is gone.
  case delete = 2
}

/// The change that a transaction made to one object.
public final class NSPersistentHistoryChange: NSObject, NSCopying, Sendable {
  let change: PersistentHistoryChange

  init(_ change: PersistentHistoryChange) { self.change = change }

  /// The number of the change in its store. Later changes have larger numbers.
  public var changeID: Int64 { change.changeID }
  /// The id of the changed object.
  public var changedObjectID: NSManagedObjectID { change.changedObjectID }
  /// The kind of the change.
  public var changeType: NSPersistentHistoryChangeType {
    switch change.changeType {
    case .insert: .insert
    case .update: .update
    case .delete: .delete
    }
  }
  /// The values of a deleted object's attributes that its model preserves; nil for other changes.
  public var tombstone: [AnyHashable: Any]? {
    guard let values = change.tombstone else { return nil }
    let attributes = changedObjectID.entity.attributesByName
    var shown: [AnyHashable: Any] = [:]
    for (name, value) in values {
      let coding = attributes[name].map {
        ValueCoding($0.attributeType.type, transformer: $0.valueTransformerName)
      }
      shown[name] = coding.map { $0.plain(value) } ?? ValueCoding.plain(value)
    }
    return shown
  }
  /// The transaction of the change, without its changes.
  public var transaction: NSPersistentHistoryTransaction? {
    NSPersistentHistoryTransaction(change.transaction)
  }
  /// The properties that an update changed; nil for other changes, and if the history does not tell them.
  public var updatedProperties: Set<NSPropertyDescription>? {
    guard let names = change.updatedProperties else { return nil }
    let known = changedObjectID.entity.propertiesByName
    return Set(names.compactMap { known[$0] })
  }

  // MARK: - Requests

  /// The properties that the predicates of a request for changes name.
  public class var entityDescription: NSEntityDescription? { HistoryEntities.change.copied }
  /// The properties that the predicates of a request for changes name.
  public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription?
  {
    entityDescription
  }
  /// A new request for changes, which a request for the history takes.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    HistoryEntities.change.request
  }

  // MARK: - NSObject

  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// Changes are equal if they have the same number in the same transaction.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSPersistentHistoryChange)?.change == change
  }
  public override var hash: Int { change.hashValue }
  public override var description: String { "\(change)" }
}

extension NSPersistentHistoryChange: KeyedObject {
  public func keyedValue(_ name: String) throws -> Any? {
    switch name {
    case "changeID": return changeID
    case "changedObjectID": return changedObjectID
    case "changedEntity": return changedObjectID.entityName
    case "changeType": return changeType.rawValue
    case "tombstone": return tombstone
    case "transaction": return transaction
    default:
      throw NSError.coreData(
        .general, "A change of a history has no property \(name). Correct the key.")
    }
  }
  public var comparedAs: Value? { nil }
}
