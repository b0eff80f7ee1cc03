// SPDX-License-Identifier: MIT
import Foundation
import Synchronization

/// A worker or a reader, in a process of its own.
final class Member: Sendable {
  private let process: Mutex<Process>
  private let output = Pipe()
  private let said = Mutex<[String]>([])

  /// Starts this program with other arguments.
  init(_ arguments: [String]) throws {
    let process = Process()
    guard let program = Bundle.main.executableURL else { throw Problem("The program has no file.") }
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    self.process = Mutex(process)
    Thread.detachNewThread { self.listen() }
  }

  /// The lines that it has said.
  var lines: [String] { said.withLock(\.self) }
  var count: Int { said.withLock(\.count) }

  private func listen() {
    var rest = Data()
    while case let bytes = output.fileHandleForReading.availableData, !bytes.isEmpty {
      rest += bytes
      // The last part is a line that has not ended.
      var parts = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      rest = Data(parts.removeLast())
      let lines = parts.map { String(decoding: $0, as: UTF8.self) }
      said.withLock { $0 += lines }
    }
    isOver.store(true, ordering: .releasing)
  }

  private let isOver = Atomic(false)

  /// Throws if the process has ended by itself.
  func check() throws {
    guard !isOver.load(ordering: .acquiring) else { throw Problem("A member of the fleet ended.") }
  }

  /// Tells the process to end, and waits until all that it said is known.
  func stop() throws {
    try check()
    process.withLock { $0.terminate() }
    try poll(or: "A member of the fleet does not end.") { isOver.load(ordering: .acquiring) }
  }

  /// Ends the process if it has not ended.
  func end() {
    process.withLock { process in
      guard process.isRunning else { return }
      // The result says only that it ended meanwhile.
      _ = kill(process.processIdentifier, SIGKILL)
    }
  }
}
