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

/// An open file or folder, closed when its last reference goes.
///
/// Each method opens an entry of the folder by a single name and follows no links. Another user with write
/// permission in the folder therefore cannot redirect a store elsewhere.
struct Descriptor: ~Copyable {
  private let number: Int32

  private init(_ number: Int32, _ call: String) throws(SystemFailure) {
    guard number >= 0 else { throw SystemFailure(call) }
    self.number = number
  }

  // The result of `close` does not matter, because every write is synced before.
  deinit { close(number) }

  /// Opens the folder at a path. The path may contain links, because the caller chose it.
  init(folder path: String) throws(SystemFailure) {
    try self.init(
      Self.again { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }, "open")
  }

  func folder(_ name: String) throws(SystemFailure) -> Descriptor {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    return try Descriptor(Self.again { unsafe openat(number, name, flags) }, "openat")
  }

  #if canImport(Darwin)
    private static let noFile = EFTYPE
  #else
    // Linux has no constant for it.
    private static let noFile = EINVAL
  #endif

  /// Opens a file for reading. It refuses anything but a regular file, and does not block on a pipe.
  func file(_ name: String) throws(SystemFailure) -> Descriptor {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let file = try Descriptor(Self.again { unsafe openat(number, name, flags) }, "openat")
    guard try file.status().st_mode & S_IFMT == S_IFREG else {
      throw SystemFailure("openat", Self.noFile)
    }
    return file
  }

  /// Creates a file for writing that only its owner can read.
  func makeFile(_ name: String) throws(SystemFailure) -> Descriptor {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    return try Descriptor(Self.again { unsafe openat(number, name, flags, 0o600) }, "openat")
  }

  /// Creates a folder that only its owner can enter, unless it exists.
  func makeFolder(_ name: String) throws(SystemFailure) {
    guard unsafe mkdirat(number, name, 0o700) == 0 || errno == EEXIST else {
      throw SystemFailure("mkdirat")
    }
  }

  /// Removes a file. A missing file is no error.
  func remove(_ name: String) throws(SystemFailure) {
    guard unsafe unlinkat(number, name, 0) == 0 || errno == ENOENT else {
      throw SystemFailure("unlinkat")
    }
  }

  /// Removes an empty folder; false if the folder is not empty.
  func removeFolder(_ name: String) throws(SystemFailure) -> Bool {
    if unsafe unlinkat(number, name, AT_REMOVEDIR) == 0 || errno == ENOENT { return true }
    guard errno == ENOTEMPTY || errno == EEXIST else { throw SystemFailure("unlinkat") }
    return false
  }

  /// Waits until the file, or the folder's list of names, is on the disk.
  func sync() throws(SystemFailure) {
    #if canImport(Darwin)
      guard Self.again({ fcntl(number, F_FULLFSYNC) }) == 0 else { throw SystemFailure("fcntl") }
    #else
      guard Self.again({ fsync(number) }) == 0 else { throw SystemFailure("fsync") }
    #endif
  }

  func size() throws(SystemFailure) -> Int { Int(try status().st_size) }

  private func status() throws(SystemFailure) -> stat {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { throw SystemFailure("fstat") }
    return status
  }

  /// The names of the folder's entries, without `.` and `..`.
  func names() throws(SystemFailure) -> [String] {
    let own = Self.again { unsafe openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard own >= 0 else { throw SystemFailure("openat") }
    guard let list = unsafe fdopendir(own) else {
      defer { close(own) }
      throw SystemFailure("fdopendir")
    }
    defer { unsafe closedir(list) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(list) else {
        guard errno == 0 else { throw SystemFailure("readdir") }
        return names
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { start in
        unsafe start.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
          unsafe String(cString: $0)
        }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  // MARK: - Bytes

  /// Fills memory from the current position in the file, and returns the number of bytes read.
  func read(into memory: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int {
    var done = 0
    while done < memory.count {
      let count = Self.again {
        unsafe SystemFile.read(number, memory.baseAddress! + done, memory.count - done)
      }
      guard count >= 0 else { throw SystemFailure("read") }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Reads the whole file.
  func contents() throws(SystemFailure) -> Data {
    let size = try size()
    guard size > 0 else { return Data() }
    guard let memory = unsafe malloc(size) else { throw SystemFailure("malloc") }
    var owned = unsafe Data(bytesNoCopy: memory, count: size, deallocator: .free)
    let count = unsafe try read(into: UnsafeMutableRawBufferPointer(start: memory, count: size))
    // A value's file never changes after its name is known, so a short read is a failure.
    guard count == size else { throw SystemFailure("read", EIO) }
    if owned.count != size { owned = Data() }
    return owned
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    var done = 0
    while done < bytes.count {
      let count = Self.again {
        unsafe SystemFile.write(number, bytes.baseAddress! + done, bytes.count - done)
      }
      guard count > 0 else { throw SystemFailure("write", count == 0 ? ENOSPC : errno) }
      done += count
    }
  }

  /// Repeats a call after a signal has interrupted it.
  private static func again<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
      let answer = call()
      guard answer == -1, errno == EINTR else { return answer }
    }
  }
}
