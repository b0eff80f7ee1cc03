// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// A child process that runs `LifecycleProbe`. The test reads its output line by line.
final class ProbeProcess: Sendable {
  private let process: Process
  private let output = Pipe()
  private let errors = Pipe()
  private let input = Pipe()
  private let unread = Guarded(Data())
  private let queue = DispatchQueue(label: "probe")

  /// With `ignoring`, a shell starts the program and ignores these signals, as `nohup` and `trap ''` do. A mode that is
  /// about one signal gets its number.
  init(_ mode: String, signal: Int32? = nil, ignoring signals: String? = nil) throws {
    process = Process()
    if let signals {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = [
        "-c", "trap '' \(signals); exec \"$0\" \"$1\"", Self.executable.path, mode,
      ]
    } else {
      process.executableURL = Self.executable
      process.arguments = [mode] + (signal.map { ["\($0)"] } ?? [])
    }
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = input
    try process.run()
  }

  /// The program lies in the same folder as the test bundle.
  private static var executable: URL {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("LifecycleProbe")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    return URL(fileURLWithPath: "LifecycleProbe")
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }
  func closeInput() { try? input.fileHandleForWriting.close() }

  /// Waits for a line of output; returns nil at the end of the output.
  func line() async -> String? {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.blockingLine()) }
    }
  }

  /// Waits until the program prints the line.
  func wait(for wanted: String) async {
    while let line = await line(), line != wanted {}
  }

  struct Ending {
    /// The lines that the test has not read.
    let lines: [String]
    let errors: String
    let status: Int32
    let wasSignalled: Bool
  }

  func ending() async -> Ending {
    var lines: [String] = []
    while let line = await line() { lines.append(line) }
    return await withCheckedContinuation { continuation in
      queue.async { [lines] in
        let errors = self.errors.fileHandleForReading.readDataToEndOfFile()
        self.process.waitUntilExit()
        continuation.resume(
          returning: Ending(
            lines: lines, errors: String(decoding: errors, as: UTF8.self),
            status: self.process.terminationStatus,
            wasSignalled: self.process.terminationReason == .uncaughtSignal))
      }
    }
  }

  private func blockingLine() -> String? {
    unread.withLock { unread in
      while true {
        if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: unread[..<end], as: UTF8.self)
          unread = Data(unread[(end + 1)...])
          return line
        }
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { return nil }
        unread += more
      }
    }
  }
}
