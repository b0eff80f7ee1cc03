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
  /// Has the root deliver the saves of others to the context's owner from now on.
  final func listen(to root: RootContext, by owner: any ContextOwner) {
    // The number is read first, so that a save between the two calls counts as one that the context has missed.
    noteSaves(upTo: root.lastPublished)
    root.subscribe(owner, ObjectIdentifier(self))
  }

  /// Begins a fetch or a save. The caller must call `endWork` afterwards.
  final func beginWork() {
    checkQueue()
    guard let thread else { return }
    // Counted first, so that an observer that fetches or saves during the merge begins no merge inside it.
    workDepth += 1
    if workDepth == 1 { thread.willBeginWork(in: self) }
  }

  final func endWork() { if thread != nil { workDepth -= 1 } }

  /// Calls a hook or an observer of the application. A fetch or a save inside merges nothing that has
  /// arrived, because the context is in the middle of an operation.
  @inline(__always)
  final func callHook<Output, Failure: Error>(
    _ body: () throws(Failure) -> Output
  ) throws(Failure) -> Output {
    guard thread != nil else { return try body() }
    workDepth += 1
    defer { workDepth -= 1 }
    return try body()
  }
}
