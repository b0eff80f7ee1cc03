// SPDX-License-Identifier: MIT
import SporadesModel

/// The store files that this process has open.
enum OpenStores {
  /// A file stands here as often as it is open.
  private static let files = Guarded<[SystemFile.Identity]>([])

  static func note(_ path: String?) -> SystemFile.Identity? {
    guard let file = path.flatMap(SystemFile.identity) else { return nil }
    files.withLock { $0.append(file) }
    return file
  }

  static func forget(_ file: SystemFile.Identity?) {
    files.withLock { files in
      if let place = files.lastIndex(where: { $0 == file }) { files.remove(at: place) }
    }
  }

  static func contains(_ path: String) -> Bool {
    guard let file = SystemFile.identity(path) else { return false }
    return files.withLock { $0.contains { $0 == file } }
  }
}
