// SPDX-License-Identifier: MIT
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A run of the program to its end.
struct CommandRun {
  let output: String
  let errors: String
  let status: Int32

  /// Runs the program with pipes around it.
  init(
    _ arguments: String..., in folder: URL? = nil, environment: [String: String] = [:]
  ) throws {
    try self.init(arguments, in: folder, environment: environment)
  }

  init(
    _ arguments: [String], in folder: URL? = nil, environment: [String: String] = [:]
  ) throws {
    let process = Self.process(arguments, folder, environment)
    let output = Pipe()
    process.standardOutput = output
    // A file takes as many words as there are.
    let errors = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data().write(to: errors)
    defer { try? FileManager.default.removeItem(at: errors) }
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    self.errors = try String(contentsOf: errors, encoding: .utf8)
    status = process.terminationReason == .exit ? process.terminationStatus : -1
  }

  /// Runs the program with its output on a terminal of a width, where its words and answers appear together.
  init(onTerminal columns: UInt16, _ arguments: String..., environment: [String: String] = [:])
    throws
  {
    let process = Self.process(
      arguments, nil, ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 })
    let (leader, follower) = try Self.openTerminal()
    var size = winsize(ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(unsafe ioctl(follower, UInt(TIOCSWINSZ), &size) == 0)
    let terminal = FileHandle(fileDescriptor: follower, closeOnDealloc: true)
    process.standardOutput = terminal
    process.standardError = terminal
    try process.run()
    // Reading ends when the last holder of the terminal has closed it.
    try terminal.close()
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe read(leader, &piece, piece.count)
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    close(leader)
    process.waitUntilExit()
    output = String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
    errors = ""
    status = process.terminationReason == .exit ? process.terminationStatus : -1
  }

  /// Both sides of a new terminal.
  private static func openTerminal() throws -> (leader: Int32, follower: Int32) {
    #if canImport(Darwin)
      var (leader, follower): (Int32, Int32) = (-1, -1)
      try #require(unsafe openpty(&leader, &follower, nil, nil, nil) == 0)
    #else
      let leader = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
      try #require(leader >= 0)
      // TIOCSPTLCK and TIOCGPTN, which Swift does not import: the terminal is unlocked, and tells its number.
      var (locked, number): (Int32, UInt32) = (0, 0)
      try #require(unsafe ioctl(leader, 0x4004_5431, &locked) == 0)
      try #require(unsafe ioctl(leader, 0x8004_5430, &number) == 0)
      let follower = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    #endif
    try #require(follower >= 0)
    return (leader, follower)
  }

  static func process(
    _ arguments: [String], _ folder: URL?, _ environment: [String: String]
  ) -> Process {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    return process
  }

  /// The value in an answer of JSON.
  func json<Value>(_ type: Value.Type = Value.self) throws -> Value {
    try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? Value)
  }

  /// The objects in an answer of one line of JSON for each.
  func lines() throws -> [[String: Any]] {
    try output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// The program lies in the same folder as the test bundle.
  static var executable: URL {
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      let folder = bundle?.bundleURL ?? Bundle.main.bundleURL
      return folder.deletingLastPathComponent().appendingPathComponent("sporades")
    #else
      return URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("sporades")
    #endif
  }
}

/// The stores and models that lie beside the project; there are none where the folder is absent.
enum Fixtures {
  static var folder: URL {
    if let path = ProcessInfo.processInfo.environment["SPORADES_FIXTURES"] {
      return URL(fileURLWithPath: path)
    }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().appendingPathComponent("shared/fixtures")
  }

  /// The paths below a folder whose names have one of the endings.
  static func paths(under name: String, endings: Set<String>) -> [String] {
    let root = folder.appendingPathComponent(name)
    let paths =
      FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { endings.contains(($0 as NSString).pathExtension) }.sorted()
      .map { root.appendingPathComponent($0).path }
  }

  static var stores: [String] { paths(under: "stores", endings: ["sqlite", "db", "moody"]) }
  /// The model files with several versions, as Xcode keeps them.
  static var models: [String] { paths(under: "models", endings: ["xcdatamodeld"]) }
}

/// A folder that goes with the test.
final class WorkFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    // `try?`, because the system clears the folder some day.
    try? FileManager.default.removeItem(at: url)
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
