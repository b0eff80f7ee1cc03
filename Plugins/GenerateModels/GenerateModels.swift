// SPDX-License-Identifier: MIT
import Foundation
import PackagePlugin

/// Adds the classes of a target's models to its build: each `.xcdatamodeld` and `.xcdatamodel` in the target's folder
/// becomes one Swift file.
@main
struct GenerateModels: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let tool = try context.tool(named: "SporadesGenerator").url
    let models = try models(under: target.directoryURL)
    if models.isEmpty {
      Diagnostics.warning(
        "The target \(target.name) uses the plugin GenerateModels and has no .xcdatamodeld in its folder."
      )
    }
    var names: Set<String> = []
    return try models.map { model in
      let name = model.deletingPathExtension().lastPathComponent
      guard names.insert(name.lowercased()).inserted else {
        throw SameName(name: name, target: target.name)
      }
      // The target may have a file of the plain name.
      let output = context.pluginWorkDirectoryURL.appendingPathComponent("\(name)+Model.swift")
      return .buildCommand(
        displayName: "Generating the classes of \(model.lastPathComponent)", executable: tool,
        arguments: [model.path, output.path], inputFiles: try inputs(in: model),
        outputFiles: [output])
    }
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

/// Two models of a target would become files of one name.
private struct SameName: Error, CustomStringConvertible {
  let name: String
  let target: String

  var description: String {
    "The target \(target) has two models named \(name); rename one of them."
  }
}
