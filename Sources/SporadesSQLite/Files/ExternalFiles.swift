// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesStore

/// Large values in files of their own beside the store.
///
/// Rules:
/// 1. A file, its name and its folders are on the disk before the commit of the row that names it.
/// 2. A file goes when the commit that dropped it is on the disk, and nobody in this process can read
///    it any more. What ends before leaves files that no row names; see ``UnusedFiles``.
/// 3. A change set that is executed again, because SQLite gave up its transaction or its first attempt
///    met a unique value, names the files that it wrote before.
final class ExternalFiles: Sendable {
  let folder: ValueFolder
  private let state = Guarded(State())
  private let recent = Guarded(RecentValues())
  /// Where the store was opened; nil before.
  let place = Guarded<StorePlace?>(nil)
  /// The object whose row names a file no more, asked where the file is missing; nil before the store
  /// is open.
  let movedOn =
    Guarded<(@Sendable (ValueName, ColumnPlace) throws(StoreError) -> ManagedObjectID?)?>(nil)

  /// A slot of a change set's row.
  struct Place: Hashable {
    /// Held, so that no other page comes to lie at its address.
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
    /// The files written for change sets that are accepted.
    var names: [Place: ValueName] = [:]
    /// Those named by rows of the open transaction, and the names its rows had and have no more.
    var written: [Place] = []
    var dropped: [ValueName] = []
    var hasFolders = false
    var hasUnsyncedNames = false
    /// Dropped by commits that may not be on the disk.
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
      return failure.error("The file of \(place) can not be read.")
    }
    do throws(StoreError) {
      if let id = try movedOn.withLock({ $0 })?(name, place) {
        return StoreError(
          .conflict([id]),
          "Another process changed \(place) since it was read, and its former value is gone. Refresh "
            + "the object.", underlying: failure)
      }
    } catch {
      // Where the row can not be read for another reason, the missing file is what there is to say.
      if error.code == .moved { return error }
    }
    return StoreError(
      .corrupt,
      "The file of \(place) is missing from \(folder.path). Restore it from a copy of the store, or "
        + "set the property anew.", underlying: failure)
  }

  // MARK: - The open transaction

  /// Writes a value into a file, unless the same place of the change set has one, and returns its name.
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
        // Somebody removed the folders since they were made.
        state.withLock { $0.hasFolders = false }
        try write(data, as: name)
      }
    } catch {
      throw error.error("A large value can not be written to a file in \(folder.path).")
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

  /// A transaction that was lost held no lock any more, and others may have removed what no row named.
  private func isThere(_ name: ValueName) -> Bool {
    do throws(SystemFailure) {
      _ = try folder.size(of: name)
      return true
    } catch { return false }
  }

  /// Notes a file whose row is deleted or has another value; it goes when that is on the disk.
  func drop(_ name: ValueName) { state.withLock { $0.dropped.append(name) } }

  /// How far the open transaction has come: a place to go back to.
  var mark: Mark {
    state.withLock { Mark(written: $0.written.count, dropped: $0.dropped.count) }
  }

  struct Mark {
    let written: Int
    let dropped: Int
  }

  /// Removes the files written after a mark, which no row names, and keeps those dropped since.
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

  /// All accepted change sets are about to be executed again.
  func beginAgain() {
    let released = state.withLock { state in
      let places = state.written
      (state.written, state.dropped) = ([], [])
      return places
    }
    outsideLock(released)
  }

  /// All accepted change sets are executed again: what was given up has files that no row names.
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

  /// Returns when the names of all files written so far are on the disk.
  func sync() throws(StoreError) {
    guard state.withLock({ $0.hasUnsyncedNames }) else { return }
    do throws(SystemFailure) { try folder.sync() } catch {
      throw error.error("The folder of large values, \(folder.path), can not be synced.")
    }
    state.withLock { $0.hasUnsyncedNames = false }
  }

  /// The open transaction was committed.
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

  /// Keeps places alive up to here. The last reference to a page releases its values, and a value in a
  /// file then calls ``letGo(of:)``, which takes the lock again.
  private func outsideLock(_ released: [Place]) { withExtendedLifetime(released) {} }

  // MARK: - Files that no row names

  var hasDrops: Bool { state.withLock { !$0.committed.isEmpty } }

  /// The files dropped by commits so far, which the caller gives to ``release(_:)`` once these commits
  /// are on the disk, or else to ``keep(_:)``.
  func takeDrops() -> [ValueName] {
    state.withLock { state in
      defer { state.committed = [] }
      return state.committed
    }
  }

  func keep(_ drops: [ValueName]) { state.withLock { $0.committed += drops } }

  func release(_ drops: [ValueName]) {
    state.withLock { state in for name in drops { state.removal.add(name) } }
    sweep()
  }

  /// Files that are released from now on stay until the number is given to ``end(_:)``: somebody reads
  /// rows, and what they name.
  func begin() -> Int { state.withLock { $0.removal.begin() } }

  func end(_ number: Int) {
    if state.withLock({ $0.removal.end(number) }) { sweep() }
  }

  func use(_ name: ValueName) { state.withLock { $0.removal.use(name) } }

  func letGo(of name: ValueName) {
    if state.withLock({ $0.removal.letGo(of: name) }) { sweep() }
  }

  /// Removes what may go, whoever holds it: the store is closed.
  func removeAllReleased() {
    state.withLock { $0.removal.forgetHolders() }
    sweep()
  }

  /// The files that this process still needs, or is about to remove itself.
  var known: Set<ValueName> {
    state.withLock { state in
      state.removal.known.union(state.names.values).union(state.committed).union(state.dropped)
    }
  }

  private func sweep() {
    let names = state.withLock { $0.removal.take() }
    guard !names.isEmpty else { return }
    // Rows of a store that was put into the place of this one may name them. The store may come back.
    guard place.withLock({ $0 })?.isInPlace != false else {
      return state.withLock { state in for name in names { state.removal.add(name) } }
    }
    var failure: SystemFailure?
    for name in names {
      recent.withLock { $0.forget(name) }
      // A file that can not be removed is tried again with the next, and else is one that no row
      // names when the store is opened after an end that was not its closing, or is asked.
      do throws(SystemFailure) { try folder.remove(name) } catch {
        state.withLock { $0.removal.add(name) }
        failure = error
      }
    }
    guard let failure else { return upkeep.noteSuccess(of: .removingFiles) }
    upkeep.note(
      failure.error("A file that no row names can not be removed from \(folder.path)."),
      of: .removingFiles)
  }
}
