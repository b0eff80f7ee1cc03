// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

/// A parent context, as its child sees it.
protocol ContextSource: RowSource {
  /// The root under the parent.
  var root: RootContext { get }
  /// Runs `body` on the parent's queue, while the child waits.
  func inParent<Output>(_ body: (ManagedObjectContext) throws -> Output) rethrows -> Output
}

/// The parent of a context: the source of its reads and the target of its saves.
enum ContextParent {
  case store(RootContext)
  /// One kept state of the store. Saves go to its root.
  case generation(QueryGeneration)
  case context(any ContextSource)

  var source: any RowSource {
    switch self {
    case .store(let root): root
    case .generation(let generation): generation
    case .context(let parent): parent
    }
  }

  /// The root, if the context reads the newest state of the store; else nil.
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
  /// The root, for a context over the store; nil for a context over a context.
  var storeRoot: RootContext? { parent.root ?? generation?.root }

  /// The digits of dates that the store keeps under all contexts.
  var datePrecision: DatePrecision {
    (storeRoot ?? parent.context?.root)?.store.datePrecision ?? .exact
  }
}
