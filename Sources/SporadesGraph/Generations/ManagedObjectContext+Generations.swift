// SPDX-License-Identifier: MIT
public import SporadesChain
import SporadesModel
import SporadesStore

// Contexts that are pinned to one state of the store.
//
// Rules:
// 1. A pinned context shows one state of the store and its own changes. When it moves to another
//    state, unchanged objects become faults.
// 2. The saves of others wait until the context shows a state that contains them.
// 3. Saves and merges work on the newest state. Afterwards, and after a reset, the context is
//    pinned to the newest state anew.
// 4. The context of a task's read keeps its state, whatever its block calls.
extension ManagedObjectContext {
  /// The state that the context, or its parent, is pinned to; nil if it is not pinned. Another
  /// context that is given the token shows the same state.
  public var queryGenerationToken: QueryGenerationToken? {
    checkQueue()
    if let parent = parent.context { return parent.inParent { $0.queryGenerationToken } }
    return generation.map { QueryGenerationToken(generation: $0) }
  }

  /// Pins the context to a state of the store. `QueryGenerationToken.current` is the newest state
  /// at the next read; ``queryGenerationToken`` of another context is that context's state. Nil
  /// ends the pinning.
  ///
  /// A pinned context does not show the saves of others. Saving, merging and resetting move it to
  /// the newest state. A context over a context shows its parent's state and can not be pinned
  /// itself. The context of an awaited read keeps its state.
  ///
  /// While a context holds a state, a SQLite file can not restart its log, and the log grows with
  /// each commit. Unpin the context, or move it on, when you are done.
  public func setQueryGeneration(from token: QueryGenerationToken?) throws {
    checkQueue()
    guard let root = storeRoot else {
      throw ContextError.generationOfParent
    }
    guard !keepsState || token?.generation === generation else {
      throw ContextError.generationOfRead
    }
    guard let token else { return unpin(root) }
    guard root.capabilities.keepsGenerations else { throw root.store.lackOfGenerations }
    if let known = token.generation, known.root !== root { throw ContextError.foreignGeneration }
    let new = token.generation ?? QueryGeneration(root)
    guard new !== generation else { return }
    pin(to: new)
    dropFormerState()
  }

  private func pin(to new: QueryGeneration) {
    generation = new
    parent = .generation(new)
    guard let last = new.last, last < hearing.known.own else { return }
    // The saves in between do not arrive again.
    hearing.known.own = last
    noteMissedSave()
  }

  func unpin(_ root: RootContext) {
    guard generation != nil else { return }
    generation = nil
    parent = .store(root)
    dropFormerState()
    queue?.mergeArrivals(in: self)
  }

  private func dropFormerState() {
    withoutUndo {
      invalidateAll()
      observers?.postInvalidatedAll(self)
      notifyChildren(.outdated(number: 0))
    }
  }

  // MARK: - Moving on

  /// Runs `body`, a save or a merge, on the newest state. The context moves to the next state even
  /// if `body` throws, because `body` may have shown rows of the newest state.
  func atNewestState<Output>(_ body: () throws -> Output) rethrows -> Output {
    guard let former = generation, parent.isGeneration(former), !keepsState else {
      return try body()
    }
    // The new token exists before the save, so that the save's notification can carry it.
    generation = QueryGeneration(former.root)
    parent = .store(former.root)
    withoutUndo { invalidateAll() }
    defer { showNextState() }
    return try body()
  }

  private func showNextState() {
    guard let generation else { return }
    parent = .generation(generation)
    dropFormerState()
  }

  /// Pins the context to the newest state. The caller has removed all objects from memory.
  func pinToNewestState() {
    guard let former = generation else { return }
    pin(to: keepsState ? former : QueryGeneration(former.root))
  }
}
