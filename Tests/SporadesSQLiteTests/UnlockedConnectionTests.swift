// SPDX-License-Identifier: MIT
import CSQLite
import Foundation
import SporadesCare
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesXcode
import Testing

#if os(Linux)
  import Glibc

  /// A store that is read without locks drops no lock of another store of the process. The system would drop all locks
  /// of a process on a file with any descriptor of the file, so the descriptors stay open.
  @Suite struct UnlockedConnectionTests {
    @Test func aConnectionWithoutLocksStaysOpenBesideAStoreThatLocks() throws {
      let url = try makeStoreWithLog()
      let reader = try SQLiteStore(openingStoreAt: url)
      #expect(reader.isReadOnly)
      #expect(try !isLocked(url))
      let writer = try SQLiteStore(url: url, model: Sample.model)
      #expect(try isLocked(url))
      let before = try descriptors(of: url)
      try reader.close()
      #expect(try descriptors(of: url) == before)
      #expect(try isLocked(url))
      try addTag(writer)
      try writer.close()
    }

    @Test func theSecondReaderLeavesTheLocksAlone() throws {
      let url = try makeStoreWithLog()
      let (first, second) = (
        try SQLiteStore(openingStoreAt: url), try SQLiteStore(openingStoreAt: url)
      )
      let writer = try SQLiteStore(url: url, model: Sample.model)
      try first.close()
      #expect(try isLocked(url))
      try second.close()
      #expect(try isLocked(url))
      try addTag(writer)
      try writer.close()
    }

    @Test func aConnectionWithoutLocksIsClosedWhereNobodyLocks() throws {
      let url = try makeStoreWithLog()
      let before = try descriptors(of: url)
      let reader = try SQLiteStore(openingStoreAt: url)
      let writer = try SQLiteStore(url: url, model: Sample.model)
      try writer.close()
      try reader.close()
      #expect(try descriptors(of: url) == before)
    }

    // MARK: - Support

    private func addTag(_ store: SQLiteStore) throws {
      try store.execute(
        ChangeSet(inserted: [Sample.page("Tag", [(key: 1, values: ["title": "small"])])]))
      try store.commit(.immediate)
      #expect(try store.integrityProblems() == [])
    }

    /// A store without a model, with a log that its process did not move into the file, and without an index of the log.
    private func makeStoreWithLog() throws -> URL {
      let url = URL(fileURLWithPath: Sample.temporaryPath())
      try SQLiteStore(url: url, model: Sample.model).close()
      let database = unsafe try StoreFixture.database(url.path)
      unsafe try SQLRows.run(
        database, "PRAGMA journal_mode = WAL; DROP TABLE Z_MODELCACHE")
      let log = try Data(contentsOf: URL(fileURLWithPath: url.path + "-wal"))
      let file = try Data(contentsOf: url)
      unsafe sqlite3_close(database)
      // Another file has no locks from before.
      try FileManager.default.removeItem(at: url)
      try file.write(to: url)
      try log.write(to: URL(fileURLWithPath: url.path + "-wal"))
      return url
    }

    private func descriptors(of url: URL) throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
        // One that was closed since it was listed leads nowhere.
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
          == url.path
      }
    }

    /// Whether the process has a lock on the file. A lock of an open file meets the locks of its own process, too.
    private func isLocked(_ url: URL) throws -> Bool {
      let descriptor = unsafe open(url.path, O_RDWR | O_CLOEXEC)
      try #require(descriptor >= 0)
      // The descriptor stays open, because its end would drop the locks that are asked for.
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      // The number of the system's question about such locks.
      try #require(unsafe fcntl(descriptor, 36, &lock) == 0)
      return lock.l_type != Int16(F_UNLCK)
    }
  }
#endif
