// SPDX-License-Identifier: MIT
public import SporadesChain
import SporadesModel
import SporadesStore

// Contexts that are pinned to one state of the store.
//
// Rules:
// 1. Everything a pinned context shows is of one state, but for what was changed in it: whenever the
//    state is another one, objects without changes become faults.
// 2. What others save waits until the context shows a state that has it.
// 3. A save and a merge work on the newest state. Afterwards, and after a reset, the context is pinned
//    to the newest state anew.
extension ManagedObjectContext {
  /// The state of the store the context is pinned to, or its parent is; nil where it sees whatever is
  /// newest. Give it to another context to have both see the same.
  public var queryGenerationToken: QueryGenerationToken? {
    checkQueue()
    if let parent = parent.context { return parent.inParent { $0.queryGenerationToken } }
    return generation.map { QueryGenerationToken(generation: $0) }
  }

  /// Pins the context to a state of the store: ``QueryGenerationToken/current``, the newest when the
  /// context reads next, or that of another context's ``queryGenerationToken``. With nil it sees
  /// whatever is newest again.
  ///
  /// A pinned context sees nothing of what others save, update and delete. Saving, merging and
  /// resetting it moves it to the newest state. A context over another sees what that one does, and
  /// can not be pinned.
  ///
  /// As long as a state is held, the log of a SQLite file can not be begun anew, and grows with each
  /// commit: move on when you are done with it.
  public func setQueryGeneration(from token: QueryGenerationToken?) throws {
    checkQueue()
    guard let root = storeRoot else {
      throw ContextError.generationOfParent
    }
    guard let token else { return unpin(root) }
    guard root.store.keepsGenerations else { throw root.store.lackOfGenerations }
    if let known = token.generation, known.root !== root { throw ContextError.foreignGeneration }
    let new = token.generation ?? QueryGeneration(root)
    guard new !== generation else { return }
    pin(to: new)
    showAnotherState()
  }

  private func pin(to new: QueryGeneration) {
    generation = new
    parent = .generation(new)
    guard let last = new.last, last < heard.own else { return }
    // What came between is not told again.
    heard.own = last
    missSaves()
  }

  func unpin(_ root: RootContext) {
    guard generation != nil else { return }
    generation = nil
    parent = .store(root)
    showAnotherState()
    queue?.takeArrivals(in: self)
  }

  private func showAnotherState() {
    asideOfUndo {
      outdateAll()
      observers?.invalidatedAll(self)
      tellChildren(.outdated(number: 0))
    }
  }

  // MARK: - Moving on

  /// Runs `body`, which saves or merges, on the newest state, and moves the context on whether it
  /// succeeds or not: `body` may have shown some of that state.
  func atNewestState<Output>(_ body: () throws -> Output) rethrows -> Output {
    guard let former = generation, parent.isGeneration(former) else { return try body() }
    // The token of what comes is known before, to be told with the save.
    generation = QueryGeneration(former.root)
    parent = .store(former.root)
    asideOfUndo { outdateAll() }
    defer { showNextState() }
    return try body()
  }

  private func showNextState() {
    guard let generation else { return }
    parent = .generation(generation)
    showAnotherState()
  }

  /// Nothing is in memory that shows the former state.
  func moveOn() {
    guard let former = generation else { return }
    pin(to: QueryGeneration(former.root))
  }
}
