// SPDX-License-Identifier: MIT
import CSystem
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

/// A file that is written under another name, and gets its own name when it is whole. Its owner alone may read it.
///
/// The process locks a draft as long as it writes it. So a draft that nobody has locked was left by a process that was
/// killed, and the next export into the folder removes it.
final class FileDraft {
  private let descriptor: Int32
  private let draft: String
  private let target: String
  private var isPlaced = false
  /// A leading point hides drafts.
  private static let prefix = ".sporades-export-"
  /// More than other exports can meet by chance.
  private static let attempts = 20

  init(_ url: URL) throws(ExportError) {
    let resolved = url.resolvingSymlinksInPath()
    target = resolved.path
    let folder = unsafe open(resolved.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder < 0 else {
      close(folder)
      throw ExportError(.file, "\(url.path) is a folder; name a file in it.")
    }
    Self.removeAbandoned(in: resolved.deletingLastPathComponent())
    guard let (descriptor, draft) = Self.make(in: resolved.deletingLastPathComponent()) else {
      throw ExportError(
        .file, "\(url.path) could not be written (\(Self.reason)); check its folder.")
    }
    (self.descriptor, self.draft) = (descriptor, draft)
  }

  /// Makes a locked file; nil, and a reason in `errno`, if the system makes none.
  private static func make(in folder: URL) -> (Int32, String)? {
    for _ in 0..<attempts {
      let draft = folder.appendingPathComponent("\(prefix)\(UUID().uuidString)").path
      let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return nil }
      // A file system without locks keeps the drafts of killed processes.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK {
        var status = stat()
        if unsafe fstat(descriptor, &status) == 0, status.st_nlink > 0 {
          return (descriptor, draft)
        }
      }
      // Another export has taken the file for an abandoned one, before this one had locked it, and removes it. If it has
      // not yet, the name goes here; if it has, there is nothing to remove.
      _ = unsafe unlink(draft)
      close(descriptor)
    }
    errno = EAGAIN
    return nil
  }

  /// Removes drafts whose processes were killed.
  private static func removeAbandoned(in folder: URL) {
    // `try?`, because a folder that can not be read may still take a file.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = folder.appendingPathComponent(name).path
      let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      // One that another owner has left stays.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { _ = unsafe unlink(path) }
      close(descriptor)
    }
  }

  deinit {
    // Failure leaves a hidden file behind, which the next export removes.
    if !isPlaced { _ = unsafe unlink(draft) }
    close(descriptor)
  }

  /// Writes all bytes behind those before.
  func write(_ bytes: [UInt8]) throws(ExportError) {
    var place = 0
    while place < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe sporadesWrite(descriptor, $0.baseAddress.map { unsafe $0 + place }, $0.count - place)
      }
      if count < 0, errno == EINTR { continue }
      // A call that writes nothing would be repeated for ever.
      guard count > 0 else { throw count < 0 ? failure() : failure("the system took no byte") }
      place += count
    }
  }

  /// Syncs the file, puts it in the place of the file with its name, and syncs the name.
  func finish() throws(ExportError) {
    guard fsync(descriptor) == 0, unsafe rename(draft, target) == 0 else { throw failure() }
    isPlaced = true
    let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
    let error = unsafe sporades_sync(folder)
    // Some file systems sync no folders, and a folder that can not be read can not be synced.
    guard [0, EINVAL, EACCES].contains(error) else {
      throw ExportError(
        .file,
        "\(target) is written, but the disk did not take its new name (\(unsafe String(cString: strerror(error)))); after a "
          + "loss of power the former file may lie there. Check the disk, and export again.")
    }
  }

  private func failure(_ reason: String = FileDraft.reason) -> ExportError {
    ExportError(
      .file,
      "\(target) could not be written (\(reason)); check its folder and the space on the disk. What was there before is unchanged."
    )
  }

  private static var reason: String { unsafe String(cString: strerror(errno)) }
}

/// The system's `write`, whose name the class has, too.
private func sporadesWrite(
  _ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int
) -> Int {
  unsafe write(descriptor, start, count)
}
