// SPDX-License-Identifier: MIT
package import FoundationEssentials
import SporadesArchives
package import SporadesModel

/// What a model's file tells the generators of classes, and no store needs.
extension ModelFile {
  /// The code of a class that Xcode makes in a build.
  package enum CodeGeneration: String, Sendable {
    /// The class, and an extension with its properties.
    case `class`
    /// The extension alone, for a class in a file of the program.
    case category
  }

  /// The names of the attributes for which Xcode generates properties of scalar types, by the names of their entities;
  /// nil for a compiled model, which does not tell them.
  package static func scalarAttributes(
    at url: URL
  ) throws(ModelError) -> [String: Set<String>]? {
    try entityElements(at: url)?.entities.reduce(into: [:]) { names, entity in
      let scalars = entity.children("attribute").filter {
        $0["usesScalarValueType"].flatMap(ModelReader.truth) == true
      }
      names[entity["name"] ?? "", default: []].formUnion(scalars.compactMap { $0["name"] })
    }
  }

  /// The code that Xcode makes in each build, by the names of the entities; nil for a compiled model, which does not tell it.
  ///
  /// - Throws: An error that names an entity with a word that is not known.
  package static func codeGeneration(
    at url: URL
  ) throws(ModelError) -> [String: CodeGeneration]? {
    guard let (file, entities) = try entityElements(at: url) else { return nil }
    var kinds: [String: CodeGeneration] = [:]
    for entity in entities {
      // Xcode writes no word for classes of the program's own.
      guard let word = entity["codeGenerationType"], !word.isEmpty else { continue }
      let name = entity["name"] ?? ""
      guard let kind = CodeGeneration(rawValue: word) else {
        throw ModelError([
          .init(
            .malformedFile, entity: name, location: .init(file: file, line: entity.line),
            "has the codegen “\(word)”, which is not known. Set it to class or category, or remove it."
          )
        ])
      }
      kinds[name] = kind
    }
    return kinds
  }

  /// The elements of the entities, and the path of their file; nil for a compiled model.
  private static func entityElements(
    at url: URL
  ) throws(ModelError) -> (file: String, entities: [ModelElement])? {
    let file = try ManagedObjectModel.findContentsFile(at: url)
    let bytes = try FileReading.readBytes(of: file)
    guard !BinaryPropertyList.begins(bytes) else { return nil }
    return (file.path, try XMLReader.read(bytes, file: file.path).children("entity"))
  }
}
