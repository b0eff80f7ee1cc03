// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore
import Synchronization

/// A context as the parent of other contexts. It answers from its own state on top of its parent's.
///
/// The child waits for the parent's queue. The parent never waits for the child.
final class ParentSource: ContextSource {
  let parent: ContextQueue
  let root: RootContext
  private let oldest = Atomic(Int.max)

  /// True, because a parent may have changes that row versions do not show.
  var comparesBases: Bool { true }

  var basis: Int { oldest.load(ordering: .relaxed) }

  init(_ parent: ContextQueue, _ root: RootContext) {
    self.parent = parent
    self.root = root
  }

  func rows(_ fetch: StoreFetch) throws(StoreError) -> [RowPage] {
    try answer { try $0.rowsForChild(fetch) }
  }
  func keys(_ fetch: StoreFetch) throws(StoreError) -> [RowKey] {
    try answer { try $0.keysForChild(fetch) }
  }
  func answer(_ question: TableQuestion) throws(StoreError) -> TableAnswer {
    try answer { try $0.answer(question) }
  }
  func rows(for keys: [RowKey]) throws(StoreError) -> [RowPage] {
    try answer { try $0.rowsForChild(keys) }
  }
  func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?
  ) throws(StoreError) -> [RowPage] {
    try answer { try $0.rowsForChild(entity, owners, slot) }
  }
  func links(
    of relationship: RelationshipShape, owners: [RowKey]
  ) throws(StoreError) -> [StoredLink] {
    try answer { try $0.linksForChild(relationship, owners) }
  }
  func lastPosition(
    in relationship: RelationshipShape, of owner: RowKey
  ) throws(StoreError) -> Int64? {
    try answer { try $0.lastPosition(in: relationship, of: $0.object(forKey: owner)) }
  }
  func reserveKeys(
    _ count: Int, for entity: EntityShape, inStore number: Int
  ) throws(StoreError) -> Range<Int64> {
    try root.reserveKeys(count, for: entity, inStore: number)
  }
  func accept(_ save: SaveRequest) throws(StoreError) -> SaveReceipt {
    try answer {
      try $0.checkBases(of: save)
      try $0.applySave(save.changes)
      try $0.takeTransients(save.transients)
      $0.inherit(save)
      $0.notifyChildren(of: save.changes, except: save.sender)
      return SaveReceipt()
    }
  }

  func inParent<Output>(_ body: (ManagedObjectContext) throws -> Output) rethrows -> Output {
    try parent.performAndWait(body)
  }

  private func answer<Output>(
    _ body: (ManagedObjectContext) throws -> Output
  ) throws(StoreError) -> Output {
    var answer = Answer<Output>()
    try ask { answer.take(try body($0)) }
    return answer.get()
  }

  // `dynamic`, because the optimizer would else make a copy for each block that a caller passes.
  private dynamic func ask(
    _ body: (ManagedObjectContext) throws -> Void
  ) throws(StoreError) {
    do {
      try parent.performAndWait { context in
        try context.prepareForChild()
        oldest.min(context.basis, ordering: .relaxed)
        try body(context)
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.unsupported, "The parent context refused: \(error)", underlying: error)
    }
  }
}
