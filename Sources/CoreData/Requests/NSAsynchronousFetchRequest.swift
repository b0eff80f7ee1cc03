// SPDX-License-Identifier: MIT
public import Foundation
import SporadesModel
import SporadesStore

/// The result of a request that is executed later.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
  // @unchecked: the block that completes the result runs on the context's queue, where the result belongs.

  /// The context of the results.
  public let managedObjectContext: NSManagedObjectContext
  /// The reason why there are no results; nil without a failure.
  public fileprivate(set) var operationError: (any Error)?
  /// The results, of whatever type.
  final var results: [Any]?
  /// The progress of the request; nil unless the thread had one when the request was executed.
  public let progress: Progress?
  fileprivate let cancellation = Cancellation()

  fileprivate init(_ context: NSManagedObjectContext, expecting count: Int) {
    managedObjectContext = context
    progress =
      Progress.current() == nil ? nil : Progress(totalUnitCount: count > 0 ? Int64(count) : -1)
    super.init()
    progress?.isCancellable = true
    progress?.cancellationHandler = { [cancellation] in cancellation.cancel() }
  }

  /// Tells who watches the progress that the request has ended, however many results it had.
  fileprivate final func endProgress() {
    guard let progress else { return }
    if progress.totalUnitCount < 1 { progress.totalUnitCount = 1 }
    progress.completedUnitCount = progress.totalUnitCount
  }

  /// Interrupts the request. Its error says so, unless it has its results already.
  open func cancel() { cancellation.cancel() }
}

/// The result of a fetch that is executed later.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult,
  @unchecked Sendable
{
  // @unchecked: as above.

  /// The request.
  public let fetchRequest: NSAsynchronousFetchRequest<ResultType>
  /// The results; nil until the fetch has ended, after a failure, and where they are of another type than the code names.
  public final var finalResult: [ResultType]? { results.flatMap { $0 as? [ResultType] } }

  fileprivate init(
    of request: NSAsynchronousFetchRequest<ResultType>, in context: NSManagedObjectContext
  ) {
    fetchRequest = request
    super.init(context, expecting: request.estimatedResultCount)
  }

  /// Fetches, in a block of the context.
  fileprivate func complete() {
    do {
      results = try cancellation.run {
        try Cancellation.check()
        return try managedObjectContext.results(of: fetchRequest.fetchRequest)
      }
    } catch {
      operationError = cancellation.isCancelled ? CocoaError(.userCancelled) : error
    }
    endProgress()
    fetchRequest.completionBlock?(self)
  }
}

/// A fetch whose results come later, in a block of the context.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// The fetch.
  public let fetchRequest: NSFetchRequest<ResultType>
  /// Takes the result, in a block of the context.
  public let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
  /// The number of results that the program expects, for the progress; 0 if it expects none.
  public var estimatedResultCount = 0

  /// Makes a request whose result a block takes.
  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    fetchRequest = request
    completionBlock = blk
    super.init()
  }

  public override var requestType: NSPersistentStoreRequestType { .fetchRequestType }
}

extension NSAsynchronousFetchRequest: ExecutableRequest {
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    // A mistake in the request throws here, and not later.
    _ = try fetchRequest.request()
    let result = NSAsynchronousFetchResult(of: self, in: context)
    context.perform { result.complete() }
    return result
  }
}

extension NSFetchRequest: ExecutableRequest {
  /// A plain fetch has its results at once.
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let results = try context.results(of: self)
    let result: NSPersistentStoreAsynchronousResult =
      if resultType.contains(.countResultType) {
        result(as: NSNumber.self, in: context)
      } else if resultType.contains(.dictionaryResultType) {
        result(as: NSDictionary.self, in: context)
      } else if resultType.contains(.managedObjectIDResultType) {
        result(as: NSManagedObjectID.self, in: context)
      } else {
        result(as: ResultType.self, in: context)
      }
    result.results = results
    result.endProgress()
    return result
  }

  private func result<Result>(
    as type: Result.Type, in context: NSManagedObjectContext
  ) -> NSPersistentStoreAsynchronousResult {
    let request = duplicate(for: type)
    return NSAsynchronousFetchResult(
      of: NSAsynchronousFetchRequest(fetchRequest: request), in: context)
  }
}
