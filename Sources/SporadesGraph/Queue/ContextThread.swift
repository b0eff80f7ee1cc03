// SPDX-License-Identifier: MIT
import SporadesChain

/// The thread that holds a context which has no queue.
///
/// Such a context has no blocks. Before a fetch or a save it ends the piece of work that lies behind it, and
/// takes over what others saved.
final class ContextThread: ContextOwner {
  private let arrivals = Arrivals()

  func deliver(_ arrival: Arrival) {
    // Nobody is woken, so it does not matter whether another arrival was waiting already.
    _ = arrivals.add(arrival)
  }

  /// Nobody marks the arrivals of a thread's context: it is only observed on its own thread.
  func takeArrivals(in context: ManagedObjectContext) { context.takeOver(arrivals) { _ in } }

  func workBegins(in context: ManagedObjectContext) {
    context.endPieceOfWork()
    takeArrivals(in: context)
  }
}

extension ManagedObjectContext {
  /// Gives the context to the calling thread, for as long as it lives.
  func holdByCurrentThread() {
    let thread = ContextThread()
    self.thread = thread
    queue = thread
    access.belongToCurrentThread()
    guard let root = parent.root else { return }
    hasHeard(upTo: root.lastPublished)
    root.subscribe(thread, ObjectIdentifier(self))
  }
}
