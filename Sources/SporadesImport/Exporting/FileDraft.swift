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

/// A file that is written under another name, and gets its own name when it is whole.
final class FileDraft {
  private let descriptor: Int32
  private let draft: String
  private let target: String
  private var isPlaced = false

  init(_ url: URL) throws(ExportError) {
    let resolved = url.resolvingSymlinksInPath()
    target = resolved.path
    // A leading point hides it.
    draft =
      resolved.deletingLastPathComponent()
      .appendingPathComponent(".sporades-\(UUID().uuidString)").path
    let folder = unsafe open(resolved.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder < 0 else {
      close(folder)
      throw ExportError(.file, "\(url.path) is a folder; name a file in it.")
    }
    descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw ExportError(
        .file, "\(url.path) could not be written (\(Self.reason)); check its folder.")
    }
  }

  deinit {
    close(descriptor)
    // Failure leaves a hidden file behind, which nothing reads.
    if !isPlaced { _ = unsafe unlink(draft) }
  }

  /// Writes all bytes behind those before.
  func write(_ bytes: [UInt8]) throws(ExportError) {
    var place = 0
    while place < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe sporadesWrite(descriptor, $0.baseAddress.map { unsafe $0 + place }, $0.count - place)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure()
      }
      place += count
    }
  }

  /// Syncs the file, and puts it in the place of the file with its name.
  func finish() throws(ExportError) {
    guard fsync(descriptor) == 0, unsafe rename(draft, target) == 0 else { throw failure() }
    isPlaced = true
  }

  private func failure() -> ExportError {
    ExportError(
      .file,
      "\(target) could not be written (\(Self.reason)); check its folder and the space on the disk. What was there before is unchanged."
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
