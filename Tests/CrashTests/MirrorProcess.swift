// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The example `Mirror` as a child process.
final class MirrorProcess: Sendable {
  private let process = Process()
  private let output = Pipe()

  /// Starts the program with its words.
  init(_ words: [String]) throws {
    process.executableURL = Self.executable
    process.arguments = words
    process.standardOutput = output
    try process.run()
  }

  deinit { if process.isRunning { kill() } }

  /// Runs the program to its end, and returns its lines.
  static func run(_ words: [String]) async throws -> [String] {
    let mirror = try MirrorProcess(words)
    let lines = await mirror.rest()
    #expect(await mirror.status() == 0, "\(words)")
    return lines
  }

  /// The program lies in the same folder as the test bundle.
  private static var executable: URL {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("MirrorProbe")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    return URL(fileURLWithPath: "MirrorProbe")
  }

  /// Waits for a number of lines, or for the end of the program, and returns them.
  func lines(_ count: Int) async -> [String] {
    await onOwnThread { mirror in
      var text = Data()
      while text.count(where: { $0 == UInt8(ascii: "\n") }) < count {
        let more = mirror.output.fileHandleForReading.availableData
        if more.isEmpty { break }
        text += more
      }
      return Self.lines(of: text)
    }
  }

  /// The lines up to the end of the program.
  func rest() async -> [String] {
    await onOwnThread { Self.lines(of: $0.output.fileHandleForReading.readDataToEndOfFile()) }
  }

  private static func lines(of text: Data) -> [String] {
    text.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Ends the program as the system does: nothing of it runs any more.
  func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

  /// Waits for the end of the program.
  @discardableResult
  func status() async -> Int32 {
    await onOwnThread { mirror in
      mirror.process.waitUntilExit()
      return mirror.process.terminationStatus
    }
  }

  private func onOwnThread<Output: Sendable>(
    _ body: @escaping @Sendable (MirrorProcess) -> Output
  ) async -> Output {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "mirror").async { continuation.resume(returning: body(self)) }
    }
  }
}
