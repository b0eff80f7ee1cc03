// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// A run of the program `MutantProbe`, with its output.
struct ProbeRun: Sendable {
  private let arguments: [String]
  private(set) var taken = 0
  private(set) var refused = 0
  /// The refusals with errors that are not of the library's types.
  private(set) var untyped: [String] = []
  private(set) var peakMegabytes = 0
  private(set) var lastSeed = "none"
  private(set) var status: Int32 = 0
  private(set) var wasSignalled = false
  private var errors = ""

  var summary: String {
    "MutantProbe \(arguments.joined(separator: " ")): last seed \(lastSeed), status \(status), "
      + "\(taken) taken, \(refused) refused, \(peakMegabytes) MB. \(errors.prefix(2_000))"
  }

  /// Runs the probe to its end. The probe ends itself if a mutant takes too long.
  static func of(_ arguments: [String]) async throws -> ProbeRun {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = executable
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    // In a build with the address sanitizer, the sanitizer limits the memory.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["ASAN_OPTIONS": "detect_leaks=0:hard_rss_limit_mb=4000"]) { $1 }
    try process.run()
    let (told, complaints) = (output.fileHandleForReading, errors.fileHandleForReading)
    async let text = onOwnThread { told.readDataToEndOfFile() }
    async let problems = onOwnThread { complaints.readDataToEndOfFile() }
    var run = ProbeRun(arguments: arguments)
    for line in String(decoding: await text, as: UTF8.self).split(separator: "\n") {
      run.take(String(line))
    }
    run.errors = String(decoding: await problems, as: UTF8.self)
    process.waitUntilExit()
    run.status = process.terminationStatus
    run.wasSignalled = process.terminationReason == .uncaughtSignal
    return run
  }

  private init(arguments: [String]) { self.arguments = arguments }

  private mutating func take(_ line: String) {
    if line.hasPrefix("seed ") {
      lastSeed = String(line.dropFirst(5))
    } else if line == "is taken" {
      taken += 1
    } else if line.hasPrefix("is refused") {
      refused += 1
    } else if line.hasPrefix("peak ") {
      peakMegabytes = Int(line.dropFirst(5)) ?? 0
    } else {
      untyped.append("\(lastSeed): \(line)")
    }
  }

  private static func onOwnThread(_ body: @escaping @Sendable () -> Data) async -> Data {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "probe").async { continuation.resume(returning: body()) }
    }
  }

  /// The program lies in the same folder as the test bundle.
  private static var executable: URL {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appendingPathComponent("MutantProbe")
      if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
      folder.deleteLastPathComponent()
    }
    return URL(fileURLWithPath: "MutantProbe")
  }
}

/// A store that an app made, with its model. Without the folder of fixtures there is none.
struct FixturePair: Sendable, CustomTestStringConvertible {
  let store: String
  let model: String

  var testDescription: String { URL(fileURLWithPath: store).lastPathComponent }

  static let all: [FixturePair] = {
    let index = root + "/INDEX.md"
    // try? because without the folder there is no store to damage.
    guard let text = try? String(contentsOfFile: index, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard cells.count > 4, cells[1].hasPrefix("stores/"), cells[4].hasPrefix("full: ") else {
        return nil
      }
      let pair = FixturePair(
        store: "\(root)/\(cells[1])", model: "\(root)/\(cells[4].dropFirst(6))")
      return pair.isSmall ? pair : nil
    }
  }()

  /// The store is small. A large store takes as long as all others together.
  private var isSmall: Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: store)
    return (attributes?[.size] as? Int).map { $0 < 400_000 } ?? false
  }

  private static var root: String {
    if let path = ProcessInfo.processInfo.environment["SPORADES_FIXTURES"] { return path }
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    return folder.appendingPathComponent("shared/fixtures").path
  }
}
