// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

/// A store of a coordinator, and its number there. The upper bits of the coordinator's keys hold the number.
///
/// The store itself does not know the number. This type removes the number from requests to the store, and
/// adds it to the answers. For the store with the number 0, keys stay the same and only ids change.
struct CoordinatedStore: Sendable {
  let number: Int
  let store: any PersistentStore
  let capabilities: StoreCapabilities
  /// The store as one that takes part in commits over several stores; nil if it cannot.
  let keeper: (any IntentKeepingStore)?
  let configuration: StoreConfiguration
  /// The scope of the store's own ids.
  let scope: StoreScope
  /// The scope of the coordinator's ids.
  let shared: StoreScope

  init(
    _ store: any PersistentStore, number: Int, in shared: StoreScope
  ) throws(StoreError) {
    self.number = number
    self.store = store
    capabilities = StoreCapabilities(store)
    let keeper = store as? any IntentKeepingStore
    self.keeper = keeper?.keepsIntents == true ? keeper : nil
    self.shared = shared
    configuration = try StoreConfiguration(store.configurationName, of: store.model)
    scope = StoreScope(
      identifier: store.identifier, entityNames: store.model.shapes.map(\.name))
  }

  // MARK: - Requests to the store

  /// The fetch with the ids of the store.
  func own(_ fetch: StoreFetch) -> StoreFetch {
    var fetch = fetch
    fetch.affectedStores = nil
    fetch.predicate = fetch.predicate?.replacingIDs(own)
    fetch.sortTerms = fetch.sortTerms.map { term in
      var term = term
      term.expression = term.expression.replacingIDs(own)
      return term
    }
    return fetch
  }

  /// The batch with the ids of the store.
  func own(_ batch: StoreBatch) -> StoreBatch {
    var work = batch.work
    if case .update(let assignments) = work {
      work = .update(assignments.compactMap { $0.replacingIDs(own) })
    }
    return StoreBatch(
      work, own(batch.fetch), durability: batch.durability, author: batch.author,
      contextName: batch.contextName)
  }

  /// The question with the ids of the store.
  func own(_ question: TableQuestion) -> TableQuestion {
    var question = question
    question.fetch = own(question.fetch)
    question.columns = question.columns.map { $0.replacingIDs(own) }
    question.groups = question.groups.map { $0.replacingIDs(own) }
    question.having = question.having?.replacingIDs(own)
    for place in question.sortTerms.indices {
      question.sortTerms[place].expression =
        question.sortTerms[place].expression.replacingIDs(own)
    }
    return question
  }

  func own(_ question: ExplainedQuestion) -> ExplainedQuestion {
    switch question {
    case .rows(let fetch): .rows(own(fetch))
    case .keys(let fetch): .keys(own(fetch))
    case .table(let question): .table(own(question))
    }
  }

  private func own(_ id: ManagedObjectID) -> ManagedObjectID {
    // An id of another store keeps the coordinator's scope, so that it equals no id of this store.
    guard id.scope == shared, id.key.store == number, !id.isTemporaryID else { return id }
    return ManagedObjectID(key: own(id.key), scope: scope)
  }

  /// The store's own view; nil if the coordinator made the generation before it added the store.
  func own(
    _ view: StoreView, of coordinator: PersistentStoreCoordinator
  ) throws(StoreError) -> StoreView? {
    guard case .generation(let generation) = view else { return view }
    let parts: CoordinatedGeneration = try generation.state(of: coordinator)
    return parts.byNumber[number].map(StoreView.generation)
  }

  /// The key without the number of the store.
  func own(_ key: RowKey) -> RowKey { number == 0 ? key : key.inStore(0) }

  /// The change set with the keys of the store.
  func own(_ changes: ChangeSet) -> ChangeSet {
    guard number != 0 else { return changes }
    return ChangeSet(
      inserted: changes.inserted.map { $0.moved(toStore: 0) },
      updated: changes.updated.map {
        UpdatedRows(page: $0.page.moved(toStore: 0), changedSlots: $0.changedSlots)
      },
      deleted: changes.deleted.map { DeletedRow(key: own($0.key), version: $0.version) },
      links: changes.links.map { change in
        var own = LinkChange(
          join: change.join, isFirst: change.isFirst, owner: self.own(change.owner))
        own.added = change.added.map(self.own)
        own.removed = change.removed.map { self.own($0) }
        own.moved = change.moved.map(self.own)
        return own
      },
      expected: changes.expected.map { RowVersion(key: own($0.key), version: $0.version) },
      author: changes.author, contextName: changes.contextName)
  }

  private func own(_ link: LinkChange.Link) -> LinkChange.Link {
    .init(other: own(link.other), position: link.position, ownerPosition: link.ownerPosition)
  }

  // MARK: - Answers of the store

  /// The key with the number of the store.
  func shared(_ key: RowKey) -> RowKey { number == 0 ? key : key.inStore(number) }

  /// The id of the coordinator for an id of the store.
  func shared(_ id: ManagedObjectID) -> ManagedObjectID {
    ManagedObjectID(key: shared(id.key), scope: shared)
  }

  /// The pages with the number of the store in all keys.
  func shared(_ pages: [RowPage]) -> [RowPage] {
    guard number != 0 else { return pages }
    var pages = pages
    pages.move(toStore: number)
    return pages
  }

  /// The answer with the ids of the coordinator.
  func shared(_ answer: TableAnswer) -> TableAnswer {
    guard answer.packed == nil else { return answer }
    let hasIDs = answer.values.contains { if case .objectID = $0 { true } else { false } }
    guard hasIDs else { return answer }
    return TableAnswer(
      width: answer.width,
      answer.values.map { value in
        guard case .objectID(let id) = value, id.scope == scope else { return value }
        return .objectID(ManagedObjectID(key: shared(id.key), scope: shared))
      })
  }

  /// The error with the ids of the coordinator.
  func shared(_ error: StoreError) -> StoreError {
    guard case .conflict(let ids) = error.code else { return error }
    let shared = ids.map { id in
      id.scope == scope ? ManagedObjectID(key: self.shared(id.key), scope: self.shared) : id
    }
    let problem = (error.underlying as? ReferenceProblem)?.moved { self.shared($0) }
    return StoreError(.conflict(shared), error.detail, underlying: problem ?? error.underlying)
  }
}

/// The generations of a coordinator's stores, by their numbers.
struct CoordinatedGeneration: Sendable {
  let byNumber: [Int: StoreGeneration]
}
