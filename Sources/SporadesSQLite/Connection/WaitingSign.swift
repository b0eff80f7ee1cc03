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

/// Tells the others who write a store that a connection waits for its turn.
///
/// The sign is a read lock on one byte of the store's *folder*: the byte whose number is that of the
/// database file. It makes no file. The system takes it back when the process ends. No descriptor
/// of the store's own files is opened, since closing one would give up SQLite's locks. Where the
/// system has no locks of that kind, nobody sees the sign, and naps of random length are all there is.
final class WaitingSign: Sendable {
  private let descriptor: Int32
  private let place: off_t

  /// Nil where the folder cannot be opened, for want of permission or of descriptors.
  init?(for path: String) {
    guard Self.isKnownHere, let file = SystemFile.identity(path) else { return nil }
    descriptor = SystemFile.openForSync(SystemFile.folder(of: path))
    guard descriptor >= 0 else { return nil }
    place = file.place
  }

  deinit { SystemFile.shut(descriptor) }

  /// Puts up the sign, or takes it down; false where the system refuses.
  func raise() -> Bool { set(F_RDLCK) }
  func lower() -> Bool { set(F_UNLCK) }

  /// Another connection waits, of this process or another.
  var isRaisedByOthers: Bool {
    var lock = lock(F_WRLCK)
    // Where the question fails nobody is known to wait.
    guard unsafe fcntl(descriptor, Self.getCommand, &lock) == 0 else { return false }
    return lock.l_type != Int16(F_UNLCK)
  }

  /// Leaves the file to those who wait: until none of them does, at most for some naps.
  func leaveGap() {
    guard isRaisedByOthers else { return }
    let clock = ContinuousClock()
    let end = clock.now + Self.longestGap
    repeat { BusyWait.nap(0) } while clock.now < end && isRaisedByOthers
  }

  /// Several of the longest naps of those who wait.
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

  // Locks of an open descriptor, not of the process: F_OFD_GETLK and F_OFD_SETLK of Linux, which
  // the headers hide from Swift.
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
