// SPDX-License-Identifier: MIT
import SporadesModel

/// The store files that this process has open.
enum OpenStores {
  /// One opening of a file.
  struct Mark: Equatable, Sendable {
    fileprivate let file: SystemFile.Identity
    /// Whether connections of the store may hold locks of the file.
    fileprivate let isLocked: Bool
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
