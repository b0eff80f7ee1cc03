// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

/// The files of large values during a migration that switches external storage on or off, removes values, or runs code for rows.
///
/// Rules:
/// 1. A value above the threshold is in its file, on the disk, before the commit. One value at a time is in memory.
/// 2. A file that no row names any more is removed after the commit is on the disk.
/// 3. After a rollback, the files that the migration wrote are removed. After a commit that failed, another commit comes
///    first. A process that ends earlier leaves unnamed files; see ``UnusedFiles``.
final class LargeValueMigration: Sendable {
  private struct State {
    var written: [ValueName] = []
    var hasFolders = false
    /// The first failure of a file, which explains the failure of the statement.
    var failure: SystemFailure?
    /// The files that columns named which give values up.
    var named: Set<ValueName> = []
    var columns: ExternalColumns?
  }

  private let folder: ValueFolder
  private let state = Guarded(State())

  init(storePath: String) { folder = ValueFolder(ofStoreAt: SystemFile.absolute(storePath)) }

  // MARK: - Values

  /// The bytes that a column with external storage holds for a value.
  func stored(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) -> [UInt8] {
    guard bytes.count > RowPage.largeThreshold else { return unsafe [1] + Array(bytes) }
    let name = ValueName()
    do throws(SystemFailure) {
      if !state.withLock(\.hasFolders) {
        try folder.make()
        state.withLock { $0.hasFolders = true }
      }
      state.withLock { $0.written.append(name) }
      try folder.write(unsafe Data(bytes), as: name)
    } catch {
      state.withLock { $0.failure = $0.failure ?? error }
      throw error
    }
    return name.stored
  }

  /// The bytes that a column with external storage holds for a value.
  func stored(_ value: Data) throws(SystemFailure) -> [UInt8] {
    var answer = Result<[UInt8], SystemFailure>.success([])
    // A closure of Foundation's cannot throw an error of a type.
    unsafe value.withUnsafeBytes { bytes in
      do throws(SystemFailure) { answer = .success(try unsafe stored(bytes)) } catch {
        answer = .failure(error)
      }
    }
    return try answer.get()
  }

  /// The value that a column with external storage holds or names.
  func value(of stored: [UInt8]) throws(SystemFailure) -> Data {
    if stored.first == 1 { return Data(stored.dropFirst()) }
    guard unsafe stored.withUnsafeBytes({ unsafe ValueName.isMarked($0) }) else {
      return Data(stored)
    }
    guard let name = ValueName(stored: stored) else {
      throw SystemFailure("The column names no file", 0)
    }
    return try folder.contents(of: name)
  }

  /// Whether a column names a file that cannot be read into a row, because it is gone or too large.
  func isUnreadable(_ stored: UnsafeRawBufferPointer) -> Bool {
    guard unsafe ValueName.isMarked(stored) else { return false }
    guard let name = unsafe ValueName(stored: stored) else { return true }
    // A file whose size the system refuses to tell cannot be read, either.
    guard let size = try? folder.size(of: name) else { return true }
    return size > Self.largestInRow
  }

  /// SQLite's limit for a row, with room for the other values.
  private static let largestInRow = 900_000_000

  /// The error of a statement, or that of the file that made it fail.
  func cause(of error: StoreError) -> StoreError {
    guard let failure = state.withLock(\.failure) else { return error }
    return failure.error("A large value cannot be written to a file in \(folder.path).")
  }

  // MARK: - Steps

  /// Notes the files of the columns that give values up. The caller has begun the transaction.
  func begin(
    _ succession: RowSuccession, _ changes: [TableChange], reworking roots: Set<Int>,
    _ connection: Connection
  ) throws(StoreError) {
    let columns = ExternalColumns(succession, changes, reworking: roots)
    let names = try Self.names(in: columns.givenUp, connection)
    state.withLock { state in (state.columns, state.named) = (columns, names) }
  }

  /// Waits until the written files are on the disk, and keeps from removal what rows still name.
  func prepareCommit(_ connection: Connection) throws(StoreError) {
    if state.withLock({ !$0.written.isEmpty }) {
      do throws(SystemFailure) { try folder.sync() } catch {
        throw error.error("The folder of large values, \(folder.path), cannot be synced.")
      }
    }
    let (hasNames, columns) = state.withLock { state in
      if state.columns?.isReworking == true { state.named.formUnion(state.written) }
      return (!state.named.isEmpty, state.columns)
    }
    guard hasNames, let columns else { return }
    let kept = try Self.names(in: columns.receiving, connection)
    state.withLock { $0.named.subtract(kept) }
  }

  /// Removes the files that no row names. The commit is on the disk.
  func finish(_ connection: Connection) {
    // If another store has replaced this one, its rows may name the files.
    guard !connection.hasMoved else { return }
    remove(state.withLock { Array($0.named) })
  }

  /// Removes the files that the migration wrote, because it was rolled back.
  func undo() {
    remove(state.withLock { $0.written })
  }

  /// Removes the files that the migration wrote and that no row names, because its commit failed and another one follows.
  func undo(unnamedOn connection: Connection) throws(StoreError) {
    let written = state.withLock(\.written)
    remove(try UnusedFiles(folder: folder, connection: connection).among(written))
  }

  private func remove(_ names: [ValueName]) {
    for name in names {
      // A file that stays has no row, and takes room until ``UnusedFiles`` finds it.
      try? folder.remove(name)
    }
  }

  private static func names(
    in columns: [ExternalColumns.Column], _ connection: Connection
  ) throws(StoreError) -> Set<ValueName> {
    var names: Set<ValueName> = []
    for column in columns {
      let statement = try Statement(
        .values(ofLength: ValueName.storedCount, column: column.name, table: column.table),
        on: connection)
      defer { statement.finalize() }
      while try statement.step() {
        if let name = statement.value(0).blob.flatMap({ ValueName(stored: $0) }) {
          names.insert(name)
        }
      }
    }
    return names
  }
}

/// The columns with external storage whose values a migration touches.
private struct ExternalColumns: Sendable {
  struct Column: Sendable {
    let table: String
    let name: String
  }

  /// Columns of the older version that may give up values.
  let givenUp: [Column]
  /// Columns of the newer version that may have got their files.
  let receiving: [Column]
  /// Whether code may take away what the migration has just put into a file.
  let isReworking: Bool

  /// Code may set any value of the trees with the root entities.
  init(_ succession: RowSuccession, _ changes: [TableChange], reworking roots: Set<Int>) {
    let (old, new) = (succession.old, succession.new)
    let reworked = Set(
      succession.pieces.filter { roots.contains(new.layout.tables[$0.new].rootEntity) }.map(\.old))
    isReworking = !reworked.isEmpty
    let touched = old.tables.filter { place in
      guard !reworked.contains(place) else { return true }
      let table = old.table(place)
      let isKept = changes.contains { change in
        guard let piece = change.pieces.first, piece.old == place,
          case .altered(let alteration) = change.form, alteration.gone.isEmpty
        else { return false }
        return table.columns.allSatisfy { column in
          !column.isExternal
            || change.columns.contains { $0.content(piece) == .kept(column.name) }
        }
      }
      return !isKept && table.columns.contains(where: \.isExternal)
    }
    givenUp = touched.flatMap { Self.columns(old.table($0)) }
    let targets = Set(succession.pieces.filter { touched.contains($0.old) }.map(\.new))
    receiving = targets.sorted().flatMap { Self.columns(new.table($0)) }
  }

  private static func columns(_ table: StoreLayout.Table) -> [Column] {
    table.columns.filter(\.isExternal).map { Column(table: table.name, name: $0.name) }
  }
}
