// SPDX-License-Identifier: MIT
import SporadesModel

/// Makes the elements of a model file of a model: the reverse of ``ModelReader``.
///
/// Rules:
/// 1. Elements and attributes have the names and the order that Xcode gives them. A value that Xcode leaves
///    out is left out.
/// 2. A part that no model file can say is left out, and ``omissions`` names it. None of these decides the
///    form of stores.
/// 3. Entities and properties keep the model's order.
struct ModelWriter {
  let model: ManagedObjectModel
  var omissions: [ModelWarning] = []
  /// The names of the composites, by their elements. Attributes with equal elements share a composite.
  var compositeNames: [[AttributeDescription]: String] = [:]
  var composites: [WrittenElement] = []

  private init(_ model: ManagedObjectModel) { self.model = model }

  /// The text of the model's file, and the parts that it leaves out.
  static func write(
    _ model: ManagedObjectModel
  ) throws(ModelError) -> (text: String, omissions: [ModelWarning]) {
    var writer = ModelWriter(model)
    let text = try ElementRenderer.render(writer.root())
    let read = try ModelReader.read(
      try XMLReader.read(Array(text.utf8), file: "the file to be written"),
      file: "the file to be written")
    // Stores would refuse a file's model with other hashes.
    let lost = read.model.entitiesDiffering(from: model.entityVersionHashesByName)
    guard lost.isEmpty else {
      throw ModelError(
        lost.map {
          .init(
            .unwritableText, entity: $0,
            "would have another version hash in a file of Xcode's; write a compiled model.")
        })
    }
    return (text, writer.omissions)
  }

  mutating func omit(
    _ code: ModelError.Code, _ entity: String?, _ property: String?, _ detail: String
  ) {
    omissions.append(.init(code, entity: entity, property: property, detail))
  }

  // MARK: - Model

  private mutating func root() -> WrittenElement {
    var root = WrittenElement("model")
    root.set("type", "com.apple.IDECoreDataModeler.DataModel")
    root.set("documentVersion", "1.0")
    // Xcode's own template has these numbers, in which no version of it sees a later one.
    root.set("lastSavedToolsVersion", "1")
    root.set("systemVersion", "11A491")
    root.set("minimumToolsVersion", "Automatic")
    root.set("sourceLanguage", "Swift")
    root.set("userDefinedModelVersionIdentifier", identifier())
    let entities = model.entities.map { element(of: $0) }
    root.children = entities + requests() + configurations() + composites
    return root
  }

  /// The one identifier that a file can have.
  private mutating func identifier() -> String? {
    let identifiers = model.versionIdentifiers.sorted()
    if identifiers.count > 1 {
      omit(
        .misplacedOption, nil, nil,
        "The model has \(identifiers.count) version identifiers, and a file has one. \(identifiers[0]) is "
          + "kept.")
    }
    return identifiers.first
  }

  private func configurations() -> [WrittenElement] {
    model.configurations.sorted { $0.key < $1.key }.map { name, members in
      var configuration = WrittenElement("configuration")
      configuration.set("name", name)
      configuration.children = members.map { member in
        var element = WrittenElement("memberEntity")
        element.set("name", member)
        return element
      }
      return configuration
    }
  }

  private mutating func requests() -> [WrittenElement] {
    model.fetchRequestTemplates.sorted { $0.key < $1.key }.compactMap { name, request in
      element(of: request, named: name, nil, name)
    }
  }

  // MARK: - Parts of several elements

  func userInfo(_ notes: [String: String]) -> [WrittenElement] {
    guard !notes.isEmpty else { return [] }
    let entries = notes.sorted { $0.key < $1.key }.map { key, value in
      var entry = WrittenElement("entry")
      entry.set("key", key)
      entry.set("value", value)
      return entry
    }
    return [WrittenElement("userInfo", entries)]
  }
}
