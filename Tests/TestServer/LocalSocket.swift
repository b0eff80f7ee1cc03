// SPDX-License-Identifier: MIT
import Foundation
import SporadesStore

/// The calls of the system for sockets in folders.
enum LocalSocket {
  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let silently = Int32(MSG_NOSIGNAL)
  #else
    private static let stream = SOCK_STREAM
    private static let silently: Int32 = 0
  #endif

  static func listening(at path: String) throws -> Int32 {
    let number = socket(AF_UNIX, stream, 0)
    guard unsafe withAddress(path, { unsafe bind(number, $0, $1) }) == 0, listen(number, 64) == 0
    else { throw failure("listen at \(path)") }
    return number
  }

  static func connected(to path: String) throws -> Int32 {
    let number = socket(AF_UNIX, stream, 0)
    guard unsafe withAddress(path, { unsafe connect(number, $0, $1) }) == 0 else {
      throw failure("connect to \(path)")
    }
    return number
  }

  static func pair() throws -> (Int32, Int32) {
    var numbers: [Int32] = [0, 0]
    guard unsafe socketpair(AF_UNIX, stream, 0, &numbers) == 0 else { throw failure("pair") }
    return (numbers[0], numbers[1])
  }

  static func accept(_ listener: Int32) -> Int32? {
    let number = Foundation.accept(listener, nil, nil)
    return number < 0 ? nil : number
  }

  /// Takes what has come; nil at the end.
  static func receive(from number: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe recv(number, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// Sends without waiting. Returns the number of bytes that went; nil if nobody takes any.
  @discardableResult
  static func send(_ bytes: [UInt8], to number: Int32) -> Int? {
    let count = unsafe Foundation.send(
      number, bytes, bytes.count, silently | Int32(MSG_DONTWAIT))
    if count >= 0 { return count }
    return errno == EAGAIN ? 0 : nil
  }

  static func close(_ number: Int32) { _ = Foundation.close(number) }

  private static func failure(_ attempt: String) -> StoreError {
    StoreError(.io, "The proxy cannot \(attempt): \(errno)")
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      // The last byte stays zero.
      unsafe place.copyBytes(from: path.utf8.prefix(place.count - 1))
    }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
