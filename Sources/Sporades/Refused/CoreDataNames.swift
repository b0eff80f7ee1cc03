// SPDX-License-Identifier: MIT

#if !canImport(ObjectiveC)
  public import SporadesGraph
  public import SporadesModel

  // Core Data's names, which the compiler refuses with the names of Sporades.

  /// Refuses Core Data's request.
  @available(
    *, unavailable,
    message: "write User.where(\\.age > 18).fetch(in: context), or FetchRequest(\"User\")"
  )
  public struct NSFetchRequest<Result> {
    /// Refuses Core Data's request.
    public init(entityName: String) { trap(refusal) }
  }

  /// Refuses Core Data's name.
  @available(*, unavailable, renamed: "ManagedObjectContext")
  public typealias NSManagedObjectContext = ManagedObjectContext

  /// Refuses Core Data's name.
  @available(*, unavailable, renamed: "ManagedObjectID")
  public typealias NSManagedObjectID = ManagedObjectID

  /// Refuses Foundation's name.
  @available(*, unavailable, renamed: "ContextUndoManager")
  public typealias UndoManager = ContextUndoManager

  /// Refuses Core Data's name.
  @available(*, unavailable, renamed: "ManagedObjectModel")
  public typealias NSManagedObjectModel = ManagedObjectModel

  /// Refuses Core Data's name.
  @available(
    *, unavailable,
    message: "write PersistentContainer of the product SporadesContainers, or a DALService"
  )
  public typealias NSPersistentContainer = DataStack

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Refuses Core Data's name.
  @available(*, unavailable, renamed: "MergePolicy.error")
  public let NSErrorMergePolicy = MergePolicy.error

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Refuses Core Data's name.
  @available(*, unavailable, renamed: "MergePolicy.storeTrump")
  public let NSMergeByPropertyStoreTrumpMergePolicy = MergePolicy.storeTrump

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Refuses Core Data's name.
  @available(*, unavailable, renamed: "MergePolicy.objectTrump")
  public let NSMergeByPropertyObjectTrumpMergePolicy = MergePolicy.objectTrump

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Refuses Core Data's name.
  @available(*, unavailable, message: "write .sqlite")
  public let NSSQLiteStoreType = "SQLite"

  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// Refuses Core Data's name.
  @available(*, unavailable, message: "write .inMemory")
  public let NSInMemoryStoreType = "InMemory"
#endif
