// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesMissingFoundation
public import SporadesModel

/// The form of the result of a batch that deletes.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// Whether the batch succeeded.
  case resultTypeStatusOnly = 0
  /// The ids of the deleted objects.
  case resultTypeObjectIDs = 1
  /// The number of the deleted objects.
  case resultTypeCount = 2
}

/// Deletes many objects in the stores, past all contexts. The delete rules of the model are carried out.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
  /// The objects to delete.
  private enum Content {
    case fetch(any UntypedFetchRequest)
    case ids([NSManagedObjectID])
  }
  private let content: Content
  /// The form of the result.
  public var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly

  /// Deletes the objects that satisfy a request.
  public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
    content = .fetch(fetch)
    super.init()
  }

  /// Deletes the objects that satisfy a request of any result type.
  @_disfavoredOverload
  public init<Result>(fetchRequest fetch: NSFetchRequest<Result>) {
    content = .fetch(fetch)
    super.init()
  }

  /// Deletes the objects with the ids, whose entities have a superentity in common.
  public init(objectIDs objects: [NSManagedObjectID]) {
    content = .ids(objects)
    super.init()
  }

  /// A copy of the request for the objects.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult> {
    switch content {
    case .fetch(let request):
      return request.untypedCopy()
    case .ids(let ids):
      let request = NSFetchRequest<any NSFetchRequestResult>()
      request.entity = ids.first.map { $0.entity.root }
      request.predicate = NSPredicate(
        .comparison(.init(.subject, .isIn, .constant(.list(ids.map { .objectID($0) })))))
      return request
    }
  }

  public override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

  open override var description: String {
    switch content {
    case .fetch(let request): "batch that deletes the results of a \(request)"
    case .ids(let ids): "batch that deletes \(ids.count) objects"
    }
  }
}

extension NSBatchDeleteRequest: BatchRequest {
  func run(in context: ManagedObjectContext, as policy: NSMergePolicyType) throws -> BatchResult {
    let batch: BatchDeleteRequest<ManagedObject>
    switch content {
    case .fetch(let fetch):
      var request = try fetch.request()
      // A deletion ignores the form of the results.
      request.propertiesToFetch = []
      request.relationshipKeyPathsForPrefetching = []
      request.affectedStores =
        affectedStores.map { Set($0.compactMap(\.identifier)) } ?? request.affectedStores
      batch = BatchDeleteRequest(fetchRequest: request)
    case .ids(let ids): batch = BatchDeleteRequest(objectIDs: ids)
    }
    return try context.execute(batch.skippingHooks())
  }

  func result(of batch: BatchResult) -> NSPersistentStoreResult {
    NSBatchDeleteResult(resultType, batch)
  }
}

/// The result of a batch that deletes.
open class NSBatchDeleteResult: NSPersistentStoreResult {
  /// A truth value, the ids of the deleted objects, or their number.
  public let result: Any?
  /// The form of the result.
  public let resultType: NSBatchDeleteRequestResultType

  init(_ resultType: NSBatchDeleteRequestResultType, _ batch: BatchResult) {
    self.resultType = resultType
    result =
      switch resultType {
      case .resultTypeStatusOnly: NSNumber(value: true)
      case .resultTypeObjectIDs: batch.objectIDs
      case .resultTypeCount: NSNumber(value: batch.count)
      }
  }
}

extension NSEntityDescription {
  /// The entity at the beginning of the hierarchy.
  fileprivate var root: NSEntityDescription { superentity?.root ?? self }
}
