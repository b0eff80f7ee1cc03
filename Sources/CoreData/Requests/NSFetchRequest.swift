// SPDX-License-Identifier: MIT
public import Foundation
import SporadesMissingFoundation
import SporadesModel

/// The form of a fetch's results.
public struct NSFetchRequestResultType: OptionSet, Hashable, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Objects.
  public static let managedObjectResultType: Self = []
  /// Ids of objects.
  public static let managedObjectIDResultType = Self(rawValue: 1)
  /// Values by the names of properties.
  public static let dictionaryResultType = Self(rawValue: 2)
  /// The number of objects.
  public static let countResultType = Self(rawValue: 4)
}

/// A search for objects of an entity.
///
/// Requests of different result types are different classes here, so that casts between them fail.
/// ``unsafeDowncast(_:to:)`` makes one of the other.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest, NSCopying {
  fileprivate var name: String?
  fileprivate var ownEntity: NSEntityDescription?

  /// The condition that the objects satisfy.
  public var predicate: NSPredicate?
  /// The order of the results, the most significant first.
  public var sortDescriptors: [NSSortDescriptor]?
  /// The largest number of results; 0 sets no limit.
  public var fetchLimit = 0
  /// The number of results that the fetch leaves out at the beginning.
  public var fetchOffset = 0
  /// The number of objects whose values are read at a time; 0 reads all of them.
  public var fetchBatchSize = 0
  /// The form of the results.
  public var resultType: NSFetchRequestResultType = .managedObjectResultType
  /// The fetch also returns objects of subentities.
  public var includesSubentities = true
  /// The fetch reads values, and not only ids.
  public var includesPropertyValues = true
  /// The fetch considers changes that the context has not saved.
  public var includesPendingChanges = true
  /// The fetch may return faults.
  public var returnsObjectsAsFaults = true
  /// Objects that are in memory take the values of the store.
  public var shouldRefreshRefetchedObjects = false
  /// A fetch of dictionaries leaves out repeated ones.
  public var returnsDistinctResults = false
  /// The key paths of relationships whose objects are read with the results.
  public var relationshipKeyPathsForPrefetching: [String]?
  /// The values of each dictionary: names, or descriptions of attributes, relationships and expressions.
  public var propertiesToFetch: [Any]?
  /// The values by which dictionaries are grouped.
  public var propertiesToGroupBy: [Any]?
  /// The condition that groups satisfy.
  public var havingPredicate: NSPredicate?

  /// Makes a request without an entity, which is set later.
  public override init() {
    super.init()
    NSPredicate.prepareCompounds()
  }

  /// Makes a request for objects of the entity with a name.
  public convenience init(entityName: String) {
    self.init()
    name = ClassNames.entityName(entityName)
  }

  /// Makes a request of one that a model has.
  convenience init(_ request: FetchRequest, in model: NSManagedObjectModel?) {
    self.init()
    name = request.entityName
    predicate = request.predicate.map { NSPredicate($0) }
    sortDescriptors =
      request.sortTerms.isEmpty ? nil : request.sortTerms.map { NSSortDescriptor($0) }
    fetchLimit = request.fetchLimit ?? 0
    fetchOffset = request.fetchOffset
    fetchBatchSize = request.fetchBatchSize ?? 0
    includesSubentities = request.includesSubentities
    includesPropertyValues = request.includesPropertyValues
    returnsObjectsAsFaults = request.returnsObjectsAsFaults
    returnsDistinctResults = request.returnsDistinctResults
    resultType = NSFetchRequestResultType(rawValue: UInt(request.resultType.rawValue))
  }

  public override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// The entity whose objects the fetch returns.
  public var entity: NSEntityDescription? {
    get { ownEntity ?? name.flatMap(LoadedEntities.entity(named:)) }
    set {
      ownEntity = newValue
      name = newValue?.name ?? name
    }
  }

  /// The name of the entity.
  public var entityName: String? { ownEntity?.name ?? name }

  /// The results, in the context whose block the calling thread runs.
  public func execute() throws -> [ResultType] {
    try NSManagedObjectContext.current(for: description).fetch(self)
  }

  // MARK: - The request of the library

  /// The request as the library has it.
  func request() throws -> FetchRequest {
    guard let entityName else {
      throw NSError.coreData(
        .general,
        "A fetch request has no entity. Make it with NSFetchRequest(entityName:), or set `entity`.")
    }
    do {
      var request = FetchRequest(entityName, where: try predicate?.condition)
      request.sortTerms = try (sortDescriptors ?? []).map { try $0.sortTerm }
      request.fetchLimit = fetchLimit == 0 ? nil : fetchLimit
      request.fetchOffset = fetchOffset
      request.includesSubentities = includesSubentities
      request.includesPendingChanges = includesPendingChanges
      request.returnsDistinctResults = returnsDistinctResults
      // As in Core Data, options that concern objects mean nothing for dictionaries, and the other way round.
      if resultType.contains(.dictionaryResultType) {
        request.propertiesToFetch = try (propertiesToFetch ?? []).map(Self.column)
      } else {
        request.fetchBatchSize = fetchBatchSize == 0 ? nil : fetchBatchSize
        request.includesPropertyValues = includesPropertyValues
        request.returnsObjectsAsFaults = returnsObjectsAsFaults
        request.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
        request.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching ?? []
      }
      request.propertiesToGroupBy = try (propertiesToGroupBy ?? []).map(Self.column)
      request.havingPredicate = try havingPredicate?.condition
      request.affectedStores = affectedStores.map { Set($0.compactMap(\.identifier)) }
      return request
    } catch {
      throw NSError.coreData(error)
    }
  }

  private static func column(_ property: Any) throws -> ExpressionDescription {
    switch property {
    case let name as String: return ExpressionDescription(name)
    case let expression as NSExpressionDescription: return try expression.described()
    case let property as NSPropertyDescription: return ExpressionDescription(property.name)
    default:
      throw NSError.coreData(
        .general,
        "A fetch request lists \(property) of the type \(type(of: property)) among its properties. List names, or descriptions of properties."
      )
    }
  }

  // MARK: - Copies

  /// A copy whose parts can be changed.
  func duplicate() -> NSFetchRequest<ResultType> { duplicate(for: ResultType.self) }

  /// The same request for results of another type.
  func duplicate<Other>(for type: Other.Type) -> NSFetchRequest<Other> {
    let copy = NSFetchRequest<Other>()
    copy.name = name
    copy.ownEntity = ownEntity
    copy.predicate = predicate
    copy.sortDescriptors = sortDescriptors
    copy.fetchLimit = fetchLimit
    copy.fetchOffset = fetchOffset
    copy.fetchBatchSize = fetchBatchSize
    copy.resultType = resultType
    copy.includesSubentities = includesSubentities
    copy.includesPropertyValues = includesPropertyValues
    copy.includesPendingChanges = includesPendingChanges
    copy.returnsObjectsAsFaults = returnsObjectsAsFaults
    copy.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
    copy.returnsDistinctResults = returnsDistinctResults
    copy.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
    copy.propertiesToFetch = propertiesToFetch
    copy.propertiesToGroupBy = propertiesToGroupBy
    copy.havingPredicate = havingPredicate
    copy.affectedStores = affectedStores
    return copy
  }

  open func copy(with zone: NSZone? = nil) -> Any {
    let copy: NSFetchRequest<ResultType> = duplicate()
    return copy
  }

  /// Requests are equal if they ask for the same.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSFetchRequest<ResultType> else { return false }
    if other === self { return true }
    // `try?`: a request with mistakes equals itself alone.
    guard let own = try? request(), let theirs = try? other.request() else { return false }
    return own == theirs
  }

  open override var hash: Int { entityName.hashValue }

  open override var description: String {
    "fetch of \(entityName ?? "no entity")\(predicate.map { " where \($0)" } ?? "")"
  }
}

/// A request whose results have no type.
protocol UntypedFetchRequest: NSPersistentStoreRequest {
  var resultType: NSFetchRequestResultType { get }
  func request() throws -> FetchRequest
  /// A copy of the request for results of any type.
  func untypedCopy() -> NSFetchRequest<any NSFetchRequestResult>
}

extension NSFetchRequest: UntypedFetchRequest {
  func untypedCopy() -> NSFetchRequest<any NSFetchRequestResult> {
    duplicate(for: (any NSFetchRequestResult).self)
  }
}

/// Makes the same request for results of another type.
///
/// Objective-C has one class of requests, and Swift's function of this name only changes the type there. The compiler prefers this one
/// where both are seen, so that one source fits both.
public func unsafeDowncast<Result, Other>(
  _ request: NSFetchRequest<Other>, to type: NSFetchRequest<Result>.Type
) -> NSFetchRequest<Result> { request.duplicate(for: Result.self) }
