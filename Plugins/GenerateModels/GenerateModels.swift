// SPDX-License-Identifier: MIT
import Foundation
import PackagePlugin

/// Adds the classes of a target's models to its build: each `.xcdatamodeld` and `.xcdatamodel` in the target's folder
/// becomes one Swift file.
@main
struct GenerateModels: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    try commands(
      for: models(under: target.directoryURL), of: target.name,
      tool: context.tool(named: "SporadesGenerator").url, folder: context.pluginWorkDirectoryURL)
  }

  /// The command for each model of a target, which writes one file into the folder.
  private func commands(
    for models: [URL], of target: String, tool: URL, folder: URL
  ) throws -> [Command] {
    if models.isEmpty {
      Diagnostics.warning(
        "The target \(target) uses the plugin GenerateModels and has no .xcdatamodeld."
      )
    }
    var names: Set<String> = []
    return try models.map { model in
      let name = model.deletingPathExtension().lastPathComponent
      guard names.insert(name.lowercased()).inserted else {
        throw SameName(name: name, target: target)
      }
      // The target may have a file of the plain name.
      let output = folder.appendingPathComponent("\(name)+Model.swift")
      return .buildCommand(
        displayName: "Generating the classes of \(model.lastPathComponent)", executable: tool,
        arguments: [model.path, output.path], inputFiles: try inputs(in: model),
        outputFiles: [output])
    }
  }

  /// The model files under a folder, sorted by their paths.
  private func models(under folder: URL) throws -> [URL] {
    var models: [URL] = []
    let items = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
    for item in items {
      if Self.isModel(item) {
        models.append(item)
      } else if try item.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true {
        models += try self.models(under: item)
      }
    }
    return models.sorted { $0.path < $1.path }
  }

  /// A version in an `.xcdatamodeld` is no model of its own.
  private static func isModel(_ file: URL) -> Bool {
    ["xcdatamodeld", "xcdatamodel"].contains(file.pathExtension)
      && file.deletingLastPathComponent().pathExtension != "xcdatamodeld"
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

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  /// Does the same in a project of Xcode, whose targets list their files.
  extension GenerateModels: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      try commands(
        for: target.inputFiles.map(\.url).filter(Self.isModel).sorted { $0.path < $1.path },
        of: target.displayName, tool: context.tool(named: "SporadesGenerator").url,
        folder: context.pluginWorkDirectoryURL)
    }
  }
#endif

/// Two models of a target would become files of one name.
private struct SameName: Error, CustomStringConvertible {
  let name: String
  let target: String

  var description: String {
    "The target \(target) has two models named \(name); rename one of them."
  }
}
