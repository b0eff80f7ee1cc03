// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// `ProcessProbe` as a child process, which says a line for each fact and waits for words of the test.
final class ProbeProcess: Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let lines: AsyncStream<String>
  private let source: AsyncStream<String>.Continuation

  /// Starts a part of the probe on a store.
  init(_ part: String, _ store: URL, _ arguments: String...) throws {
    // A write to an ended child must not end the tests.
    signal(SIGPIPE, SIG_IGN)
    (lines, source) = AsyncStream.makeStream()
    process.executableURL = Self.executable
    process.arguments = [part, store.path] + arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let (output, source) = (output, source)
    DispatchQueue(label: "probe").async { Self.read(output, into: source) }
  }

  deinit { if process.isRunning { kill() } }

  /// The program lies in the same folder as the test bundle.
  private static var executable: URL {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("ProcessProbe")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    return URL(fileURLWithPath: "ProcessProbe")
  }

  private static func read(_ output: Pipe, into source: AsyncStream<String>.Continuation) {
    var unread = Data()
    while true {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      unread += more
      while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        source.yield(String(decoding: unread[unread.startIndex..<end], as: UTF8.self))
        unread = unread[(end + 1)...]
      }
    }
    source.finish()
  }

  /// The next line; nil at the end of the program.
  func line() async -> String? {
    var iterator = lines.makeAsyncIterator()
    return await iterator.next()
  }

  /// Expects the next line, and sends a word.
  func go(after line: String = "ready") async {
    #expect(await self.line() == line)
    word()
  }

  /// Sends a word, or does nothing if the program has ended.
  func word(_ word: String = "") {
    // `try?`, because the program may have ended, which its lines tell.
    try? input.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8))
  }

  /// The first line that is another one; nil at the end of the program.
  func line(after others: String) async -> String? {
    var line = await self.line()
    while line == others { line = await self.line() }
    return line
  }

  /// All lines up to the end of the program.
  func rest() async -> [String] {
    var all: [String] = []
    for await line in lines { all.append(line) }
    return all
  }

  /// Waits for a number of equal lines. Other lines are mistakes.
  func expect(_ line: String, times count: Int) async {
    for _ in 0..<count {
      let next = await self.line()
      #expect(next == line)
      if next == nil { return }
    }
  }

  /// Tells the program to stop, and counts its last lines of one kind. It must end well.
  func stop(counting line: String) async -> Int {
    word()
    let rest = await rest()
    #expect(rest.last == "done", "\(rest.suffix(3))")
    return rest.count { $0 == line }
  }

  /// Ends the program as the system does: nothing of it runs any more.
  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }
}

/// Ends after some microseconds, which a sleep is too coarse for.
func spin(microseconds: Int) {
  let clock = ContinuousClock()
  let moment = clock.now + .microseconds(microseconds)
  while clock.now < moment {}
}
