// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

/// A parent context as its child knows it.
protocol ContextSource: RowSource {
  /// Runs `body` in the parent, which the child waits for.
  func inParent<Output>(_ body: (ManagedObjectContext) throws -> Output) rethrows -> Output
}

/// What a context reads from and saves to, by kind.
enum ContextParent {
  case store(RootContext)
  /// One state of the store; saves go to its root.
  case generation(QueryGeneration)
  case context(any ContextSource)

  var source: any RowSource {
    switch self {
    case .store(let root): root
    case .generation(let generation): generation
    case .context(let parent): parent
    }
  }

  /// The root, for a context that reads the newest state of the store; nil for all others.
  var root: RootContext? {
    if case .store(let root) = self { root } else { nil }
  }

  /// The parent context; nil for a context over the store.
  var context: (any ContextSource)? {
    if case .context(let parent) = self { parent } else { nil }
  }

  func isGeneration(_ generation: QueryGeneration) -> Bool {
    if case .generation(let own) = self { own === generation } else { false }
  }
}

extension ManagedObjectContext {
  /// The root, for a context over the store.
  var storeRoot: RootContext? { parent.root ?? generation?.root }
}
