// SPDX-License-Identifier: MIT
import SporadesModel

/// The store files that this process has open.
enum OpenStores {
  private static let counts = Guarded<[SystemFile.Identity: Int]>([:])

  static func note(_ path: String?) -> SystemFile.Identity? {
    guard let file = path.flatMap(SystemFile.identity) else { return nil }
    counts.withLock { $0[file, default: 0] += 1 }
    return file
  }

  static func forget(_ file: SystemFile.Identity?) {
    guard let file else { return }
    counts.withLock { counts in
      let left = counts[file, default: 1] - 1
      counts[file] = left > 0 ? left : nil
    }
  }

  static func contains(_ path: String) -> Bool {
    guard let file = SystemFile.identity(path) else { return false }
    return counts.withLock { $0[file] != nil }
  }
}
