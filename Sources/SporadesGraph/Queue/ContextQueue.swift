// SPDX-License-Identifier: MIT
import Dispatch
package import SporadesChain
import SporadesModel
import SporadesStore
import Synchronization

/// Owns one context and the serial queue that it lives on.
///
/// The context and its objects are not `Sendable`, so the compiler rejects code that lets one leave
/// a block; ids and plain values may leave. Blocks do not suspend: no other code runs in the
/// context between the first line of a block and its last.
public final class ContextQueue: ContextOwner, @unchecked Sendable {
  // @unchecked: only blocks on the queue touch the context.
  let context: ManagedObjectContext
  let queue: DispatchQueue
  let arrivals = Arrivals()
  /// Mailboxes that become listeners when the mark with their number arrives.
  private let expected = Guarded(Expected())
  /// A struct, so that the runtime makes the type of the dictionary only for a consumer, and not at each start.
  private struct Expected {
    var last = 0
    var boxes: [Int: Mailbox<ContextNotification>] = [:]
  }
  private let isOfMainQueue: Bool
  /// The root whose saves arrive here; nil for a context over a context.
  private let root: RootContext?
  /// The queue of the parent context; nil for a context over the store.
  let parent: ContextQueue?
  /// The rows that the parent shows; nil for a context over the store.
  let source: (any RowSource)?
  /// Whether arrivals wake the queue. Else they wait for the next block.
  private let isWoken: Atomic<Bool>

  init(
    _ context: ManagedObjectContext, label: String, on queue: DispatchQueue? = nil,
    hearing root: RootContext? = nil, over parent: ContextQueue? = nil, isWoken: Bool? = nil
  ) {
    self.context = context
    self.isWoken = Atomic(isWoken ?? (root != nil))
    self.parent = parent
    source = parent == nil ? nil : context.source
    self.queue = queue ?? DispatchQueue(label: "sporades.\(label)")
    self.root = root
    // because on Linux each use of `DispatchQueue.main` is another object
    isOfMainQueue = queue?.label == DispatchQueue.main.label
    context.queue = self
    if let root { context.listen(to: root, by: self) }
  }

  /// The moment at which an awaited block runs.
  public enum ScheduledTaskType: Hashable, Sendable {
    /// At once, if the caller is already on the queue (the main actor is on the main queue).
    case immediate
    /// After the blocks that are already queued.
    case enqueued
  }

  /// Runs `body` on the queue and returns its result.
  ///
  /// If the calling task is cancelled, the block's running fetch is interrupted, and it and each later one throw. A save
  /// is never interrupted.
  public func perform<Output: Sendable, Failure: Error>(
    schedule: ScheduledTaskType = .enqueued,
    _ body: @escaping @Sendable (ManagedObjectContext) throws(Failure) -> Output
  ) async throws(Failure) -> Output {
    if schedule == .immediate && (isCurrent || isOnMainQueue) { return try performAndWait(body) }
    let cancellation = Cancellation()
    let result: Result<Output, Failure> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async {
          continuation.resume(
            returning: Result { () throws(Failure) in
              try cancellation.run { () throws(Failure) in
                try self.enter { context throws(Failure) in try body(context) }
              }
            })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }

  /// Runs `body` on the calling thread while it holds the queue, and returns its result.
  ///
  /// Inside a block of the same context `body` runs in place, so blocking calls nest.
  public func performAndWait<Output, Failure: Error>(
    _ body: (ManagedObjectContext) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    if isCurrent {
      mergeArrivals(in: context)
      return try CurrentContext.run(context, body)
    }
    if isOnMainQueue { return try enter(body) }
    // The main queue runs the block on its own thread.
    let cancellation = isOfMainQueue ? Cancellation.current : nil
    return try MainQueue.leave {
      context.access.wait {
        queue.sync {
          Result { () throws(Failure) in
            guard let cancellation else { return try enter(body) }
            return try cancellation.run { () throws(Failure) in try enter(body) }
          }
        }
      }
    }.get()
  }

  /// Runs `body` as ``performAndWait(_:)`` does. If the wait would never end, it returns the names of those who wait for each
  /// other and does not run `body`.
  package func performUnlessCircular(_ body: (ManagedObjectContext) -> Void) -> [String]? {
    guard !isOnItsThread else {
      performAndWait(body)
      return nil
    }
    return context.access.waitUnlessCircular { performAndWait(body) }
  }

  /// Queues `body` and returns at once.
  public func performLater(_ body: @escaping @Sendable (ManagedObjectContext) -> Void) {
    queue.async { self.enter(body) }
  }

  /// The context itself, for code that uses it without a block. Such code keeps all others away from it.
  package var heldContext: ManagedObjectContext { context }

  /// Runs `body` on the calling thread, as a block that waits for nobody. The caller keeps all others away from the context.
  package func performHere<Output, Failure: Error>(
    _ body: (ManagedObjectContext) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    isCurrent ? try CurrentContext.run(context, body) : try enter(body)
  }

  /// Lets arrivals wake the queue, or lets them wait for the next block.
  package func setWoken(_ isWoken: Bool) {
    let was = self.isWoken.exchange(isWoken, ordering: .relaxed)
    if isWoken && !was { performLater { _ in } }
  }

  func isOf(_ stack: BoundModel) -> Bool { context.stack === stack }

  /// Whether the calling thread is inside a block of the context.
  public var isCurrent: Bool { context.access.isHeldByCurrentThread }

  /// Whether a block would run in place: the calling thread is inside a block, or is the thread
  /// that the context lives on.
  package var isOnItsThread: Bool { isCurrent || isOnMainQueue }

  /// The context lives on the main queue, which the calling thread serves.
  private var isOnMainQueue: Bool { isOfMainQueue && MainQueue.isCurrent }

  private func enter<Output, Failure: Error>(
    _ body: (ManagedObjectContext) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try context.access.hold { () throws(Failure) in
      defer {
        // because the state that the block began to show may contain saves that arrived after the
        // first merge
        if context.generation != nil { mergeArrivals(in: context) }
        context.endPieceOfWork()
      }
      mergeArrivals(in: context)
      return try CurrentContext.run(context, body)
    }
  }

  func mergeArrivals(in context: ManagedObjectContext) {
    context.mergeArrivals(arrivals, of: root) { number in
      guard let box = expected.withLock({ $0.boxes.removeValue(forKey: number) }) else { return }
      context.ensureObservers().add(box)
    }
  }

  /// Does nothing. The block is the queue's piece of work, and it has begun already.
  func willBeginWork(in context: ManagedObjectContext) {}

  /// Posts the context's events to the mailbox, beginning with the next delivery.
  func listen(_ box: Mailbox<ContextNotification>) {
    guard !isCurrent else { return context.ensureObservers().add(box) }
    let number = expected.withLock { expected in
      expected.last += 1
      expected.boxes[expected.last] = box
      return expected.last
    }
    deliver(.mark(number))
  }

  // MARK: - Changes that others saved

  /// Notes a save of another context. Blocks that begin from now on see it.
  ///
  /// If no block begins, the queue merges the arrivals together a little later; waking the queue
  /// for each one would cost more than a small write itself. News of another process wakes it at once, because
  /// they come in pieces already.
  package func deliver(_ arrival: Arrival) {
    guard arrivals.add(arrival), isWoken.load(ordering: .relaxed) else { return }
    if parent != nil { return mergeShown() }
    switch arrival {
    case .others, .outdated: queue.async { self.enter { _ in } }
    case .saved, .lost, .shown, .reset, .storeRemoved, .storesAdded, .mark:
      queue.asyncAfter(deadline: .now() + .milliseconds(5)) { self.enter { _ in } }
    }
  }
}
