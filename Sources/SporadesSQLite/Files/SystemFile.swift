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

/// The few calls to the operating system that SQLite does not make.
///
/// No function here may open an existing database file. Closing any descriptor of a file releases all locks
/// that the process holds on it, including SQLite's (https://sqlite.org/howtocorrupt.html).
package enum SystemFile {
  /// The endings of the files that SQLite keeps beside a database.
  package static let sidecars = ["-wal", "-shm", "-journal"]
  /// The endings of the log and the journal, which may hold changes that the database lacks.
  static let logs = ["-wal", "-journal"]

  /// A log or a journal lies beside a database.
  static func hasLog(beside path: String) -> Bool { logs.contains { kind(path + $0) != .none } }

  /// The kind of entry at a path; `hidden` if the system refuses to tell.
  package enum Kind { case none, file, folder, other, hidden }

  /// A link counts as what it leads to, or as itself if `followsLinks` is false.
  package static func kind(_ path: String, followsLinks: Bool = true) -> Kind {
    var status = stat()
    let code = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
    guard code == 0 else {
      // No file can have a name that is too long.
      return [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno) ? .none : .hidden
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Nil if there is no file, or if the system refuses to tell.
  package static func size(_ path: String) -> Int? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// The device and number of a file. They identify the file under every path.
  package struct Identity: Hashable, Sendable {
    fileprivate let device: UInt64
    fileprivate let number: UInt64

    fileprivate init(_ numbers: sporades_identity) {
      device = numbers.device
      number = numbers.number
    }

    /// The file in Linux's list of locks: `fe:00:16296386`.
    var lockName: String {
      // As CSystem puts the two numbers of a device together.
      let (major, minor) = (device >> 32, device & UInt64(UInt32.max))
      return "\(Self.hexadecimal(major)):\(Self.hexadecimal(minor)):\(number)"
    }

    private static func hexadecimal(_ number: UInt64) -> String {
      number < 16 ? "0" + String(number, radix: 16) : String(number, radix: 16)
    }

    /// A byte offset that belongs to this file alone among the files of its folder.
    var place: off_t { off_t(number & UInt64(off_t.max >> 1)) }
  }

  static func identityAndSize(_ path: String) -> (identity: Identity, size: UInt64)? {
    var numbers = sporades_identity()
    // Passing the string itself would copy it first, and every commit calls this.
    let isKnown = unsafe path.withCString { unsafe sporades_identity_at($0, &numbers) }
    return isKnown ? (Identity(numbers), numbers.size) : nil
  }

  package static func identity(_ path: String) -> Identity? { identityAndSize(path)?.identity }

  static func identity(ofOpen descriptor: Int32) -> Identity? {
    var numbers = sporades_identity()
    return unsafe sporades_identity_of(descriptor, &numbers) ? Identity(numbers) : nil
  }

  /// The state of a file. Two equal stamps around a read show that nobody wrote the file during it.
  struct Stamp: Equatable, Sendable {
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

  /// Nil if the system refuses to tell. This call slows down the next write of the file, so no store in use
  /// is asked.
  static func stamp(_ path: String) -> Stamp? {
    var status = stat()
    guard let identity = identity(path), unsafe stat(path, &status) == 0 else { return nil }
    return Stamp(identity, status)
  }

  /// Replaces a file with another in one step; returns 0 or the error's number.
  static func move(_ path: String, to target: String) -> Int32 {
    unsafe rename(path, target) == 0 ? 0 : errno
  }

  /// Removes a database with the files beside it. A file that cannot be removed stays.
  static func removeDatabase(_ path: String) {
    for end in [""] + sidecars { remove(path + end) }
  }

  /// Gives a file another name, which nothing may have yet; returns 0 or the error's number.
  static func move(_ path: String, toNew target: String) -> Int32 {
    unsafe sporades_rename_new(path, target)
  }

  /// Whether the path leads to the system's empty device. As in Core Data, a store there is in memory.
  package static func isNullDevice(_ path: String) -> Bool {
    target(of: path) == "/dev/null"
  }

  static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }
  static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

  /// The folder in a file's path. The comparison uses bytes: a character would merge a slash with a following
  /// mark, and the system does not.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A path up to the last dot of its file's name, and the rest. The comparison uses bytes, too.
  static func parts(_ path: String) -> (stem: Substring, ending: Substring) {
    let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) }
    let name = path[(start ?? path.startIndex)...]
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return (path[...], "")
    }
    return (path[..<dot], path[dot...])
  }

  /// The file behind any links in the path; the path itself if the system refuses to tell. SQLite keeps the
  /// log beside this file.
  package static func target(of path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// The absolute path, which stays valid when the current folder changes.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let current = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(current) }
    return unsafe "\(String(cString: current))/\(path)"
  }

  /// Creates an empty file that only its owner can read; returns 0 or the error's number.
  static func create(_ path: String) -> Int32 {
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    return 0
  }

  /// Removes a file; returns 0 or the error's number. A missing file counts as removed.
  @discardableResult
  static func remove(_ path: String) -> Int32 {
    unsafe unlink(path) == 0 || errno == ENOENT ? 0 : errno
  }

  /// Creates a folder that only its owner can enter, with its missing parents, and waits until their names
  /// are on the disk; returns 0 or the error's number.
  package static func makeFolder(_ path: String) -> Int32 {
    if kind(path) == .folder { return 0 }
    let parent = folder(of: path)
    if parent != path, kind(parent) == .none {
      let error = makeFolder(parent)
      if error != 0 { return error }
    }
    // Another process may have created the folder at the same moment.
    guard unsafe mkdir(path, 0o700) == 0 || (errno == EEXIST && kind(path) == .folder) else {
      return errno
    }
    // A folder without read permission cannot be synced. The call succeeds all the same.
    return syncFolder(of: path) || !isReadable(parent) ? 0 : errno
  }

  package static func message(_ error: Int32) -> String { unsafe String(cString: strerror(error)) }

  package static var lastError: Int32 { errno }

  /// The error of a name that something has already.
  static var exists: Int32 { EEXIST }

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
