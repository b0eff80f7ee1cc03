// SPDX-License-Identifier: MIT
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Bionic)
  import Bionic
#else
  import Darwin
#endif

/// Informs the other processes that use a store: a connection waits for its turn to write, or migrates the store.
///
/// The sign is a read lock on one byte of the store's *folder*. The byte's offset is the number of the
/// database file. The sign creates no file, and the system removes it when the process ends. It opens no
/// descriptor of the store's own files, because closing one would release SQLite's locks. On a system without
/// such locks, no writer sees the sign, and only the random length of the naps helps.
final class WaitingSign: Sendable {
  private let descriptor: Int32
  private let place: off_t

  enum Meaning {
    /// A connection waits for its turn to write.
    case waiting
    /// A connection migrates the store, or waits for it.
    case migrating
  }

  /// Nil if the folder cannot be opened because of permissions or a lack of descriptors.
  init?(for path: String, _ meaning: Meaning = .waiting) {
    guard Self.isKnownHere, let file = SystemFile.identity(path) else { return nil }
    descriptor = SystemFile.openForSync(SystemFile.folder(of: path))
    guard descriptor >= 0 else { return nil }
    // The two signs of a file are far apart. The numbers of files are much smaller.
    place = meaning == .waiting ? file.place : file.place ^ (1 << 61)
  }

  deinit { SystemFile.shut(descriptor) }

  /// Raises or lowers the sign; false if the system refuses.
  func raise() -> Bool { set(F_RDLCK) }
  func lower() -> Bool { set(F_UNLCK) }

  /// Whether another connection of any process waits.
  var isRaisedByOthers: Bool {
    var lock = lock(F_WRLCK)
    // A failed query counts as nobody waiting.
    guard unsafe fcntl(descriptor, Self.getCommand, &lock) == 0 else { return false }
    return lock.l_type != Int16(F_UNLCK)
  }

  /// Leaves the file to the waiting connections until none waits, or until the longest gap has passed.
  func leaveGap() {
    guard isRaisedByOthers else { return }
    let clock = ContinuousClock()
    let end = clock.now + Self.longestGap
    repeat { BusyWait.nap(0) } while clock.now < end && isRaisedByOthers
  }

  /// The length of several of the longest naps.
  private static let longestGap = Duration.milliseconds(5)

  private func set(_ type: Int32) -> Bool {
    var lock = lock(type)
    return unsafe fcntl(descriptor, Self.setCommand, &lock) == 0
  }

  private func lock(_ type: Int32) -> flock {
    var lock = flock()
    lock.l_type = Int16(type)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = place
    lock.l_len = 1
    return lock
  }

  // Locks of an open descriptor instead of the process: Linux's F_OFD_GETLK and F_OFD_SETLK, which the
  // headers do not show to Swift.
  #if os(Linux) || os(Android)
    private static let isKnownHere = true
    private static let getCommand: Int32 = 36
    private static let setCommand: Int32 = 37
  #else
    private static let isKnownHere = false
    private static let getCommand = F_GETLK
    private static let setCommand = F_SETLK
  #endif
}
