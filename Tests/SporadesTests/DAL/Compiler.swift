// SPDX-License-Identifier: MIT
import Foundation

/// The compiler, with the modules of these tests.
enum Compiler {
  static let isPresent = path != nil && modules != nil

  private static var path: String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The folder of the build, beside the test bundle; nil in the layout of a sanitizer's build.
  private static var modules: (folder: String, modules: String, plugin: String)? {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let modules = folder.appendingPathComponent("Modules").path
      let plugin = folder.appendingPathComponent("SporadesPlugin-tool").path
      let files = FileManager.default
      if files.fileExists(atPath: modules + "/Sporades.swiftmodule"),
        files.isExecutableFile(atPath: plugin)
      {
        return (folder.path, modules, plugin)
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  private static let entities = """
    import Sporades

    @Entity final class User: ManagedObject {
      var firstname: String?
      var lastname: String?
    }

    """

  /// Returns the compiler's output for a file; empty if the file compiles.
  static func check(_ source: String) throws -> String {
    guard let path, let modules else { return "" }
    let folder = try TemporaryFolder()
    let file = folder.file("Snippet.swift")
    try Data((entities + source).utf8).write(to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    process.arguments = [
      // Not `-typecheck`, because a later pass checks the values that are sent to another task.
      "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-package-name", "snippets",
      "-parse-as-library",
      "-I", modules.modules, "-I", root.appendingPathComponent("Sources/CSQLite").path,
      "-I", root.appendingPathComponent("Sources/CZlib").path,
      "-I", root.appendingPathComponent("Sources/CSystem/include").path,
      "-Xcc", "-fmodule-map-file=\(modules.folder)/CSystem.build/module.modulemap",
      "-load-plugin-executable", "\(modules.plugin)#SporadesPlugin", file.path,
    ]
    let output = Pipe()
    process.standardError = output
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the errors that the compiler finds in each call, in their order.
  ///
  /// One file has all calls, each on a line, because the compiler's start takes longer than the calls.
  static func errors(
    in calls: [String], with parameters: String, after header: String
  ) throws -> [[String]] {
    let functions = calls.enumerated().map { index, call in
      "func call\(index)(\(parameters)) async throws { \(call) } // call \(index)"
    }
    let lines = try check(([header] + functions).joined(separator: "\n"))
      .components(separatedBy: "\n")
    return calls.indices.map { index in
      // The compiler shows the line, with its number, below each error `file:line:column: error: …`.
      guard let shown = lines.first(where: { $0.hasSuffix("// call \(index)") }),
        let number = shown.split(separator: "|").first?.trimmingCharacters(in: .whitespaces)
      else { return [] }
      return lines.filter { $0.contains("Snippet.swift:\(number):") && $0.contains(": error: ") }
    }
  }
}
