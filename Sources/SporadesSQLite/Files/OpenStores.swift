// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Synchronization

/// The store files that this process has open.
enum OpenStores {
  /// One opening of a file.
  struct Mark: Equatable, Sendable {
    fileprivate let file: SystemFile.Identity
    /// Whether connections of the store may hold locks of the file.
    fileprivate let isLocked: Bool
  }

  /// By the path of the database, after links: looks whether the file of an open store is still there. If not, takes the log
  /// away from the path, and returns false if it cannot.
  private static let residents = Guarded<[String: [Int: @Sendable () -> Bool]]>([:])
  private static let lastResident = Atomic(0)

  /// The time during which a store has the file at a path open.
  final class Residence: Sendable {
    private let path: String
    private let number = lastResident.add(1, ordering: .relaxed).newValue

    /// The file is there, so its links can be followed.
    init(at path: String) { self.path = SystemFile.target(of: path) }

    deinit { end() }

    func begin(leavesRemoved: @escaping @Sendable () -> Bool) {
      residents.withLock { $0[path, default: [:]][number] = leavesRemoved }
    }

    func end() {
      residents.withLock { residents in
        residents[path]?[number] = nil
        if residents[path]?.isEmpty == true { residents[path] = nil }
      }
    }
  }

  /// Makes the path free of the logs of databases that were there before and that this process still has open. Locks do not
  /// keep stores of one process apart, so a new database would be damaged by the writes of the former one.
  static func evictRemoved(at path: String) throws(StoreError) {
    let residents = residents.withLock(\.self)
    // A program's first store need not look for the folder's links.
    guard !residents.isEmpty, let known = residents[resolved(path)] else { return }
    for leavesRemoved in known.values where !leavesRemoved() {
      throw StoreError(
        .moved,
        "The file that was at \(path) was removed, moved or replaced while a service of this process has it open, and "
          + "that one is reading from its log. Close that service before its file is removed.")
    }
  }

  /// The path without links, also of a file that is missing.
  private static func resolved(_ path: String) -> String {
    let target = SystemFile.target(of: path)
    guard target == path, let slash = path.lastIndex(of: "/") else { return target }
    return SystemFile.target(of: String(path[..<slash])) + path[slash...]
  }

  /// A mark stands here as often as its file is open.
  private static let marks = Guarded<[Mark]>([])

  /// Nil without a file.
  static func note(_ path: String?, isLocked: Bool) -> Mark? {
    guard let file = path.flatMap(SystemFile.identity) else { return nil }
    let mark = Mark(file: file, isLocked: isLocked)
    marks.withLock { $0.append(mark) }
    return mark
  }

  static func forget(_ mark: Mark?) {
    marks.withLock { marks in
      if let place = marks.lastIndex(where: { $0 == mark }) { marks.remove(at: place) }
    }
  }

  static func contains(_ path: String) -> Bool {
    guard let file = SystemFile.identity(path) else { return false }
    return marks.withLock { $0.contains { $0.file == file } }
  }

  /// Whether a store of this process may hold locks of the file.
  static func areLocking(_ path: String) -> Bool {
    unlessLocking(path) {} == nil
  }

  /// Runs `body`, or returns nil if a store of this process may hold locks of the file. No store begins to open a file
  /// meanwhile.
  static func unlessLocking<Output: Sendable>(_ path: String, _ body: () -> Output) -> Output? {
    let file = SystemFile.identity(path)
    return marks.withLock { marks in
      marks.contains { $0.file == file && $0.isLocked } ? nil : body()
    }
  }
}
