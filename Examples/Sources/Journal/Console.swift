// SPDX-License-Identifier: MIT
import Foundation
import Synchronization

/// The process's streams, without buffers in between: what was said has been said.
enum Console {
  /// The next line of standard input without its line feed, repaired where it is no UTF-8.
  static func line() -> String? {
    guard var line = readLine(strippingNewline: false) else { return nil }
    if line.unicodeScalars.last == "\n" { line.unicodeScalars.removeLast() }
    return line
  }

  static func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

  static func complain(_ text: String) {
    FileHandle.standardError.write(Data("Journal: \(text)\n".utf8))
  }
}

/// What was said about the lines of this run.
///
/// Writing goes on while a signal is handled on another thread, so that both take a lock: nothing
/// is confirmed after the closing line.
final class Receipts: Sendable {
  private let state = Mutex(State())

  private struct State {
    var confirmed = 0
    var isClosed = false
  }

  /// Prints `ok N` for the next line.
  func confirm() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.confirmed += 1
      Console.say("ok \(state.confirmed)")
    }
  }

  /// Prints `flushed N`, once.
  func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      Console.say("flushed \(state.confirmed)")
    }
  }
}
