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
  /// The results; nil until the fetch has ended, and after a failure.
  public fileprivate(set) var finalResult: [ResultType]?

  fileprivate init(
    of request: NSAsynchronousFetchRequest<ResultType>, in context: NSManagedObjectContext
  ) {
    fetchRequest = request
    super.init(context, expecting: request.estimatedResultCount)
  }

  /// Fetches, in a block of the context.
  fileprivate func complete() {
    do {
      finalResult = try cancellation.run {
        try Cancellation.check()
        return try managedObjectContext.fetch(fetchRequest.fetchRequest)
      }
    } catch {
      operationError = cancellation.isCancelled ? CocoaError(.userCancelled) : error
    }
    if let progress { progress.completedUnitCount = progress.totalUnitCount }
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
    let result = NSAsynchronousFetchResult(
      of: NSAsynchronousFetchRequest(fetchRequest: self), in: context)
    result.finalResult = try context.fetch(self)
    return result
  }
}
