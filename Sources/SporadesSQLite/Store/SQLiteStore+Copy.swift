// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  /// Writes a copy of the committed store, with the files of its large values. The path must be free, or hold a
  /// store that nobody has open and that the call replaces.
  ///
  /// Nobody waits for the copy: a connection of its own reads one state of the store, and commits go on. The copy
  /// takes its place in one step, when it is on the disk.
  ///
  /// Throws if both stores would keep their large values in one folder. That happens when their file names
  /// differ only after the last dot.
  public func copy(to path: String, replacing: Bool) throws(StoreError) {
    try checkOpen()
    try CopyDestination.check(path, isNot: self.path)
    let destination = try CopyDestination(path, replacing: replacing)
    var missing: [ValueName] = []
    for _ in 0..<Self.attempts {
      let left = try copy(to: destination, leavingOut: missing)
      guard !left.isEmpty else { return }
      missing = left
    }
    throw StoreError(
      .busy,
      "Other processes removed large values again and again while the store was copied to \(path). Try again."
    )
  }

  /// Other processes may remove a large value of the copied state before it is copied. A new attempt copies a newer
  /// state, which does not name it.
  private static let attempts = 10

  /// Copies the present state. Returns files that another process has removed meanwhile; then there is no copy. A
  /// file of `known` that is still missing is lost, and the copy is as good as the store.
  private func copy(
    to destination: CopyDestination, leavingOut known: [ValueName]
  ) throws(StoreError) -> [ValueName] {
    try destination.makeDraft()
    let values = files.map { destination.values(from: $0.folder) }
    let names: [ValueName]
    let former: [ValueName]
    do throws(StoreError) {
      // The files of the copied rows stay while this read lasts.
      let copied = try read(.committed) {
        (connection) throws(StoreError) -> (names: [ValueName], missing: [ValueName]) in
        let names = try copy(connection, to: destination.draft)
        return (names, try values?.take(names, leavesOutMissing: true) ?? [])
      }
      guard copied.missing.allSatisfy(known.contains) else {
        destination.removeDraft()
        values?.removeTaken()
        return copied.missing
      }
      try Self.finish(destination.draft)
      names = copied.names
      former = try destination.takePlace()
    } catch {
      destination.removeDraft()
      values?.removeTaken()
      throw error
    }
    try destination.settle(naming: names, insteadOf: former)
    return []
  }

  /// Copies the pages of one state, and returns the names of the files of large values in it.
  private func copy(
    _ connection: Connection, to draft: String
  ) throws(StoreError) -> [ValueName] {
    // The only connection of a store in memory may be inside a transaction already.
    let isOutside = connection.isOutsideTransaction
    if isOutside { try Snapshot.begin(connection) }
    defer { if isOutside { connection.endRead() } }
    try connection.copy(toFile: draft)
    return plan.namesFiles && files != nil ? try StoreFile.names(connection) : []
  }

  /// Gives the copy the settings of a new store, and waits until it is on the disk. No other connection has
  /// the copy open, so opening and closing its file releases nobody's locks.
  static func finish(_ path: String) throws(StoreError) {
    let connection = try Connection(path: path, access: .readWrite, busyMilliseconds: 1_000)
    defer { connection.close() }
    try connection.run(.setJournalMode("WAL"))
    connection.close()
    let descriptor = SystemFile.openForSync(path)
    defer { if descriptor >= 0 { SystemFile.shut(descriptor) } }
    guard descriptor >= 0, SystemFile.sync(descriptor) else {
      throw StoreError(
        .io,
        "The copy at \(path) cannot be synced: \(SystemFile.message(SystemFile.lastError)).")
    }
    try SystemFile.sync(folderOf: path)
  }
}
