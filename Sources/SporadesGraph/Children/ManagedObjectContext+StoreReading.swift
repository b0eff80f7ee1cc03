// SPDX-License-Identifier: MIT
package import SporadesChain
package import SporadesModel
import SporadesStore

extension ManagedObjectContext {
  /// The scope of the ids of the context's objects.
  package final var objectScope: StoreScope { stack.scope }

  /// The root under the context and all its parents.
  package final var rootBelowParents: RootContext {
    switch parent {
    case .store(let root): root
    case .generation(let generation): generation.root
    case .context(let parent): parent.root
    }
  }

  /// Calls `body` with the store under the context and its parents, for a question that no context can answer.
  ///
  /// `body` also gets the numbers of the entities with unsaved changes in the context or a parent, which the store does
  /// not know. The queues of the parents stand still meanwhile. A `body` that reads no rows need not be noted as a read of
  /// everything.
  package final func readStore<Output>(
    within timeout: Duration?, noting: Bool = true,
    _ body: (any StoreSource, _ unsaved: Set<Int>) throws -> Output
  ) throws -> Output {
    beginWork()
    defer { endWork() }
    try Cancellation.check()
    guard let timeout = timeout ?? fetchTimeout else { return try readStore([], noting, body) }
    return try Cancellation(after: timeout).run {
      try Cancellation.check()
      return try readStore([], noting, body)
    }
  }

  private final func readStore<Output>(
    _ unsaved: Set<Int>, _ noting: Bool, _ body: (any StoreSource, Set<Int>) throws -> Output
  ) throws -> Output {
    let unsaved = unsaved.union(changes.changed.map(\.home.shape.number))
    switch parent {
    case .store(let root): return try body(root, unsaved)
    case .generation(let generation):
      if noting { generation.noteReadOfEverything() }
      return try body(generation, unsaved)
    case .context(let parent):
      return try parent.inParent { try $0.readStore(unsaved, noting, body) }
    }
  }
}
