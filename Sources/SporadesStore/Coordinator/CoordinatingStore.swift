// SPDX-License-Identifier: MIT
package import FoundationEssentials
package import SporadesModel

/// A store that consists of several stores. Keys of its rows name the store that has the row.
package protocol CoordinatingStore: PersistentStore {
  /// The stores, in the order in which the program added them.
  var persistentStores: [any PersistentStore] { get }
  /// The stores with their histories.
  var memberHistories: [HistorySource] { get }

  func hasStore(_ number: Int) -> Bool
  /// The store of an object; nil if the object was never saved, or its store was removed.
  func persistentStore(for id: ManagedObjectID) -> (any PersistentStore)?
  func managedObjectID(forURIRepresentation url: URL) -> ManagedObjectID?

  /// The store for new objects of an entity that their context assigned to none.
  func storeForNew(_ entity: EntityShape) throws(StoreError) -> Int
  /// The number of a store, to which a context wants to assign an object of an entity.
  func number(
    of store: any PersistentStore, holding entity: EntityShape
  ) throws(StoreError) -> Int
  func reserveKeys(
    _ count: Int, for entity: EntityShape, inStore number: Int
  ) throws(StoreError) -> Range<Int64>

  /// Asks the only store that holds all the entities, for requests that cannot be divided. With an identifier, only the store
  /// of that name is meant. `body` also gets the store's number in keys. The error's cause is a ``StoreChoice`` where none or
  /// several stores could answer.
  func askOneStore(
    holding entities: Set<Int>, identifier: String?, in view: StoreView,
    _ body: (any PersistentStore, _ number: Int, StoreView) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Passes each store that a question concerns to `body`, with its part of the question.
  func askHolders(
    _ question: ExplainedQuestion, in view: StoreView,
    _ body: (any PersistentStore, ExplainedQuestion, StoreView) throws(StoreError) -> Void
  ) throws(StoreError)

  /// Calls `body` after each change of the stores. The body must not wait for anything.
  func observe(_ body: @escaping @Sendable (StoresChange) -> Void)
}

extension CoordinatingStore {
  /// The answer of the only store that holds all the entities.
  package func answerOfOneStore<Output>(
    holding entities: Set<Int>, identifier: String?, in view: StoreView,
    _ body: (any PersistentStore, _ number: Int, StoreView) throws -> Output
  ) throws -> Output {
    var answer = Answer<Result<Output, any Error>>()
    try askOneStore(
      holding: entities, identifier: identifier, in: view
    ) { store, number, view throws(StoreError) in
      // The coordinator names its own objects in errors of stores, and knows no others.
      do { answer.take(.success(try body(store, number, view))) } catch let error as StoreError {
        throw error
      } catch {
        answer.take(.failure(error))
      }
    }
    return try answer.get().get()
  }
}

extension PersistentStore {
  /// The store as one that consists of several; nil for every other store.
  package var coordinator: (any CoordinatingStore)? { self as? any CoordinatingStore }

  /// The stores with histories behind this one: those of a coordinator, or the store itself.
  package var historySources: [HistorySource] {
    coordinator?.memberHistories ?? [HistorySource(self)]
  }
}

/// The stores that a coordinator added or removed.
public struct StoresChange: Hashable, Sendable {
  /// The identifiers of the added stores.
  public var added: [String] = []
  /// The identifiers of the removed stores.
  public var removed: [String] = []
  /// The number of changes right before this one that a slow consumer did not receive.
  public package(set) var missed = 0
  package let removedNumbers: [Int]

  package init(added: [String] = [], removed: [String] = [], removedNumbers: [Int] = []) {
    (self.added, self.removed, self.removedNumbers) = (added, removed, removedNumbers)
  }
}

/// A request that only one store can answer fits none or several stores of a coordinator.
package struct StoreChoice: Error {
  /// The identifiers of the stores that could answer.
  package let stores: [String]

  package init(stores: [String]) { self.stores = stores }
}
