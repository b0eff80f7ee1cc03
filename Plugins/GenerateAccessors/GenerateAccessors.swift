// SPDX-License-Identifier: MIT
import Foundation
import PackagePlugin

/// Adds a file to a target's build that gives its `@NSManaged` declarations their code, and that has the classes that its
/// models ask for. Outside of Apple's platforms, whose tools do that, the models become resources as Xcode names them.
@main
struct GenerateAccessors: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else {
      throw NoSwift(target: target.name)
    }
    // Files of the plugins that the target lists before this one can declare types of properties.
    let generated = target.pluginGeneratedSources.filter { $0.pathExtension == "swift" }
    let sources = target.sourceFiles(withSuffix: "swift").map(\.url) + generated
    let models = ModelFiles(target.sourceFiles.map(\.url))
    let folder = context.pluginWorkDirectoryURL
    let output = folder.appendingPathComponent("\(target.moduleName)+ManagedAccessors.swift")
    let files = sources.sorted { $0.path < $1.path } + models.models
    let tool = try context.tool(named: "SporadesGenerator").url
    let accessors = Command.buildCommand(
      displayName: "Generating the accessors of \(target.name)", executable: tool,
      arguments: ["accessors", target.moduleName, output.path] + files.map(\.path),
      inputFiles: sources + (try models.models.flatMap(models.inputs)), outputFiles: [output])
    #if os(Linux)
      // A target can list a folder that somebody has compiled, and cannot have two resources of one name.
      let listed = Set(target.sourceFiles.map(\.url.lastPathComponent))
      let resources = try models.compiled(listed: listed, of: target.name).map { file, name in
        let output = folder.appendingPathComponent(name)
        return Command.buildCommand(
          displayName: "Compiling \(file.lastPathComponent)", executable: tool,
          arguments: ["compile", file.path, output.path, target.moduleName],
          inputFiles: try models.inputs(in: file), outputFiles: [output])
      }
      return [accessors] + resources
    #else
      return [accessors]
    #endif
  }
}

/// The model files and mapping models of a target.
private struct ModelFiles {
  /// The models, sorted by their paths.
  let models: [URL]
  /// The mapping models, sorted by their paths.
  let mappings: [URL]

  /// Takes the files that a target does not exclude. Each folder of a model is one of them.
  init(_ files: [URL]) {
    let sorted = files.sorted { $0.path < $1.path }
    models = sorted.filter { ["xcdatamodeld", "xcdatamodel"].contains($0.pathExtension) }
    mappings = sorted.filter { $0.pathExtension == "xcmappingmodel" }
  }

  /// Each file with the name of what it is compiled to, without those whose names the target lists.
  func compiled(listed: Set<String>, of target: String) throws -> [(file: URL, name: String)] {
    let endings = ["xcdatamodeld": "momd", "xcdatamodel": "mom", "xcmappingmodel": "cdm"]
    var names: Set<String> = []
    return try (models + mappings).compactMap { file in
      guard let ending = endings[file.pathExtension] else { return nil }
      let name = file.deletingPathExtension().lastPathComponent + "." + ending
      guard !listed.contains(name) else { return nil }
      guard names.insert(name.lowercased()).inserted else {
        throw SameName(name: file.lastPathComponent, target: target)
      }
      return (file, name)
    }
  }

  /// The folder of a model, which changes with its list of versions, and all files in it.
  func inputs(in model: URL) throws -> [URL] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: model.path)
    let files = paths.sorted().filter { path in
      ["contents", "xccurrentversion", "xcmapping.xml"].contains { path.hasSuffix($0) }
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

/// Two files of a target would become resources of one name.
private struct SameName: Error, CustomStringConvertible {
  let name: String
  let target: String

  var description: String {
    "The target \(target) has two files named \(name), which become resources; rename one of them."
  }
}
