// SPDX-License-Identifier: MIT
import SporadesModel

/// The store files that this process has open.
enum OpenStores {
  /// A file stands here as often as it is open.
  private static let files = Guarded<[(file: SystemFile.Identity, isLocked: Bool)]>([])

  /// `isLocked` tells whether connections of the store may hold locks of the file.
  static func note(_ path: String?, isLocked: Bool) -> SystemFile.Identity? {
    guard let file = path.flatMap(SystemFile.identity) else { return nil }
    files.withLock { $0.append((file, isLocked)) }
    return file
  }

  static func forget(_ file: SystemFile.Identity?) {
    files.withLock { files in
      if let place = files.lastIndex(where: { $0.file == file }) { files.remove(at: place) }
    }
  }

  static func contains(_ path: String) -> Bool {
    guard let file = SystemFile.identity(path) else { return false }
    return files.withLock { $0.contains { $0.file == file } }
  }

  /// Whether a store of this process may hold locks of the file.
  static func areLocking(_ path: String) -> Bool {
    guard let file = SystemFile.identity(path) else { return false }
    return files.withLock { $0.contains { $0.file == file && $0.isLocked } }
  }
}
