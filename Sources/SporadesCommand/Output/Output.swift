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

/// What the program prints: answers on the standard output, and words about the work beside it.
final class Output: Sendable {
  private let buffer = Guarded<[UInt8]>([])
  let terminal: Terminal
  /// The number of bytes that are written together.
  private static let piece = 1 << 16

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
    try buffer.withLock { bytes in
      try body(&bytes)
      if bytes.count >= Self.piece { try Self.flush(&bytes) }
    }
  }

  func flush() throws { try buffer.withLock { try Self.flush(&$0) } }

  private static func flush(_ bytes: inout [UInt8]) throws {
    defer { bytes.removeAll(keepingCapacity: true) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
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
    _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
  }
}
