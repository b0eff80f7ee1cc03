// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// Names one state of a stack's store; see ``ManagedObjectContext/setQueryGeneration(from:)``.
///
/// A token is a value. The state stays to be read as long as a token or a context holds it.
public struct QueryGenerationToken: Hashable, Sendable {
  /// Nil for the newest state, whichever it is when it is asked for.
  let generation: QueryGeneration?

  /// The newest state when the context reads next.
  public static let current = QueryGenerationToken(generation: nil)
}

/// One state of a stack's store, chosen by the first read, and what the contexts that are pinned to it
/// read from. What they save goes to the root.
final class QueryGeneration: StoreSource {
  let root: RootContext
  private let opened = Guarded<Opened?>(nil)

  private struct Opened: Sendable {
    let state: StoreGeneration
    /// The number of the last save it shows.
    let last: Int
  }

  init(_ root: RootContext) { self.root = root }

  var store: any PersistentStore { root.store }

  /// The number of the last save it shows; nil while nobody has read from it.
  var last: Int? { opened.withLock { $0?.last } }

  /// The contexts know themselves what they heard of.
  var basis: Int { .max }

  var view: StoreView {
    get throws(StoreError) {
      try opened.withLock { (opened) throws(StoreError) in
        if let opened { return .generation(opened.state) }
        let (state, last) = try root.generation()
        opened = Opened(state: state, last: last)
        return .generation(state)
      }
    }
  }

  // MARK: - Writing

  func reserveKeys(
    _ count: Int, for entity: EntityShape, inStore number: Int
  ) throws(StoreError) -> Range<Int64> {
    try root.reserveKeys(count, for: entity, inStore: number)
  }
  func accept(_ changes: ChangeSet, from context: ManagedObjectContext) throws(StoreError) {
    try root.accept(changes, from: context)
  }
}

extension QueryGeneration: Hashable {
  static func == (left: QueryGeneration, right: QueryGeneration) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
