// SPDX-License-Identifier: MIT
import CSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#else
  import Darwin
#endif

/// The few calls to the operating system that SQLite does not make for us.
///
/// No call here may open a database file that exists: closing any descriptor of a file gives up
/// all locks the process holds on it, SQLite's included (https://sqlite.org/howtocorrupt.html).
package enum SystemFile {
  /// What lies at a path; `hidden` where the system does not say.
  enum Kind { case none, file, folder, other, hidden }

  static func kind(_ path: String) -> Kind {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      return errno == ENOENT || errno == ENOTDIR ? .none : .hidden
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Nil where there is no file, or the system does not say.
  static func size(_ path: String) -> Int? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// What tells a file from all others, by whatever path it is reached.
  struct Identity: Hashable, Sendable {
    fileprivate let device: UInt64
    fileprivate let number: UInt64

    fileprivate init(_ numbers: sporades_identity) {
      device = numbers.device
      number = numbers.number
    }

    /// A place in a file of any size that is this file's alone among those of its folder.
    var place: off_t { off_t(number & UInt64(off_t.max >> 1)) }
  }

  static func identity(_ path: String) -> Identity? {
    var numbers = sporades_identity()
    // A string that is passed as it is would be copied first, and each commit asks this.
    let isKnown = unsafe path.withCString { unsafe sporades_identity_at($0, &numbers) }
    return isKnown ? Identity(numbers) : nil
  }

  static func identity(ofOpen descriptor: Int32) -> Identity? {
    var numbers = sporades_identity()
    return unsafe sporades_identity_of(descriptor, &numbers) ? Identity(numbers) : nil
  }

  /// Two equal stamps, the second taken after a file was read, say that nobody wrote it meanwhile.
  struct Stamp: Equatable {
    private let identity: Identity
    private let size: Int64
    private let seconds: Int64
    private let nanoseconds: Int64

    fileprivate init(_ identity: Identity, _ status: stat) {
      self.identity = identity
      size = Int64(status.st_size)
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      seconds = Int64(time.tv_sec)
      nanoseconds = Int64(time.tv_nsec)
    }
  }

  /// Nil where the system does not tell. The question makes the next write of the file slower, so none is
  /// asked about a store in use.
  static func stamp(_ path: String) -> Stamp? {
    var status = stat()
    guard let identity = identity(path), unsafe stat(path, &status) == 0 else { return nil }
    return Stamp(identity, status)
  }

  /// Puts a file into the place of another, at once; returns 0 or the error's number.
  static func move(_ path: String, to target: String) -> Int32 {
    unsafe rename(path, target) == 0 ? 0 : errno
  }

  static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }
  static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

  /// The folder a file lies in, as the path has it. Bytes are compared, because to the system a slash
  /// is one whatever follows it.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The file that a path leads to through links; the path itself where the system does not tell. SQLite
  /// keeps a log beside this file.
  static func target(of path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// The path from the root, whatever folder is the current one later.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let current = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(current) }
    return unsafe "\(String(cString: current))/\(path)"
  }

  /// Makes an empty file only its owner can read; returns 0 or the error's number.
  static func create(_ path: String) -> Int32 {
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    return 0
  }

  /// Removes a file; returns 0, also where there is none, or the error's number.
  @discardableResult
  static func remove(_ path: String) -> Int32 {
    unsafe unlink(path) == 0 || errno == ENOENT ? 0 : errno
  }

  /// Makes a folder only its owner can enter, and those it lies in where there are none, and waits until
  /// their names are on the disk; returns 0 or the error's number.
  package static func makeFolder(_ path: String) -> Int32 {
    if kind(path) == .folder { return 0 }
    let parent = folder(of: path)
    if parent != path, kind(parent) == .none {
      let error = makeFolder(parent)
      if error != 0 { return error }
    }
    // Another process may have made it meanwhile.
    guard unsafe mkdir(path, 0o700) == 0 || (errno == EEXIST && kind(path) == .folder) else {
      return errno
    }
    // A folder that may not be read cannot be synced, and needs no refusal.
    return syncFolder(of: path) || !isReadable(parent) ? 0 : errno
  }

  package static func message(_ error: Int32) -> String { unsafe String(cString: strerror(error)) }

  static var lastError: Int32 { errno }

  static func read(
    _ descriptor: Int32, _ start: UnsafeMutableRawPointer, _ count: Int
  ) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.read(descriptor, start, count)
    #elseif canImport(Musl)
      unsafe Musl.read(descriptor, start, count)
    #elseif canImport(Bionic)
      unsafe Bionic.read(descriptor, start, count)
    #else
      unsafe Darwin.read(descriptor, start, count)
    #endif
  }

  static func write(
    _ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int
  ) -> Int {
    #if canImport(Glibc)
      unsafe Glibc.write(descriptor, start, count)
    #elseif canImport(Musl)
      unsafe Musl.write(descriptor, start, count)
    #elseif canImport(Bionic)
      unsafe Bionic.write(descriptor, start, count)
    #else
      unsafe Darwin.write(descriptor, start, count)
    #endif
  }

  static func syncFolder(of path: String) -> Bool {
    let descriptor = unsafe open(folder(of: path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }

  static func openForSync(_ path: String) -> Int32 { unsafe open(path, O_RDONLY | O_CLOEXEC) }

  static func sync(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      fcntl(descriptor, F_FULLFSYNC) == 0
    #else
      fdatasync(descriptor) == 0
    #endif
  }

  static func shut(_ descriptor: Int32) { close(descriptor) }
}
