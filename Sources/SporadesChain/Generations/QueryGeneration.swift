// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// Names one state of a stack's store; see `ManagedObjectContext.setQueryGeneration(from:)`.
///
/// A token is a value. The store keeps the state as long as a token or a context holds it.
public struct QueryGenerationToken: Hashable, Sendable {
  /// The state; nil for the newest state at the time of each read.
  package let generation: QueryGeneration?

  package init(generation: QueryGeneration?) { self.generation = generation }

  /// The newest state at the time of the context's next read.
  public static let current = QueryGenerationToken(generation: nil)
}

/// One state of a stack's store. The first read chooses the state. Pinned contexts read from it and save
/// to the root.
package final class QueryGeneration: StoreSource {
  package let root: RootContext
  private let opened = Guarded<Opened?>(nil)

  private struct Opened: Sendable {
    let state: StoreGeneration
    /// The number of the last save that the state shows.
    let last: Int
  }

  package init(_ root: RootContext) { self.root = root }

  /// The state of all saves that are accepted by now. Nil if the store keeps no states, or cannot keep this one
  /// now: its commits fail, or it was closed.
  package init?(ofAcceptedSavesIn root: RootContext) {
    self.root = root
    // The number comes first: each save up to it is committed below, and the state shows it.
    let last = root.lastPublished
    guard root.store.keepsGenerations, root.commitForReaders() else { return nil }
    // try? because the caller reads elsewhere, where the same error meets it.
    guard let state = try? root.store.generation() else { return nil }
    opened.withLock { $0 = Opened(state: state, last: last) }
  }

  package var store: any PersistentStore { root.store }

  /// The number of the last save that the state shows; nil before the first read.
  package var last: Int? { opened.withLock { $0?.last } }

  /// Each context knows itself which arrivals it has merged.
  package var basis: Int { .max }

  package var view: StoreView {
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

  package func reserveKeys(
    _ count: Int, for entity: EntityShape, inStore number: Int
  ) throws(StoreError) -> Range<Int64> {
    try root.reserveKeys(count, for: entity, inStore: number)
  }
  package func accept(_ save: SaveRequest) throws(StoreError) -> SaveReceipt {
    try root.accept(save)
  }
}

extension QueryGeneration: Hashable {
  package static func == (left: QueryGeneration, right: QueryGeneration) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
