// SPDX-License-Identifier: MIT
import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#else
  import Darwin
#endif

/// The processes that hold locks on a file, for errors.
///
/// Linux lists all locks in `/proc/locks`. To ask for a lock of one file instead, the file would have to be opened, and closing it
/// again would release SQLite's own locks. Elsewhere, and for processes that the system hides, nobody is found.
struct LockHolders {
  private let processes: [Int32]

  /// The holders of locks on a file; with `writeLock`, those of SQLite's lock for writing alone.
  init(of path: String, writeLock: Bool = false) {
    let parts = writeLock ? Self.writeLocks(path) : [(path, nil)]
    var found: [Int32] = []
    for line in Self.lines {
      let fields = line.split(separator: " ", omittingEmptySubsequences: true)
      // `1: POSIX ADVISORY WRITE 5450 fe:00:16296386 1073741824 1073742335`, and `->` in the second place of a lock that waits.
      guard fields.count == 8, fields[1] == "POSIX", let process = Int32(fields[4]), process > 0,
        parts.contains(where: { Self.isMeant(fields, $0.0, $0.1) }), !found.contains(process)
      else { continue }
      found.append(process)
    }
    processes = found
  }

  /// `process 71 (shop)`; nil if nobody but this process is found.
  var others: String? {
    let names = processes.filter { $0 != getpid() }.sorted().map { process in
      Self.text(of: "/proc/\(process)/comm").map { name in
        "\(process) (\(name.prefix { $0 != "\n" }))"
      } ?? "\(process)"
    }
    guard let first = names.first else { return nil }
    return names.count == 1 ? "process \(first)" : "the processes \(names.joined(separator: ", "))"
  }

  /// Whether this process holds a lock.
  var includesThisProcess: Bool { processes.contains(getpid()) }

  // MARK: - Locks

  /// The bytes that SQLite locks to write: one of the index of the log, and one of the database.
  private static func writeLocks(_ path: String) -> [(String, Int64?)] {
    [(path + "-shm", 120), (path, 0x4000_0001)]
  }

  private static func isMeant(_ fields: [Substring], _ path: String, _ byte: Int64?) -> Bool {
    guard let name = SystemFile.identity(path)?.lockName, fields[5] == name else { return false }
    guard let byte else { return true }
    guard fields[3] == "WRITE", let start = Int64(fields[6]) else { return false }
    return start <= byte && Int64(fields[7]).map { byte <= $0 } ?? true
  }

  private static var lines: [Substring] {
    text(of: "/proc/locks")?.split(separator: "\n") ?? []
  }

  /// `try?`, because an error without a name is still an error that says what to do.
  private static func text(of path: String) -> String? {
    (try? Data(contentsOf: URL(fileURLWithPath: path))).map { String(decoding: $0, as: UTF8.self) }
  }
}
