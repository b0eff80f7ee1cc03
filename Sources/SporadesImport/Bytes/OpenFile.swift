// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#else
  import Darwin
#endif

/// A file that is open for reading until nobody holds it.
final class OpenFile: Sendable {
  private let descriptor: Int32
  private let path: String
  /// The number of bytes of the file; nil for a pipe or a device.
  let size: Int?

  init(_ url: URL) throws(ImportError) {
    path = url.path
    let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw Self.failure("opened", path) }
    var status = stat()
    guard unsafe fstat(opened, &status) == 0 else {
      let failure = Self.failure("read", path)
      close(opened)
      throw failure
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      close(opened)
      throw ImportError(.file, "\(path) is a folder; name a file.")
    }
    descriptor = opened
    size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
  }

  deinit { close(descriptor) }

  /// Reads bytes into the buffer, and returns their number; 0 at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    while true {
      let count = unsafe sporadesRead(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw Self.failure("read", path) }
    }
  }

  private static func failure(_ verb: String, _ path: String) -> ImportError {
    let reason = unsafe String(cString: strerror(errno))
    return ImportError(
      .file, "\(path) could not be \(verb) (\(reason)); check the path and its permissions.")
  }
}

/// The system's `read`, whose name the class has, too.
private func sporadesRead(
  _ descriptor: Int32, _ start: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
  unsafe read(descriptor, start, count)
}
