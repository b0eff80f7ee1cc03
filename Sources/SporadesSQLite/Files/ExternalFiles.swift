// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// Large values in separate files beside the store.
///
/// Rules:
/// 1. A file, its name and its folders are on the disk before the commit of the row that names it.
/// 2. A dropped file is removed after the commit that dropped it is on the disk and no reader in this process
///    can use the file any more. A process that ends earlier leaves unnamed files; see ``UnusedFiles``.
/// 3. A change set keeps its files when it is executed again, after SQLite rolled back its transaction, and a row when
///    its first update met a unique value.
final class ExternalFiles: Sendable {
  let folder: ValueFolder
  private let state = Guarded(State())
  private let recent = Guarded(RecentValues())
  /// Locked while released files are removed. A closing store waits for the removals of other threads: they look whether the
  /// store is in its place, and it is not after SQLite has removed the log.
  private let sweeping = Guarded(())
  /// The location of the open store; nil before the store is open.
  let place = Guarded<StorePlace?>(nil)
  /// Finds the object whose row no longer names a missing file; nil before the store is open.
  let movedOn =
    Guarded<(@Sendable (ValueName, ColumnPlace) throws(StoreError) -> ManagedObjectID?)?>(nil)

  /// One slot of one row of a change set.
  struct Place: Hashable {
    /// The reference keeps the page alive, so that no other page gets its address.
    let page: RowPage
    let index: Int
    let slot: Int

    static func == (left: Self, right: Self) -> Bool {
      left.page === right.page && left.index == right.index && left.slot == right.slot
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(page))
      hasher.combine(index)
      hasher.combine(slot)
    }
  }

  private struct State {
    /// The files of the accepted change sets.
    var names: [Place: ValueName] = [:]
    /// The files that rows of the open transaction name, and the former files of its rows.
    var written: [Place] = []
    var dropped: [ValueName] = []
    var hasFolders = false
    var hasUnsyncedNames = false
    /// The files dropped by commits that may not be on the disk yet.
    var committed: [ValueName] = []
    var removal = FileRemoval()
  }

  private let upkeep: UpkeepAccount

  init(storePath: String, _ upkeep: UpkeepAccount) {
    folder = ValueFolder(ofStoreAt: SystemFile.absolute(storePath))
    self.upkeep = upkeep
  }

  // MARK: - Reading

  func contents(of name: ValueName, _ place: ColumnPlace) throws(StoreError) -> Data {
    if let known = recent.withLock({ $0.find(name) }) { return known }
    do throws(SystemFailure) {
      let data = try folder.contents(of: name)
      recent.withLock { $0.note(data, as: name) }
      return data
    } catch { throw failure(error, name, place) }
  }

  func size(of name: ValueName, _ place: ColumnPlace) throws(StoreError) -> Int {
    do throws(SystemFailure) { return try folder.size(of: name) } catch {
      throw failure(error, name, place)
    }
  }

  private func failure(
    _ failure: SystemFailure, _ name: ValueName, _ place: ColumnPlace
  ) -> StoreError {
    guard failure.isMissing else {
      return failure.error("The file of \(place) cannot be read.")
    }
    do throws(StoreError) {
      if let id = try movedOn.withLock({ $0 })?(name, place) {
        return StoreError(
          .conflict([id]),
          "Another process changed \(place) after it was read, and removed its former value. Refresh "
            + "the object.", underlying: failure)
      }
    } catch {
      // If the row cannot be read for another reason, the caller hears of the missing file.
      if error.code == .moved || error.code == .modelChanged { return error }
    }
    return StoreError(
      .corrupt,
      "The file of \(place) is missing from \(folder.path). Restore it from a copy of the store, or "
        + "set the property again.", underlying: failure)
  }

  // MARK: - The open transaction

  /// Writes a value into a file and returns its name. A value that already has a file keeps it.
  func write(_ value: any LargeValue, for place: Place) throws(StoreError) -> ValueName {
    if let known = state.withLock({ $0.names[place] }), isThere(known) {
      state.withLock { $0.written.append(place) }
      return known
    }
    let data: Data
    do { data = try value.read() } catch { throw StoreError(reading: error) }
    let name = ValueName()
    do throws(SystemFailure) {
      do throws(SystemFailure) { try write(data, as: name) } catch  where error.isMissing {
        // Another process removed the folders after this one made them.
        state.withLock { $0.hasFolders = false }
        try write(data, as: name)
      }
    } catch {
      throw error.error("A large value cannot be written to a file in \(folder.path).")
    }
    state.withLock { state in
      state.names[place] = name
      state.written.append(place)
    }
    return name
  }

  private func write(_ data: Data, as name: ValueName) throws(SystemFailure) {
    if !state.withLock({ $0.hasFolders }) {
      try folder.make()
      state.withLock { $0.hasFolders = true }
    }
    state.withLock { $0.hasUnsyncedNames = true }
    try folder.write(data, as: name)
  }

  /// A lost transaction holds no lock, so another process may have removed its unnamed files.
  private func isThere(_ name: ValueName) -> Bool {
    do throws(SystemFailure) {
      _ = try folder.size(of: name)
      return true
    } catch { return false }
  }

  /// Marks the file of a deleted row or a replaced value. The file is removed after the commit is on the
  /// disk.
  func drop(_ name: ValueName) { state.withLock { $0.dropped.append(name) } }

  /// The current position in the open transaction, for ``discard(after:)``.
  var mark: Mark {
    state.withLock { Mark(written: $0.written.count, dropped: $0.dropped.count) }
  }

  struct Mark {
    let written: Int
    let dropped: Int
  }

  /// Removes the files written after a mark, and keeps the files that were dropped after it.
  func discard(after mark: Mark) {
    let released = state.withLock { state in
      state.dropped.removeLast(max(0, state.dropped.count - mark.dropped))
      let places = Array(state.written.dropFirst(mark.written))
      for place in places {
        if let name = state.names.removeValue(forKey: place) { state.removal.add(name) }
      }
      state.written.removeLast(places.count)
      return places
    }
    outsideLock(released)
    sweep()
  }

  /// Prepares for another execution of all accepted change sets.
  func beginAgain() {
    let released = state.withLock { state in
      let places = state.written
      (state.written, state.dropped) = ([], [])
      return places
    }
    outsideLock(released)
  }

  /// Removes the files of the change sets that were left out when all accepted ones were executed again.
  func giveUpUnwritten() {
    let released = state.withLock { state in
      let written = Set(state.written)
      let places = state.names.keys.filter { !written.contains($0) }
      for place in places {
        if let name = state.names.removeValue(forKey: place) { state.removal.add(name) }
      }
      return places
    }
    outsideLock(released)
    sweep()
  }

  /// Waits until the names of all files written so far are on the disk.
  func sync() throws(StoreError) {
    guard state.withLock({ $0.hasUnsyncedNames }) else { return }
    do throws(SystemFailure) { try folder.sync() } catch {
      throw error.error("The folder of large values, \(folder.path), cannot be synced.")
    }
    state.withLock { $0.hasUnsyncedNames = false }
  }

  /// Records that the open transaction was committed.
  func settle() {
    let released = state.withLock { state in
      let places = Array(state.names.keys) + state.written
      state.committed += state.dropped
      (state.names, state.written, state.dropped) = ([:], [], [])
      return places
    }
    outsideLock(released)
    sweep()
  }

  /// Releases places outside the lock. The last reference to a page releases its values, and a value in a
  /// file then calls ``endUse(of:)``, which takes the lock again.
  private func outsideLock(_ released: [Place]) { withExtendedLifetime(released) {} }

  // MARK: - Files that no row names

  var hasDrops: Bool { state.withLock { !$0.committed.isEmpty } }

  /// Removes the files that commits have dropped, after `sync` has brought these commits to the disk. They stay until a later
  /// sync if it fails.
  func removeDropped(after sync: () throws(StoreError) -> Void) throws(StoreError) {
    let drops = state.withLock { Set($0.committed) }
    guard !drops.isEmpty else { return }
    try sync()
    // Another thread may have released some of them meanwhile.
    state.withLock { state in
      for name in state.committed where drops.contains(name) { state.removal.add(name) }
      state.committed.removeAll(where: drops.contains)
    }
    sweep()
  }

  /// Begins a read. Files released after this call stay until the caller passes the number to ``end(_:)``,
  /// because the rows it reads may name them.
  func begin() -> Int { state.withLock { $0.removal.begin() } }

  func end(_ number: Int) {
    if state.withLock({ $0.removal.end(number) }) { sweep() }
  }

  func use(_ name: ValueName) { state.withLock { $0.removal.use(name) } }

  func endUse(of name: ValueName) {
    if state.withLock({ $0.removal.endUse(of: name) }) { sweep() }
  }

  /// Removes every released file, whatever readers remain, because the store is closed.
  func removeAllReleased() {
    state.withLock { $0.removal.forgetHolders() }
    sweep()
  }

  /// The files that this process still needs, or will remove itself.
  var known: Set<ValueName> {
    state.withLock { state in
      state.removal.known.union(state.names.values).union(state.committed).union(state.dropped)
    }
  }

  private func sweep() {
    sweeping.withLock { _ in removeReleased() }
  }

  private func removeReleased() {
    let names = state.withLock { $0.removal.take() }
    guard !names.isEmpty else { return }
    // If another store has replaced this one, its rows may name the files. The removal waits, because the
    // store may come back.
    guard place.withLock({ $0 })?.isInPlace != false else {
      return state.withLock { state in for name in names { state.removal.add(name) } }
    }
    var failure: SystemFailure?
    for name in names {
      recent.withLock { $0.forget(name) }
      // The next removal tries a failed file again. After the process ends, ``UnusedFiles`` finds the file.
      do throws(SystemFailure) { try folder.remove(name) } catch {
        state.withLock { $0.removal.add(name) }
        failure = error
      }
    }
    guard let failure else { return upkeep.noteSuccess(of: .removingFiles) }
    upkeep.note(
      failure.error("An unused file of a large value cannot be removed from \(folder.path)."),
      of: .removingFiles)
  }
}
