// SPDX-License-Identifier: MIT
import SporadesChain

/// The queue or the thread that a context lives on, as the context knows it.
protocol ContextOwner: SaveListener {
  /// Takes over everything that others did and the context has not heard yet.
  func takeArrivals(in context: ManagedObjectContext)
  /// The context is about to fetch or save, and is not in the middle of another fetch or save.
  func workBegins(in context: ManagedObjectContext)
}

extension ManagedObjectContext {
  /// Begins a fetch or a save. `endWork` must follow.
  final func beginWork() {
    checkQueue()
    guard let thread else { return }
    if workDepth == 0 { thread.workBegins(in: self) }
    workDepth += 1
  }

  final func endWork() { if thread != nil { workDepth -= 1 } }
}
