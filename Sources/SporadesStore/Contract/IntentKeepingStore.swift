// SPDX-License-Identifier: MIT
public import FoundationEssentials

/// A store that can take part in commits over several stores, so that each of these is kept by all of them or by none,
/// whenever the process or the computer stops.
///
/// One of the stores commits first, and keeps for each of the others a ``CommitIntent`` beside its rows. Each of the others
/// notes with its rows that it has its part. After a crash, a coordinator gives every store its part that has not noted
/// it; see ``/SporadesContainers/PersistentStoreCoordinator/finishCommits()``.
///
/// This is rule 18 of the contract:
///
/// 1. ``commit(_:noting:)`` keeps the notes together with the accepted changes, or neither. Without accepted changes, it
///    keeps the notes alone.
/// 2. Intents replace all former intents of the same commit.
/// 3. ``finish(_:by:)`` executes a part once, in whichever process, and only if all of it is possible. It raises what
///    ``PersistentStore/reserveKeys(_:for:)`` knows beyond the keys of the part.
/// 4. A store that lost its transaction, and whose part another process then finished, has that part. It neither executes it
///    again nor reports it as lost.
public protocol IntentKeepingStore: PersistentStore {
  /// The store lasts longer than the process.
  var keepsIntents: Bool { get }
  /// Makes all accepted change sets a permanent part of the store, together with the notes.
  ///
  /// A later commit of the store notes the finished parts in the case that this one fails.
  func commit(_ durability: Durability, noting notes: CommitNotes) throws(StoreError)
  /// Waits until all commits so far are on the disk: those of this process, and those of others that this one builds on, or
  /// all of others.
  func syncCommits(ofOthers: Bool) throws(StoreError)
  /// The committed intents, in their order.
  func intents() throws(StoreError) -> [CommitIntent]
  /// The commits and stores of the committed intents, without what they have to do.
  func intentTargets() throws(StoreError) -> [IntentTarget]
  /// The store has committed its part of a commit.
  func hasFinished(_ commit: String) throws(StoreError) -> Bool
  /// Executes the store's part of a commit, notes that, commits, and syncs. Returns false, and changes nothing, if the
  /// store has the part already. The caller has committed all accepted change sets.
  func finish(_ commit: String, by parts: [ChangeSet]) throws(StoreError) -> Bool
}

extension IntentKeepingStore {
  public func intentTargets() throws(StoreError) -> [IntentTarget] {
    try intents().map { IntentTarget(commit: $0.commit, store: $0.store) }
  }
}

/// A commit over several stores, and a store that must have a part of it.
public struct IntentTarget: Hashable, Sendable {
  /// The identifier of the commit, a UUID.
  public let commit: String
  /// The identifier of the store.
  public let store: String

  /// Names a commit and a store.
  public init(commit: String, store: String) {
    self.commit = commit
    self.store = store
  }
}

/// A part of a commit over several stores, which a store keeps until another store has it.
public struct CommitIntent: Hashable, Sendable {
  /// The identifier of the commit, a UUID.
  public let commit: String
  /// The identifier of the store that must have the part.
  public let store: String
  /// The moment of the commit.
  public let madeAt: Date
  /// The change sets of the part, in a form that only coordinators read.
  public let changes: [UInt8]

  /// Describes the part of one store.
  public init(commit: String, store: String, madeAt: Date, changes: [UInt8]) {
    self.commit = commit
    self.store = store
    self.madeAt = madeAt
    self.changes = changes
  }
}

/// The notes that a store makes in a commit, beside rows.
public struct CommitNotes: Hashable, Sendable {
  /// The parts of this commit that other stores must have.
  public var intents: [CommitIntent] = []
  /// The commits whose intents the store no longer keeps.
  public var settled: [String] = []
  /// The commits of which the store has its part with this one.
  public var finished: [String] = []
  /// The finished commits that the store forgets, because nobody keeps an intent of them.
  public var forgotten: [String] = []

  /// Makes empty notes.
  public init() {}

  /// There is nothing to note.
  public var isEmpty: Bool {
    intents.isEmpty && settled.isEmpty && finished.isEmpty && forgotten.isEmpty
  }
}
