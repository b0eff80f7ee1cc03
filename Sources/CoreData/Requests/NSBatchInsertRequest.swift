// SPDX-License-Identifier: MIT
public import Foundation
import SporadesGraph
import SporadesMissingFoundation
import SporadesModel

/// The form of the result of a batch that inserts.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// Whether the batch succeeded.
  case statusOnly = 0
  /// The ids of the new objects.
  case objectIDs = 1
  /// The number of the new objects.
  case count = 2
}

/// Inserts many objects into the stores, past all contexts.
open class NSBatchInsertRequest: NSPersistentStoreRequest {
  /// The rows that the batch inserts.
  private enum Content {
    case objects
    case dictionaries
    case managedObjects
  }

  private let name: String?
  private let ownEntity: NSEntityDescription?
  private var content = Content.objects
  /// The values of the new objects by the names of their attributes.
  public var objectsToInsert: [[String: Any]]? { didSet { content = .objects } }
  /// Fills the values of the next object. It returns true if there is none.
  public var dictionaryHandler: ((NSMutableDictionary) -> Bool)? {
    didSet { content = .dictionaries }
  }
  /// Fills the next object. It returns true if there is none.
  public var managedObjectHandler: ((NSManagedObject) -> Bool)? {
    didSet { content = .managedObjects }
  }
  /// The form of the result.
  public var resultType = NSBatchInsertRequestResultType.statusOnly

  private init(_ name: String?, _ entity: NSEntityDescription?) {
    self.name = name.map { ClassNames.entityName($0) }
    ownEntity = entity
    super.init()
  }

  /// Makes a batch without an entity, which no context can execute.
  @available(*, deprecated, message: "Name the entity: init(entityName:objects:).")
  public override convenience init() { self.init(nil, nil) }

  /// Inserts an object for each dictionary of values.
  public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
    self.init(entityName, nil)
    objectsToInsert = dictionaries
  }

  /// Inserts an object for each dictionary of values.
  public convenience init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
    self.init(nil, entity)
    objectsToInsert = dictionaries
  }

  /// Inserts one object after the other, until the handler of their values returns true.
  public convenience init(
    entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(entityName, nil)
    setHandler(handler)
  }

  /// Inserts one object after the other, until the handler of their values returns true.
  public convenience init(
    entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(nil, entity)
    setHandler(handler)
  }

  /// Inserts one object after the other, until the handler of the objects returns true.
  public convenience init(
    entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(entityName, nil)
    setHandler(handler)
  }

  /// Inserts one object after the other, until the handler of the objects returns true.
  public convenience init(
    entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(nil, entity)
    setHandler(handler)
  }

  private func setHandler(_ handler: @escaping (NSMutableDictionary) -> Bool) {
    dictionaryHandler = handler
  }
  private func setHandler(_ handler: @escaping (NSManagedObject) -> Bool) {
    managedObjectHandler = handler
  }

  /// The name of the entity.
  public var entityName: String { ownEntity?.name ?? name ?? "" }
  /// The entity.
  public var entity: NSEntityDescription? {
    ownEntity ?? name.flatMap(LoadedEntities.entity(named:))
  }

  public override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

  open override var description: String { "batch that inserts \(entityName)" }
}

// MARK: - Execution

extension NSBatchInsertRequest: BatchRequest {
  func run(in context: ManagedObjectContext, as policy: NSMergePolicyType) throws -> BatchResult {
    guard affectedStores == nil else {
      throw NSError.coreData(
        .unsupportedRequest,
        "\(self) names affectedStores. New objects of a batch go to the first store that takes them; leave affectedStores nil."
      )
    }
    let batch = BatchInsertRequest<ManagedObject>(
      entityName: entityName, filling: try filler())
    return try context.execute(batch.skippingHooks().onUniqueConflict(policy.decision))
  }

  func result(of batch: BatchResult) -> NSPersistentStoreResult {
    NSBatchInsertResult(resultType, batch)
  }

  /// Fills the next object, or returns false.
  private func filler() throws -> (ManagedObject) throws -> Bool {
    switch content {
    case .objects:
      var rows = (objectsToInsert ?? []).makeIterator()
      var row = 0
      return { object in
        guard let values = rows.next() else { return false }
        row += 1
        try object.take(values, row: row)
        return true
      }
    case .dictionaries:
      guard let handler = dictionaryHandler else { throw lackOfContent }
      var row = 0
      return { object in
        let values = NSMutableDictionary()
        if handler(values) { return false }
        row += 1
        try object.take(values as? [String: Any] ?? [:], row: row)
        return true
      }
    case .managedObjects:
      guard let handler = managedObjectHandler else { throw lackOfContent }
      return { object in
        guard let object = object as? NSManagedObject else {
          trap("A batch of Core Data made \(type(of: object)), which is no NSManagedObject.")
        }
        // One object shows all rows one after the other.
        object.unstored = [:]
        return !handler(object)
      }
    }
  }

  private var lackOfContent: NSError {
    NSError.coreData(
      .general,
      "\(self) has no handler any more. Set dictionaryHandler, managedObjectHandler or objectsToInsert."
    )
  }
}

extension ManagedObject {
  /// Takes the values of a row of a batch by the names of attributes.
  fileprivate func take(_ values: [String: Any], row: Int) throws {
    var coded: [String: Any?] = [:]
    for (name, value) in values {
      coded[name] = try BatchValue.coded(
        value, name, of: entityShape, "\(entityShape.name).\(name) of row \(row)")
    }
    try setValues(coded, row: row)
  }
}

extension NSMergePolicyType {
  /// The decision about a new object of a batch whose unique values are taken.
  fileprivate var decision: BatchInsertRequest<ManagedObject>.UniqueConflict {
    switch self {
    case .errorMergePolicyType: .fail
    case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .skip
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: .update
    }
  }
}

/// The result of a batch that inserts.
open class NSBatchInsertResult: NSPersistentStoreResult {
  /// A truth value, the ids of the new objects, or their number.
  public let result: Any?
  /// The form of the result.
  public let resultType: NSBatchInsertRequestResultType

  init(_ resultType: NSBatchInsertRequestResultType, _ batch: BatchResult) {
    self.resultType = resultType
    result =
      switch resultType {
      case .statusOnly: NSNumber(value: true)
      case .objectIDs: batch.objectIDs
      case .count: NSNumber(value: batch.count)
      }
  }
}
