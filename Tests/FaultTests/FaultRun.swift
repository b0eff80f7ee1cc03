// SPDX-License-Identifier: MIT
import Foundation

/// The harm to calls of the operating system; see `faults.h`.
struct Harm: Sendable, CustomStringConvertible {
  var name: String
  var at: Int
  /// The number of calls that fail; 0 for the harmed call and all later ones.
  var times = 1

  static let none = Harm(name: "", at: 0)

  var description: String { "\(name) at call \(at), \(times == 0 ? "for ever" : "\(times) times")" }
}

/// One run of `FaultProbe`, with its output.
struct FaultRun: Sendable {
  /// The numbers of the changes that the store promised to keep.
  var acknowledged: [Int] = []
  var failures: [String] = []
  /// The largest memory of a scenario that measures it.
  var peakKilobytes: Int?
  /// The number of counted calls; nil if the process ended before it printed the number.
  var calls: Int?
  var wasHarmed = true
  var wasKilled = false
  var errors = ""

  /// The run reached its end, and none of its calls was harmed.
  var isUnharmed: Bool { calls != nil && !wasHarmed }

  /// Plays a scenario of the probe over the store. The calls below the store's folder take part.
  static func play(
    _ scenario: String, _ store: URL, _ harm: Harm = .none, only: String? = nil,
    journal: URL? = nil
  ) async throws -> FaultRun {
    let process = Process()
    process.executableURL = executable
    process.arguments = [scenario, store.path]
    var environment = ProcessInfo.processInfo.environment
    environment["SPORADES_FAULT_FOLDER"] = store.deletingLastPathComponent().path
    environment["SPORADES_FAULT_AT"] = "\(harm.at)"
    environment["SPORADES_FAULT_TIMES"] = "\(harm.times)"
    environment["SPORADES_FAULT_HARM"] = harm.name.isEmpty ? nil : harm.name
    environment["SPORADES_FAULT_ONLY"] = only
    environment["SPORADES_FAULT_JOURNAL"] = journal?.path
    process.environment = environment
    return try await ended(process)
  }

  /// Starts the process and waits for its end.
  private static func ended(_ process: Process) async throws -> FaultRun {
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    async let said = onOwnThread { output.fileHandleForReading.readDataToEndOfFile() }
    async let complaints = onOwnThread { errors.fileHandleForReading.readDataToEndOfFile() }
    var run = FaultRun(lines: String(decoding: await said, as: UTF8.self))
    run.errors = String(decoding: await complaints, as: UTF8.self)
    // The pipes have ended, so the process ends within a moment.
    process.waitUntilExit()
    run.wasKilled =
      process.terminationReason == .uncaughtSignal
      && process.terminationStatus == SIGKILL
    return run
  }

  private init(lines: String) {
    for line in lines.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      switch (parts[0], parts.last) {
      case ("ok", let number?): acknowledged += Int(number).map { [$0] } ?? []
      case ("calls", let number?): calls = Int(number)
      case ("peak", let number?): peakKilobytes = Int(number)
      case ("harmed", let answer?): wasHarmed = answer == "true"
      default: failures.append(String(line))
      }
    }
  }

  private static func onOwnThread(
    _ body: @escaping @Sendable () -> Data
  ) async -> Data {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "probe").async { continuation.resume(returning: body()) }
    }
  }

  /// The program lies in the same folder as the test bundle.
  private static var executable: URL {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("FaultProbe")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    return URL(fileURLWithPath: "FaultProbe")
  }
}
