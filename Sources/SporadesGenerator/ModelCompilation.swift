// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGenerating
import SporadesModel
import SporadesModelFiles

/// Makes the resource that a program asks for out of one of Xcode's files: a `.momd`, `.mom` or `.cdm`.
///
/// Xcode's tools write archives there. Their forms of some parts, such as defaults of decimals, are not known, so the files
/// keep Xcode's text, which `ModelFile` reads under each ending.
struct ModelCompilation {
  let source: URL
  let target: URL
  /// The module of the classes that the model names without one: `.Note` becomes `App.Note`, as Xcode's tools write it. Nil keeps the names.
  let module: String?

  /// Writes the resource, after it has read the whole file once to find its mistakes.
  func write() throws {
    switch source.pathExtension {
    case "xcdatamodeld": try writeVersions()
    case "xcdatamodel": try copyModel(checked(source), to: target)
    case "xcmappingmodel":
      _ = try MappingModel(contentsOf: source)
      try copy(source.appendingPathComponent("xcmapping.xml"), to: target)
    default:
      throw GenerationError(
        [
          "\(source.path) is no model. Pass a file that ends with .xcdatamodeld, .xcdatamodel or .xcmappingmodel."
        ], isMistake: true)
    }
  }

  private func writeVersions() throws {
    let versions = try ModelFile.versions(at: source)
    guard let current = versions.first(where: \.isCurrent) else {
      throw GenerationError([
        "\(source.path) has \(versions.count) versions and no list that names the current one; choose one in Xcode."
      ])
    }
    let contents = try versions.map { try checked($0.url) }
    let models = try versions.map { (name: $0.name, model: try $0.model()) }
    // What the archives leave out does not matter, because each of them is replaced below. The list of versions stays.
    try ModelFile.write(models, current: current.name, to: target, replacing: true)
    for (version, file) in zip(versions, contents) {
      try copyModel(file, to: target.appendingPathComponent("\(version.name).mom"))
    }
  }

  /// The file with a version's text, which has no mistakes.
  private func checked(_ version: URL) throws -> URL {
    for warning in try ModelFile.read(version).warnings {
      ToolFile.say(ToolFile.marked("warning", "\(version.path): \(warning)"))
    }
    return version.appendingPathComponent("contents")
  }

  private func copyModel(_ file: URL, to place: URL) throws {
    guard let module else { return try copy(file, to: place) }
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    // A quotation mark within a value is written as an entity, so that this is never part of one.
    let named = text.replacing(
      #"representedClassName="."#, with: #"representedClassName="\#(module)."#)
    try Data(named.utf8).write(to: place, options: .atomic)
  }

  private func copy(_ file: URL, to place: URL) throws {
    try Data(contentsOf: file).write(to: place, options: .atomic)
  }
}
