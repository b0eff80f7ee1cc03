// SPDX-License-Identifier: MIT
import Dispatch
import SporadesChain
public import SporadesModel
import SporadesStore

/// A fetch whose rows a context reads while its queue does other work.
///
/// ```swift
/// let fetch = try context.execute(
///   AsynchronousFetchRequest(FetchRequest("Player")) { result in
///     print(result.finalResult.count)
///   })
/// fetch.cancel()
/// ```
public struct AsynchronousFetchRequest: Sendable {
  /// The fetch.
  public var fetchRequest: FetchRequest
  /// The number of results that the program expects, for the progress; 0 if it expects none.
  public var estimatedResultCount = 0
  /// Takes the result, in a block on the context's queue. It is called once, also after a failure.
  public var completion: @Sendable (AsynchronousFetchResult) -> Void

  /// Makes a request whose result `completion` takes on the context's queue.
  public init(
    _ fetchRequest: FetchRequest,
    completion: @escaping @Sendable (AsynchronousFetchResult) -> Void
  ) {
    self.fetchRequest = fetchRequest
    self.completion = completion
  }
}

/// The result of a fetch that ran beside its context. It belongs to the context's queue, as its objects do.
public struct AsynchronousFetchResult {
  /// The objects; empty after a failure.
  public let finalResult: [ManagedObject]
  /// The reason why there are none; nil after a success.
  public let operationError: (any Error)?
  /// The context of the objects.
  public let managedObjectContext: ManagedObjectContext
}

/// A fetch that runs beside its context.
public final class AsynchronousFetch: Sendable {
  let cancellation: Cancellation
  private let estimate: Int

  init(_ request: AsynchronousFetchRequest, within timeout: Duration?) {
    cancellation = Cancellation(after: timeout)
    estimate = request.estimatedResultCount
  }

  /// Interrupts the fetch. Its completion gets an error with the code `cancelled`, unless it has its result already.
  public func cancel() { cancellation.cancel() }

  /// The number of rows that the store has read so far.
  public var rowsRead: Int { cancellation.rowsRead }

  /// The part of the estimated results that the store has read, from 0 to 1; nil without an estimate.
  public var fractionCompleted: Double? {
    estimate > 0 ? min(1, Double(rowsRead) / Double(estimate)) : nil
  }
}

extension ManagedObjectContext {
  /// Begins a fetch and returns at once. Its completion runs later on the context's queue.
  ///
  /// The store is read on another thread. The context makes the objects of the rows in one block, and corrects the result
  /// by its unsaved changes. If other contexts save meanwhile, or if the context has a parent context or a pinned state,
  /// the block itself reads.
  @discardableResult
  public func execute(_ request: AsynchronousFetchRequest) throws -> AsynchronousFetch {
    checkQueue()
    guard let owner = queue as? ContextQueue else {
      throw ContextError.unsupportedRequest(
        "An asynchronous fetch of \(request.fetchRequest.entityName) needs a context with a queue, because its completion "
          + "runs there later. Make the context with newContext(name:), or call fetch(_:).")
    }
    let fetch = try storeFetch(request.fetchRequest)
    let running = AsynchronousFetch(
      request, within: request.fetchRequest.timeout ?? fetchTimeout)
    let reading = AsynchronousReading(request, fetch, running.cancellation, owner)
    if let root = parent.root, !request.fetchRequest.readsIDsAlone {
      DispatchQueue.global(qos: .userInitiated).async { reading.read(root) }
    } else {
      owner.performLater { reading.finish(in: $0) }
    }
    return running
  }
}

/// Reads the rows of an asynchronous fetch, and makes objects of them on the context's queue.
private struct AsynchronousReading: Sendable {
  private let request: AsynchronousFetchRequest
  private let fetch: StoreFetch
  private let cancellation: Cancellation
  private let owner: ContextQueue

  init(
    _ request: AsynchronousFetchRequest, _ fetch: StoreFetch, _ cancellation: Cancellation,
    _ owner: ContextQueue
  ) {
    self.request = request
    self.fetch = fetch
    self.cancellation = cancellation
    self.owner = owner
  }

  func read(_ root: RootContext) {
    let published = root.lastPublished
    let start = ContinuousClock.now
    let pages = Result { () throws(StoreError) in
      try cancellation.run { () throws(StoreError) in
        try Cancellation.check()
        return try root.rows(fetch)
      }
    }
    let duration = ContinuousClock.now - start
    owner.performLater { context in
      // The context has merged every save that was published until now. Rows from before a save would show its objects
      // as they were.
      let isCurrent = root.lastPublished == published && context.parent.root === root
      complete(in: context) {
        let pages = try pages.get()
        guard isCurrent else { return try context.fetch(request.fetchRequest) }
        context.reportIfSlow(
          request.fetchRequest, .rows(fetch), took: duration,
          rows: pages.reduce(0) { $0 + $1.count })
        return try context.objects(of: pages, request.fetchRequest, fetch)
      }
    }
  }

  /// Reads in the context's own block.
  func finish(in context: ManagedObjectContext) {
    complete(in: context) { try context.fetch(request.fetchRequest) }
  }

  private func complete(
    in context: ManagedObjectContext, _ body: () throws -> [ManagedObject]
  ) {
    let result = Result { try cancellation.run(body) }
    let (objects, error): ([ManagedObject], (any Error)?) =
      switch result {
      case .success(let objects): (objects, nil)
      case .failure(let error): ([], error)
      }
    request.completion(
      AsynchronousFetchResult(
        finalResult: objects, operationError: error, managedObjectContext: context))
  }
}

extension ManagedObjectContext {
  /// The objects of rows that were read for a request, unless unsaved changes affect it; then it is asked again.
  fileprivate func objects(
    of pages: [RowPage], _ request: FetchRequest, _ fetch: StoreFetch
  ) throws -> [ManagedObject] {
    try Cancellation.check()
    guard pendingChanges(request, fetch) == nil else { return try self.fetch(request) }
    let objects = objects(of: pages)
    try prepare(objects, request)
    return objects
  }
}
