// SPDX-License-Identifier: MIT
import Foundation
import SporadesAccessors
import Testing

/// Runs the Swift compiler and what it made, in a folder of its own that goes away with it.
final class Compiler {
  struct Outcome {
    let status: Int32
    let text: String

    /// The lines that are errors or warnings.
    var complaints: [String] {
      text.split(separator: "\n").map(String.init).filter {
        ($0.contains("error:") || $0.contains("warning:")) && !$0.hasPrefix(" ")
          && !$0.contains("not compiled with library evolution")
      }
    }
  }

  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "accessors-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write("CoreData.swift", StandIn.text)
    let made = try run(
      "swiftc", "-emit-module", "-emit-library", "-static", "-module-name", "CoreData",
      "-parse-as-library", "-enable-library-evolution", "CoreData.swift", "-o", "libCoreData.a")
    #expect(made.status == 0, "\(made.text)")
  }

  deinit {
    // Nothing can be done about a folder that stays.
    try? FileManager.default.removeItem(at: folder)
  }

  func write(_ name: String, _ text: String) throws {
    try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
  }

  /// Writes a source of the module `App` as `Note.swift`, and beside it its accessors, which `change` may alter.
  func writeNote(_ source: String, _ change: (String) -> String = { $0 }) throws {
    try write("Note.swift", source)
    let made = AccessorFile.make(
      module: "App", sources: [SwiftSource(name: "Note.swift", text: source)])
    try write("Accessors.swift", change(made.required()))
  }

  /// Writes a model of one version.
  func writeModel(_ name: String, _ elements: String) throws {
    let version = folder.appending(path: "\(name).xcdatamodeld/\(name).xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
      \(elements)
      </model>

      """
    try text.write(to: version.appending(path: "contents"), atomically: true, encoding: .utf8)
  }

  /// Runs the tool of the plugin, which lies beside the test bundle, for the module `App`.
  func runTool(_ files: String...) throws -> Outcome {
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
      let programs = (bundle?.bundleURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
    #else
      let programs = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    #endif
    return try run(
      programs.appending(path: "SporadesGenerator").path,
      ["accessors", "App", "Accessors.swift"] + files)
  }

  func run(_ program: String, _ arguments: String...) throws -> Outcome {
    try run(program, arguments)
  }

  func run(_ program: String, _ arguments: [String]) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = folder
    let log = folder.appending(path: "log-\(UUID())")
    #expect(FileManager.default.createFile(atPath: log.path, contents: nil))
    let handle = try FileHandle(forWritingTo: log)
    process.standardOutput = handle
    process.standardError = handle
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try handle.close()
    return Outcome(
      status: process.terminationStatus, text: try String(contentsOf: log, encoding: .utf8))
  }

  /// The undefined symbols of accessors and methods in the object files of the folder.
  func undefined(in module: String) throws -> Set<String> {
    let objects = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".o") }
    let listed = try run("nm", ["-u"] + objects.sorted())
    let symbols = listed.text.split(whereSeparator: { $0 == "\n" || $0 == " " }).map(String.init)
    return Set(
      symbols.filter { symbol in
        symbol.hasPrefix("$s") && symbol.contains("\(module.utf8.count)\(module)")
          && ["vg", "vs", "F"].contains { symbol.hasSuffix($0) } && !symbol.hasSuffix("lF")
      })
  }

  /// Removes the object files of the folder.
  func removeObjects() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasSuffix(".o") {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
  }
}

extension AccessorAnswer {
  /// The text, or nil with an issue that names the findings.
  func required(_ place: SourceLocation = #_sourceLocation) throws -> String {
    switch self {
    case .text(let text): return text
    case .findings(let findings):
      Issue.record("\(findings.map(\.description).joined(separator: "\n"))", sourceLocation: place)
      throw CancellationError()
    }
  }

  var findings: [Finding] { if case .findings(let findings) = self { findings } else { [] } }
}
