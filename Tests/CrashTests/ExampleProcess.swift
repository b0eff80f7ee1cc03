// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// An example as a child process.
final class ExampleProcess: Sendable {
  private let process = Process()
  private let output = Pipe()

  /// Starts an example with its words.
  init(_ name: String, _ words: [String]) throws {
    process.executableURL = Self.executable("\(name)Probe")
    process.arguments = words
    process.standardOutput = output
    try process.run()
  }

  deinit { if process.isRunning { kill() } }

  /// Runs the program to its end, and returns its lines.
  static func run(_ name: String, _ words: [String]) async throws -> [String] {
    let example = try ExampleProcess(name, words)
    let lines = await example.rest()
    #expect(await example.status() == 0, "\(words)")
    return lines
  }

  /// The program lies in the same folder as the test bundle.
  private static func executable(_ name: String) -> URL {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent(name)
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    return URL(fileURLWithPath: name)
  }

  /// Waits for a number of lines, or for the end of the program, and returns them. A program that says less and goes on is
  /// killed at the deadline, because nobody else would end the wait.
  func lines(_ count: Int) async -> [String] {
    let words = process.arguments ?? []
    let watch = Task {
      try await Task.sleep(for: .seconds(1_800))
      Issue.record("\(words) said less than \(count) lines.")
      kill()
    }
    defer { watch.cancel() }
    return await onOwnThread { example in
      var text = Data()
      while text.count(where: { $0 == UInt8(ascii: "\n") }) < count {
        let more = example.output.fileHandleForReading.availableData
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
    await onOwnThread { example in
      example.process.waitUntilExit()
      return example.process.terminationStatus
    }
  }

  private func onOwnThread<Output: Sendable>(
    _ body: @escaping @Sendable (ExampleProcess) -> Output
  ) async -> Output {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "example").async { continuation.resume(returning: body(self)) }
    }
  }
}

/// Random moments from a seed, so that a failure can be repeated.
struct KillMoments {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Lets a random time pass, which a sleep is too coarse for.
  mutating func wait(microseconds most: UInt64) {
    let clock = ContinuousClock()
    let moment = clock.now + .microseconds(Int(next() % most))
    while clock.now < moment {}
  }
}
