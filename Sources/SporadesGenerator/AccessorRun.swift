// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesAccessors
import SporadesGenerating
import SporadesModel
import SporadesModelFiles

/// One run of the tool for a target: its sources and models into the file with their accessors and classes.
struct AccessorRun {
  let module: String
  let output: String
  /// The paths of Swift files and of models.
  let files: [String]

  private static let largest = 16 << 20

  /// Writes the file, and answers the code for the end of the process.
  func write() throws -> Int32 {
    var sources: [SporadesAccessors.SwiftSource] = []
    var classes: [ManagedClass] = []
    var made = MadeClasses()
    for path in files {
      switch URL(fileURLWithPath: path).pathExtension {
      case "swift": sources.append(try Self.source(path))
      case "xcdatamodeld", "xcdatamodel": try Self.read(path, &classes, &made)
      default:
        throw GenerationError(
          [
            "\(path) is neither a Swift file nor a model. Pass files that end with .swift, .xcdatamodeld or .xcdatamodel."
          ], isMistake: true)
      }
    }
    switch AccessorFile.make(module: module, sources: sources, classes: classes, made: made) {
    case .text(let text):
      try ToolFile.write(text, to: output)
      return 0
    case .findings(let findings):
      ToolFile.say(findings.map(\.description))
      return 1
    }
  }

  private static func source(_ path: String) throws -> SporadesAccessors.SwiftSource {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw GenerationError([
        "The Swift file \(path) cannot be read (\(FileFailure.reason(error))); check that it is there, and its permissions."
      ])
    }
    guard bytes.count <= largest else {
      throw GenerationError([
        "The Swift file \(path) is larger than \(largest >> 20) MiB; split it, or exclude it from the target."
      ])
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw GenerationError(["The Swift file \(path) is not in UTF-8; save it in that encoding."])
    }
    return SporadesAccessors.SwiftSource(name: path, text: text)
  }

  /// Takes what the current version of a model tells of its classes, and those that it asks for.
  private static func read(
    _ path: String, _ classes: inout [ManagedClass], _ made: inout MadeClasses
  ) throws {
    let url = URL(fileURLWithPath: path)
    let model = try ModelFile.read(url).model
    for entity in model.entities {
      let name = entity.managedObjectClassName?.split(separator: ".").last.map(String.init)
      guard let name, name != "NSManagedObject" else { continue }
      let toMany = entity.relationships.filter(\.isToMany)
      let toOne = entity.relationships.filter { !$0.isToMany }
      classes.append(
        ManagedClass(
          name: name,
          single: Set(
            entity.attributes.map(\.name) + toOne.map(\.name)
              + entity.fetchedProperties.map(\.name)),
          // A model refuses two properties of one name.
          toMany: Dictionary(toMany.map { ($0.name, $0.isOrdered) }) { first, _ in first }))
    }
    let built = try BuiltClasses(of: model, at: url)
    made.text += built.text
    made.imports.formUnion(built.imports)
    made.extended.formUnion(built.extended)
  }
}
