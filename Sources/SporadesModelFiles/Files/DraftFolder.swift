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

/// A hidden folder, beside the place of what is written, that holds it until it is whole.
///
/// The process locks the folder as long as it writes. So a folder that nobody has locked was left by a process that was
/// killed, and the next one that writes there removes it.
final class DraftFolder {
  let url: URL
  private let descriptor: Int32
  /// A leading point hides it, and without a model's ending nothing reads it.
  private static let prefix = ".sporades-model-"
  /// More than other writers can meet by chance.
  private static let attempts = 20

  init(in folder: URL) throws(WritingFailure) {
    Self.removeAbandoned(in: folder)
    for _ in 0..<Self.attempts {
      let url = folder.appendingPathComponent("\(Self.prefix)\(UUID().uuidString)")
      guard unsafe mkdir(url.path, 0o700) == 0 else { throw WritingFailure(errno) }
      guard let descriptor = Self.open(url) else {
        // Another writer has taken the folder for an abandoned one, before this one had locked it.
        if errno == ENOENT { continue }
        let failure = WritingFailure(errno)
        Self.remove(url)
        throw failure
      }
      // A file system without locks keeps the folders of killed processes.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK {
        var status = stat()
        if unsafe fstat(descriptor, &status) == 0, status.st_nlink > 0 {
          (self.url, self.descriptor) = (url, descriptor)
          return
        }
      }
      close(descriptor)
    }
    throw WritingFailure(EAGAIN)
  }

  deinit {
    Self.remove(url)
    close(descriptor)
  }

  private static func open(_ url: URL) -> Int32? {
    let descriptor = sporadesOpen(url.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    return descriptor < 0 ? nil : descriptor
  }

  private static func removeAbandoned(in folder: URL) {
    // `try?`, because a folder that cannot be read may still take a file.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let url = folder.appendingPathComponent(name)
      guard let descriptor = open(url) else { continue }
      // One that another writer holds stays.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(url) }
      close(descriptor)
    }
  }

  private static func remove(_ url: URL) {
    // `try?`, because a folder that stays is hidden and harmless, and the next writer removes it.
    try? FileManager.default.removeItem(at: url)
  }
}

/// The system's `open`, whose name the class has, too.
private func sporadesOpen(_ path: String, _ flags: Int32) -> Int32 {
  unsafe open(path, flags)
}
