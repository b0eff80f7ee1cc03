// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQLite

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The reader of the program's output has closed it. The program ends without a word.
struct OutputClosed: Error {}

/// An answer is too long to be held back until the whole store has been read.
struct AnswerTooLong: Error {}

/// Prints answers on the standard output, and words about the work on the standard error.
final class Output: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isHeld = false
    var hasWritten = false
  }

  private let state = Guarded(State())
  let terminal: Terminal
  /// The number of bytes that are written together.
  private static let piece = 1 << 16
  /// The number of bytes that are held back at most.
  private static let mostHeld = 1 << 23

  init(_ terminal: Terminal) { self.terminal = terminal }

  func print(_ text: String) throws { try append { $0 += text.utf8 } }

  func printLine(_ text: String) throws {
    try append {
      $0 += text.utf8
      $0.append(UInt8(ascii: "\n"))
    }
  }

  /// Prints an answer in JSON, on a line for each member on a terminal, else on one line.
  func print(_ json: JSON) throws {
    if terminal.showsOutput { try print(json.page) } else { try printLine(json.line) }
  }

  /// Lets a block append bytes to the output.
  func append(_ body: (inout [UInt8]) throws -> Void) throws {
    try state.withLock { state in
      try body(&state.bytes)
      if state.bytes.count >= Self.piece { try Self.flush(&state) }
    }
  }

  func flush() throws { try state.withLock { try Self.flush(&$0) } }

  /// Keeps answers back until ``release()``, because the program may have to begin again.
  func hold() { state.withLock { $0.isHeld = true } }

  var isHeld: Bool { state.withLock(\.isHeld) }

  /// Lets answers out.
  func release() { state.withLock { $0.isHeld = false } }

  /// Forgets what is held back. False if an answer is out already.
  func withdraw() -> Bool {
    state.withLock { state in
      guard !state.hasWritten else { return false }
      state.bytes.removeAll()
      state.isHeld = false
      return true
    }
  }

  private static func flush(_ state: inout State) throws {
    guard !state.isHeld else {
      if state.bytes.count > mostHeld { throw AnswerTooLong() }
      return
    }
    state.hasWritten = state.hasWritten || !state.bytes.isEmpty
    try write(&state.bytes)
  }

  private static func write(_ bytes: inout [UInt8]) throws {
    defer { bytes.removeAll(keepingCapacity: true) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(1, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        throw OutputClosed()
      } else if errno != EINTR {
        throw CommandError.failed(
          "The output cannot be written: \(SystemFile.message(errno)). Nothing else was lost.")
      }
    }
  }

  /// Says something about the work, beside the answers.
  func say(_ text: String) {
    // Behind what was printed before; a closed output is noticed by the next answer.
    try? flush()
    Self.writeError(text + "\n")
  }

  static func writeError(_ text: String) {
    let bytes = Array(text.utf8)
    // The result is ignored, because there is no further place for a word about it.
    _ = unsafe bytes.withUnsafeBytes { unsafe systemWrite(2, $0.baseAddress, $0.count) }
  }
}

/// The system's call.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, bytes, count)
}
