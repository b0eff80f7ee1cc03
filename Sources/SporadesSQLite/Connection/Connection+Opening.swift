// SPDX-License-Identifier: MIT
import CSQLite
import SporadesStore

// SQLite's own connection to a file.
extension Connection {
  /// Opens an existing file in an access mode.
  @unsafe static func open(_ path: String, _ access: Access) throws(StoreError) -> OpaquePointer {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    flags |= access == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    var name = path
    if access == .immutable {
      flags |= SQLITE_OPEN_URI
      // Two slashes precede an absolute path, so that a path which begins with two slashes names no other
      // machine.
      name = (path.hasPrefix("/") ? "file://" : "file:") + Self.escaped(path) + "?immutable=1"
    }
    var opened: OpaquePointer?
    let code = unsafe sqlite3_open_v2(name, &opened, flags, access == .unlocked ? "unix-none" : nil)
    guard code == SQLITE_OK, let handle = unsafe opened else {
      let error = unsafe StoreError.sqlite(
        code, opened, at: path == ":memory:" ? nil : path, "The store cannot be opened.")
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    return unsafe handle
  }

  /// Works on bytes, because a combining mark would merge with the character before it.
  private static func escaped(_ path: String) -> String {
    var bytes: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "%"): bytes += Array("%25".utf8)
      case UInt8(ascii: "?"): bytes += Array("%3f".utf8)
      case UInt8(ascii: "#"): bytes += Array("%23".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
