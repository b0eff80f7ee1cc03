// SPDX-License-Identifier: MIT
import SporadesChain

/// The queue or thread that a context lives on, as the context sees it.
protocol ContextOwner: SaveListener {
  /// Merges the saves of other contexts that have arrived and that the context has not merged.
  func mergeArrivals(in context: ManagedObjectContext)
  /// Called before the context's outermost fetch or save.
  func willBeginWork(in context: ManagedObjectContext)
}

extension ManagedObjectContext {
  /// Begins a fetch or a save. The caller must call `endWork` afterwards.
  final func beginWork() {
    checkQueue()
    guard let thread else { return }
    if workDepth == 0 { thread.willBeginWork(in: self) }
    workDepth += 1
  }

  final func endWork() { if thread != nil { workDepth -= 1 } }
}
