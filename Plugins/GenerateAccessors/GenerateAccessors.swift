// SPDX-License-Identifier: MIT
import Foundation
import PackagePlugin

/// Adds a file to a target's build that gives its `@NSManaged` declarations their code, and that has the classes that its
/// models ask for.
@main
struct GenerateAccessors: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else {
      throw NoSwift(target: target.name)
    }
    // Files of the plugins that the target lists before this one can declare types of properties.
    let generated = target.pluginGeneratedSources.filter { $0.pathExtension == "swift" }
    let sources = target.sourceFiles(withSuffix: "swift").map(\.url) + generated
    let models = try models(under: target.directoryURL)
    let output = context.pluginWorkDirectoryURL.appendingPathComponent(
      "\(target.moduleName)+ManagedAccessors.swift")
    let files = sources.sorted { $0.path < $1.path } + models
    return [
      .buildCommand(
        displayName: "Generating the accessors of \(target.name)",
        executable: try context.tool(named: "SporadesGenerator").url,
        arguments: ["accessors", target.moduleName, output.path] + files.map(\.path),
        inputFiles: sources + (try models.flatMap(inputs)), outputFiles: [output])
    ]
  }

  /// The model files under a folder, sorted by their paths. A version in an `.xcdatamodeld` is no model of its own.
  private func models(under folder: URL) throws -> [URL] {
    var models: [URL] = []
    let items = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
    for item in items {
      if ["xcdatamodeld", "xcdatamodel"].contains(item.pathExtension) {
        models.append(item)
      } else if try item.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true {
        models += try self.models(under: item)
      }
    }
    return models.sorted { $0.path < $1.path }
  }

  /// The folder of a model, which changes with its list of versions, and all files in it.
  private func inputs(in model: URL) throws -> [URL] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: model.path)
    let files = paths.sorted().filter {
      $0.hasSuffix("contents") || $0.hasSuffix("xccurrentversion")
    }
    return [model] + files.map { model.appendingPathComponent($0) }
  }
}

/// A target that has no Swift files.
private struct NoSwift: Error, CustomStringConvertible {
  let target: String

  var description: String {
    "The target \(target) uses the plugin GenerateAccessors and has no Swift files; remove the plugin from it."
  }
}
