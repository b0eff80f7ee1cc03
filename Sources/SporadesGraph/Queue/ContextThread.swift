// SPDX-License-Identifier: MIT
import SporadesChain

/// The thread that holds a context without a queue.
///
/// Such a context has no blocks. Before each fetch or save it ends its current piece of work, and
/// merges the saves of others.
final class ContextThread: ContextOwner {
  private let arrivals = Arrivals()

  func deliver(_ arrival: Arrival) {
    // because nobody is woken here, it makes no difference whether other arrivals are waiting
    _ = arrivals.add(arrival)
  }

  /// Merges the arrivals. They contain no marks, because only the thread itself can observe its
  /// context.
  func mergeArrivals(in context: ManagedObjectContext) {
    context.mergeArrivals(arrivals, of: context.storeRoot) { _ in }
  }

  func willBeginWork(in context: ManagedObjectContext) {
    context.endPieceOfWork()
    mergeArrivals(in: context)
  }
}

extension ManagedObjectContext {
  /// Gives the context to the calling thread for its whole life.
  func holdByCurrentThread() {
    let thread = ContextThread()
    self.thread = thread
    queue = thread
    access.belongToCurrentThread()
    if let root = parent.root { listen(to: root, by: thread) }
  }
}
