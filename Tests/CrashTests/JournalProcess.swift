// SPDX-License-Identifier: MIT
import Foundation
import Synchronization

/// The example `Journal` as a child process. The test feeds it with lines, stops it at a given moment, and reads its
/// output to the end.
struct JournalRun: Sendable {
  /// The number of lines that the program confirmed in their order.
  var confirmed = 0
  /// The number in the program's last line; nil without such a line.
  var flushed: Int?
  /// The lines of output that break the program's promise.
  var unexpected: [String] = []
  var errors = ""
  var status: Int32 = 0
  var wasSignalled = false
}

/// The moment of a stop: some microseconds after a number of confirmations.
struct Stop: Sendable, CustomStringConvertible {
  let signal: Int32
  let afterConfirmed: Int
  let microseconds: Int

  var description: String {
    "signal \(signal) after \(afterConfirmed) lines and \(microseconds) µs"
  }
}

final class JournalProcess: Sendable {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()

  /// Runs the program in the folder until it ends or is stopped.
  static func run(
    _ arguments: [String], feeding lines: [String] = [], stop: Stop? = nil
  ) async throws -> JournalRun {
    let journal = JournalProcess()
    try journal.start(arguments)
    return await journal.finish(lines, stop)
  }

  /// Returns the program's list of the entries in the store.
  static func list(_ store: URL) async throws -> (entries: [String], status: Int32) {
    let journal = JournalProcess()
    try journal.start(["--store", store.path, "--list"])
    try journal.input.fileHandleForWriting.close()
    let text = await journal.onOwnThread { $0.output.fileHandleForReading.readDataToEndOfFile() }
    let status = await journal.onOwnThread { $0.end().status }
    // The split uses bytes, because Swift counts a carriage return and a line feed as one character.
    let entries = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast().map { String(decoding: $0, as: UTF8.self) }
    return (entries, status)
  }

  private func start(_ arguments: [String]) throws {
    // A write to an ended child must not end the tests.
    signal(SIGPIPE, SIG_IGN)
    process.executableURL = Self.executable
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// The program lies in the same folder as the test bundle.
  private static var executable: URL {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("JournalProbe")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    return URL(fileURLWithPath: "JournalProbe")
  }

  // MARK: - Threads

  private func finish(_ lines: [String], _ stop: Stop?) async -> JournalRun {
    async let fed: Void = onOwnThread { $0.feed(lines) }
    async let read = onOwnThread { $0.read(until: stop) }
    async let complaints = onOwnThread { $0.errors.fileHandleForReading.readDataToEndOfFile() }
    var run = await read
    await fed
    run.errors = String(decoding: await complaints, as: UTF8.self)
    (run.status, run.wasSignalled) = await onOwnThread { $0.end() }
    return run
  }

  private func onOwnThread<Output: Sendable>(
    _ body: @escaping @Sendable (JournalProcess) -> Output
  ) async -> Output {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "journal").async { continuation.resume(returning: body(self)) }
    }
  }

  /// Writes the lines until all are written or the program has ended.
  private func feed(_ lines: [String]) {
    let handle = input.fileHandleForWriting
    for first in stride(from: 0, to: lines.count, by: 64) {
      let chunk = lines[first..<min(first + 64, lines.count)].map { $0 + "\n" }.joined()
      guard (try? handle.write(contentsOf: Data(chunk.utf8))) != nil else { break }
    }
    try? handle.close()
  }

  private func read(until stop: Stop?) -> JournalRun {
    var run = JournalRun()
    var unread = Data()
    var isStopped = false
    if let stop, stop.afterConfirmed == 0 { end(by: stop) }
    while true {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      unread += more
      while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        take(String(decoding: unread[unread.startIndex..<end], as: UTF8.self), into: &run)
        unread = unread[(end + 1)...]
      }
      if let stop, !isStopped, stop.afterConfirmed > 0, run.confirmed >= stop.afterConfirmed {
        isStopped = true
        end(by: stop)
      }
    }
    if !unread.isEmpty { run.unexpected.append(String(decoding: unread, as: UTF8.self)) }
    return run
  }

  private func take(_ line: String, into run: inout JournalRun) {
    if run.flushed == nil, line == "ok \(run.confirmed + 1)" {
      run.confirmed += 1
    } else if run.flushed == nil, line == "flushed \(run.confirmed)" {
      run.flushed = run.confirmed
    } else {
      run.unexpected.append(line)
    }
  }

  private func end(by stop: Stop) {
    let clock = ContinuousClock()
    let moment = clock.now + .microseconds(stop.microseconds)
    while clock.now < moment {}
    kill(process.processIdentifier, stop.signal)
  }

  private func end() -> (status: Int32, wasSignalled: Bool) {
    process.waitUntilExit()
    return (process.terminationStatus, process.terminationReason == .uncaughtSignal)
  }
}
