// SPDX-License-Identifier: MIT
import CSystem
import Dispatch
package import SporadesChain
import SporadesModel

/// Owns one context and the serial queue it lives on.
///
/// The context and its objects are not `Sendable`, so the compiler rejects attempts to carry one out
/// of a block; ids and plain values pass. Blocks do not suspend: nothing else runs in the context
/// between their first line and their last.
public final class ContextQueue: ContextOwner, @unchecked Sendable {
  // @unchecked: the context is only touched by blocks that run on the queue.
  private let context: ManagedObjectContext
  private let queue: DispatchQueue
  private let arrivals = Arrivals()
  /// Listeners that are added when the mark with their number arrives.
  private let expected = Guarded<(last: Int, boxes: [Int: Mailbox<ContextNotification>])>((0, [:]))
  private let isOfMainQueue: Bool
  /// Known to the main queue, where the context lives on that.
  private let onMain = DispatchSpecificKey<Void>()
  /// Whose saves arrive here; nil for a context over another.
  private let root: RootContext?
  /// The queue of the parent context; nil for a context over the store.
  let parent: ContextQueue?

  init(
    _ context: ManagedObjectContext, label: String, on queue: DispatchQueue? = nil,
    hearing root: RootContext? = nil, over parent: ContextQueue? = nil
  ) {
    self.context = context
    self.parent = parent
    self.queue = queue ?? DispatchQueue(label: "sporades.\(label)")
    self.root = root
    // because on Linux each use of `DispatchQueue.main` is another object
    isOfMainQueue = queue?.label == DispatchQueue.main.label
    context.queue = self
    if isOfMainQueue { self.queue.setSpecific(key: onMain, value: ()) }
    guard let root else { return }
    context.hasHeard(upTo: root.lastPublished)
    root.subscribe(self, ObjectIdentifier(context))
  }

  /// When a block that is awaited runs.
  public enum ScheduledTaskType: Hashable, Sendable {
    /// At once where the caller is on the queue already, as the main actor is on the main queue.
    case immediate
    /// After the blocks that were asked for before.
    case enqueued
  }

  /// Runs `body` on the queue and returns what it returns.
  public func perform<Output: Sendable, Failure: Error>(
    schedule: ScheduledTaskType = .enqueued,
    _ body: @escaping @Sendable (ManagedObjectContext) throws(Failure) -> Output
  ) async throws(Failure) -> Output {
    if schedule == .immediate && (isCurrent || isOnMainQueue) { return try performAndWait(body) }
    let result: Result<Output, Failure> = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(
          returning: Result { () throws(Failure) in
            try self.enter { context throws(Failure) in try body(context) }
          })
      }
    }
    return try result.get()
  }

  /// Runs `body` on the calling thread, with the queue held, and returns what it returns.
  ///
  /// Inside a block of the same context `body` runs in place, so blocking calls nest.
  public func performAndWait<Output, Failure: Error>(
    _ body: (ManagedObjectContext) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    if isCurrent {
      takeArrivals(in: context)
      return try body(context)
    }
    if isOnMainQueue { return try enter(body) }
    return try context.access.wait {
      queue.sync { Result { () throws(Failure) in try enter(body) } }
    }.get()
  }

  /// Runs `body` on the queue some time soon.
  public func performLater(_ body: @escaping @Sendable (ManagedObjectContext) -> Void) {
    queue.async { self.enter(body) }
  }

  func isOf(_ stack: BoundModel) -> Bool { context.stack === stack }

  /// Whether the calling thread is inside a block of the context.
  public var isCurrent: Bool { context.access.isHeldByCurrentThread }

  /// Whether a block would run in place, because the calling thread is inside one or is the one that the
  /// context lives on.
  package var isOnItsThread: Bool { isCurrent || isOnMainQueue }

  /// In a program that called `dispatchMain()` the main queue is served by other threads.
  private var isOnMainQueue: Bool {
    isOfMainQueue
      && (sporades_is_main_thread() || DispatchQueue.getSpecific(key: onMain) != nil)
  }

  private func enter<Output, Failure: Error>(
    _ body: (ManagedObjectContext) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    try context.access.hold { () throws(Failure) in
      defer {
        // The state that the block began to show may have more than was taken over before it.
        if context.generation != nil { takeArrivals(in: context) }
        context.endPieceOfWork()
      }
      takeArrivals(in: context)
      return try body(context)
    }
  }

  func takeArrivals(in context: ManagedObjectContext) {
    context.takeOver(arrivals) { number in
      guard let box = expected.withLock({ $0.boxes.removeValue(forKey: number) }) else { return }
      context.listeners().add(box)
    }
  }

  /// A block is the piece of work of a queue's context, and has begun already.
  func workBegins(in context: ManagedObjectContext) {}

  /// Posts what happens in the context from now on, beginning with what is delivered next.
  func listen(_ box: Mailbox<ContextNotification>) {
    guard !isCurrent else { return context.listeners().add(box) }
    let number = expected.withLock { expected in
      expected.last += 1
      expected.boxes[expected.last] = box
      return expected.last
    }
    deliver(.mark(number))
  }

  // MARK: - Changes that others saved

  /// Takes note of saved changes; blocks that begin from now on see them.
  ///
  /// Where no block begins they are merged a little later all the same, many at a time: waking the
  /// queue for each would cost a small write more than its own work. A context over another merges
  /// in its own blocks alone, because it waits for its parent then, whose block may wait for it.
  package func deliver(_ arrival: Arrival) {
    guard arrivals.add(arrival), root != nil else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(5)) { self.enter { _ in } }
  }
}
