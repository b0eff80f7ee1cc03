// SPDX-License-Identifier: MIT

import FoundationEssentials
public import SporadesModel
public import SporadesStore

/// The settings for opening a SQLite store.
public struct SQLiteStoreOptions: Hashable, Sendable {
  /// Creates the file if it is missing.
  public var createsFile = true
  /// Opens the store for reading only; every write request throws.
  public var isReadOnly = false
  /// The model's configuration whose entities the store holds; nil for all entities.
  public var configuration: String?
  /// The time a request waits for another process before it throws `StoreError` `busy`.
  public var busyMilliseconds = 5_000
  /// Notices what other processes commit, so that contexts show it. Where the system gives no notices of writes, as on
  /// Apple's platforms, the store asks twenty times a second.
  public var noticesOtherProcesses = true
  /// The largest page cache of each connection. A connection that reads little uses half a megabyte at most.
  public var cacheKilobytes = 16_384
  /// The largest amount of rows that reads of kept states share: a service's reads in tasks, and those of contexts with a
  /// query generation. A row that is read often is then not searched again after a commit that did not change it. 0 shares
  /// none.
  public var rowCacheKilobytes = 4_096
  /// The number of bytes of the file that are mapped into memory; 0 maps nothing.
  public var mappedBytes = 0
  /// The number of connections that can read at the same time.
  public var readerCount = 4
  /// The number of frames in the write-ahead log that starts a checkpoint, which moves the log into the
  /// database.
  public var checkpointFrames = 1_000
  /// Overwrites deleted content with zeros.
  public var overwritesDeletedContent = false
  /// The number of steps of SQLite's virtual machine after which a request fails with `StoreError`
  /// `interrupted`. A fetch, a save and a commit are one request each. A second is some hundred million
  /// steps. The default is ten thousand million; 0 sets no limit.
  ///
  /// The limit stops requests that would never end, for example because of a malicious trigger in a file.
  public var stepLimit = StepLimit.usual
  /// Refuses a file that another model wrote. If this is false, a missing column is still an error.
  public var checksModel = true
  /// The treatment of a store that another version of the model wrote. By default, the store is changed when it is
  /// opened for writing.
  public var migration = MigrationOptions()
  /// The plan by which such a store is migrated; nil infers the changes from the two versions.
  public var migrationPlan: (any StoreMigrationPlan)? {
    get { plan.plan }
    set { plan = PlanIdentity(plan: newValue) }
  }
  private var plan = PlanIdentity(plan: nil)
  /// Whether the store keeps a history of its saves, which other programs and later runs can read.
  public var persistentHistory = HistoryTracking.asInFile
  /// The identifier of the program's bundle, which the history names; nil if the program has none.
  public var bundleIdentifier: String?
  /// Changes a store to an earlier version of its model, too, because a stage of a plan leads there.
  package var migratesBack = false
  /// The code of a stage on objects that is still to run, and what it may repair is left to it.
  package var stageCode: StageCode = []
  /// The identifier of a new store; nil chooses one.
  package var identifier: String?
  /// The sentence that refuses writes, after the name of the store.
  package var refusalOfWrites: String?
  /// Reads the store without a new file beside it.
  package var leavesNoTrace = false
  /// Reads it then without a lock also while another process has it open. A read fails with
  /// ``StoreError/Code-swift.enum/moved`` if that process writes meanwhile.
  package var takesNoLock = false
  /// The largest row or value in bytes that SQLite accepts; nil keeps SQLite's own limit, a thousand million.
  package var largestRow: Int32?

  /// Options for reading and writing a store, which is created if it is missing.
  public init() {}
}

extension SQLiteStoreOptions {
  /// Removes what holds for the file alone, because another store takes its place.
  package mutating func standIn() {
    createsFile = true
    leavesNoTrace = false
    guard refusalOfWrites != nil else { return }
    (refusalOfWrites, isReadOnly, checksModel) = (nil, false, true)
  }

  /// Throws if a number is out of SQLite's range.
  func check() throws(StoreError) {
    let largest = Int(Int32.max)
    let bounds = [
      ("busyMilliseconds", busyMilliseconds, largest), ("cacheKilobytes", cacheKilobytes, largest),
      ("rowCacheKilobytes", rowCacheKilobytes, 1 << 40),
      ("mappedBytes", mappedBytes, .max), ("readerCount", readerCount, 1_000),
      ("checkpointFrames", checkpointFrames, largest), ("stepLimit", stepLimit, .max),
    ]
    for (name, number, bound) in bounds where !(0...bound ~= number) {
      throw StoreError(
        .unsupported, "The option \(name) is \(number); give it a number from 0 to \(bound).")
    }
    if let identifier, UUID(uuidString: identifier) == nil {
      throw StoreError(
        .unsupported,
        "A file needs a UUID for its store, and \(identifier) is none. Give the store a UUID first."
      )
    }
  }
}

/// A plan that equals itself alone.
private struct PlanIdentity: Hashable, Sendable {
  let plan: (any StoreMigrationPlan)?

  static func == (left: PlanIdentity, right: PlanIdentity) -> Bool { left.plan === right.plan }
  func hash(into hasher: inout Hasher) { hasher.combine(plan.map(ObjectIdentifier.init)) }
}
