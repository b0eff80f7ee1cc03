// SPDX-License-Identifier: MIT
public import SporadesModel

/// The capability of a store that gives up what it has executed, before a commit keeps it. A coordinator divides change sets
/// among such stores alone.
public protocol RevocableStore: PersistentStore {
  /// Executes a change set like `execute(_:)`, then calls `confirm`. If `confirm` throws, the store undoes
  /// the change set and throws the same error. A coordinator executes the parts of a change set this way.
  ///
  /// `confirm` must not call this store.
  func execute(
    _ changes: ChangeSet, then confirm: () throws(StoreError) -> Void
  ) throws(StoreError)
  /// Executes accepted change sets again if their transaction was lost. Returns each change set that the store
  /// could not keep, once.
  func restoreAccepted() throws(StoreError) -> [LostChanges]
  /// Withdraws accepted change sets before their commit, with the change sets that build on them. The next
  /// call of ``restoreAccepted()`` returns all of them. A coordinator withdraws the other parts of a change
  /// set when one of its stores lost its part.
  func withdraw(_ changes: [ChangeSet]) throws(StoreError)
}

/// The capability of a store that still shows a state after later commits. Reads of other stores see what is newest.
public protocol GenerationKeepingStore: PersistentStore {
  /// The store can keep a generation now.
  var keepsGenerations: Bool { get }
  /// Keeps the present committed state. Throws if the store can not.
  func generation() throws(StoreError) -> StoreGeneration
}

/// The capability of a store that carries out batches by itself. For other stores, contexts read the objects of a batch and
/// change each.
public protocol BatchExecutingStore: PersistentStore {
  /// Changes the rows of a batch in one transaction, commits it, and returns what changed. The caller has
  /// committed all accepted change sets. If the batch must be on the disk, the caller then calls
  /// ``PersistentStore/commit(_:)``.
  ///
  /// Returns nil, and changes nothing, if the store does not carry out such a batch itself. The caller then
  /// reads the rows and executes a change set, which also finds out why a batch is impossible.
  func execute(_ batch: StoreBatch) throws(StoreError) -> BatchEffects?
}

/// The capability of a store that other processes open, too.
public protocol SharedStore: PersistentStore {
  /// Calls `committed` with the store's identifier after another process has committed changes, or after ``lostPlace`` has
  /// changed, until the observation ends. Nil if no other process can.
  func observeOthers(_ committed: @escaping @Sendable (String) -> Void) -> StoreObservation?
  /// The reason why nobody finds the store in its place any more, because somebody removed, moved or replaced its file. Nil
  /// while it is there. Nothing of what others commit reaches the store until then.
  var lostPlace: StoreError? { get }
  /// The commits of other processes behind the transaction with the number; nil if the store can
  /// not tell it.
  func changesOfOthers(after number: Int64) throws(StoreError) -> OthersChanges?
}

extension SharedStore {
  public var lostPlace: StoreError? { nil }

  public func changesOfOthers(after number: Int64) throws(StoreError) -> OthersChanges? { nil }
}

/// The capability of a store that runs triggers, which change rows beside those of a change set.
public protocol TriggerRunningStore: PersistentStore {
  /// The store has triggers. A context then computes derived totals of all members, and not of what it changed.
  var hasTriggers: Bool { get }
  /// Returns the keys of rows that triggers in the store changed during the last change set, and forgets
  /// them. Contexts read these rows again.
  func takeKeysChangedByTriggers() -> [RowKey]
}

/// The abilities of a store beside the contract. A property is nil where the store lacks the ability.
///
/// The cast comes with the question, because the first cast to a protocol takes long, and a program that only opens a store
/// asks for few.
package struct StoreCapabilities: Sendable {
  private let store: any PersistentStore

  package init(_ store: any PersistentStore) { self.store = store }

  package var batches: (any BatchExecutingStore)? { store as? any BatchExecutingStore }
  package var sharing: (any SharedStore)? { store as? any SharedStore }
  package var generations: (any GenerationKeepingStore)? { store as? any GenerationKeepingStore }
  private var triggers: (any TriggerRunningStore)? { store as? any TriggerRunningStore }

  package var keepsGenerations: Bool { generations?.keepsGenerations ?? false }
  package var hasTriggers: Bool { triggers?.hasTriggers ?? false }

  /// Returns the keys of rows that triggers changed during the last change set, and forgets them.
  package func takeKeysChangedByTriggers() -> [RowKey] {
    triggers?.takeKeysChangedByTriggers() ?? []
  }

  /// Keeps the present committed state. Throws if the store can not.
  package func generation() throws(StoreError) -> StoreGeneration {
    guard let generations else { throw store.lackOfGenerations }
    return try generations.generation()
  }

  /// The store as one that gives up what it has executed. Throws if it is none.
  package func revocable() throws(StoreError) -> any RevocableStore {
    guard let store = store as? any RevocableStore else {
      throw StoreError(
        .unsupported,
        "The store \(store.placeText) can not give up changes that it has accepted, because its class is no "
          + "RevocableStore. Keep what belongs together in another store.")
    }
    return store
  }

  /// Returns each change set that the store could not keep, once. A store that gives up nothing loses nothing.
  package func restoreAccepted() throws(StoreError) -> [LostChanges] {
    try (store as? any RevocableStore)?.restoreAccepted() ?? []
  }
}
