// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesModelFiles

/// Makes classes of Sporades. The macro `@Entity` needs the properties in the class itself, so the class is the machine's,
/// and the file for people has an extension of it.
struct EntityForm {
  private let model: ManagedObjectModel
  private let name: String
  private let options: GenerationOptions
  private let classes: [String: String]
  private let writer: ClassWriter
  private let pieces: ClassWriter.Pieces
  private let functions: FetchFunctions
  private let typedIDs: TypedIDs

  /// The names that the source around the classes uses.
  private static let reserved = KeyEnums.names.union([
    "AttributeDescription", "CaseIterable", "EntityDescription", "FetchRequest",
    "FetchedPropertyDescription", "FileHandle", "FinderContext", "Hashable", "ManagedObjectID",
    "RelationshipDescription", "Sendable", "SortTerm",
  ])

  init(_ model: ManagedObjectModel, _ name: String, _ options: GenerationOptions) throws {
    try NameCheck(model, options).finish()
    try model.checkPredicates()
    var writer = ClassWriter(
      model, name: name, notes: options.notes, access: options.access, reserved: Self.reserved)
    pieces = writer.pieces()
    (self.model, self.name, self.options) = (model, name, options)
    self.writer = writer
    classes = writer.names.classes
    functions = FetchFunctions(model, options, classes: classes, taken: writer.propertyNames)
    typedIDs = TypedIDs(options, classes: classes, taken: writer.names.taken)
  }

  /// The entities whose classes are the machine's, with these classes.
  private var members: [(entity: EntityDescription, text: String)] {
    zip(model.entities, pieces.classes).filter { !options.notes.ignores($0.0.userInfo) }
      .map { (entity: $0.0, text: $0.1) }
  }

  /// The files of both halves.
  func files() throws -> [GeneratedFile] {
    var files: [GeneratedFile] = []
    let data = TemplateData(model, name, options, classes: classes, functions, typedIDs)
    for (entity, text) in members {
      let type = classes[entity.name] ?? entity.name
      let machine =
        try options.templates.text(.machine, data.values(of: entity))
        ?? imports(of: [entity]) + "\n" + text + extensionText(of: entity)
        + typedIDs.declaration(of: entity.name, type)
      let human =
        try options.templates.text(.human, data.values(of: entity)) ?? humanText(type)
      files.append(GeneratedFile("_\(type).swift", .machine, machine, model: name))
      files.append(GeneratedFile("\(type).swift", .human, human, model: name))
    }
    let whole =
      try options.templates.text(.model, data.valuesOfModel())
      ?? imports(of: []) + modelText
    files.append(GeneratedFile("_\(name).swift", .machine, whole, model: name))
    return files
  }

  /// All of it in one file, for a build that makes it anew.
  func singleFile() -> GeneratedFile {
    let texts = members.map { $0.text + extensionText(of: $0.entity) }
    let text = ([imports(of: model.entities)] + texts).joined(separator: "\n") + modelText
    return GeneratedFile("\(name).swift", .machine, text, model: name)
  }

  var remarks: [String] {
    let protocols = model.entities.flatMap { entity in
      entity.attributes.filter { $0.userInfo[ClassNotes.Key.protocols] != nil }.map {
        "\(entity.name).\($0.name): the note \(ClassNotes.Key.protocols) has no effect, because an attribute needs one "
          + "type. Name it with the note \(ClassNotes.Key.className)."
      }
    }
    let ignored = model.entities.filter { options.notes.ignores($0.userInfo) }.map {
      "\($0.name): the note \(ClassNotes.Key.isIgnored) leaves its class \(classes[$0.name] ?? $0.name) to you."
    }
    return writer.omissions.map(\.description) + functions.remarks + protocols + ignored
  }

  // MARK: - Texts

  private func imports(of entities: [EntityDescription]) -> String {
    let others = entities.flatMap { ClassNotes.list($0.userInfo[ClassNotes.Key.imports]) }
    let modules = Set(others + ["Foundation", "Sporades"])
    // The compiler warns of a public import that no public declaration needs.
    let showsFoundation = entities.isEmpty ? structsShowFoundation : entities.contains(where: shows)
    return modules.sorted().map { module in
      let isShown = module != "Foundation" || showsFoundation
      return "\(isShown ? options.access : "")import \(module)\n"
    }.joined()
  }

  /// The public declarations of the entity's file name types of Foundation.
  private func shows(_ entity: EntityDescription) -> Bool {
    entity.attributes.contains { !options.notes.ignores($0.userInfo) && isOfFoundation($0) }
      || functions.typesNeedFoundation(of: entity.name)
  }

  private func isOfFoundation(_ attribute: AttributeDescription) -> Bool {
    options.notes.typeName(of: attribute) == nil
      && ClassWriter.plainType(of: attribute.type)?.module == "Foundation"
  }

  private var structsShowFoundation: Bool {
    func isShown(_ element: AttributeDescription) -> Bool {
      isOfFoundation(element) || element.elements.contains(where: isShown)
    }
    return model.entities.flatMap(\.attributes).flatMap(\.elements).contains(where: isShown)
  }

  private func extensionText(of entity: EntityDescription) -> String {
    let members =
      KeyEnums(access: options.access, options.notes, taken: writer.propertyNames)
      .declarations(of: entity)
      + functions.declarations(of: entity.name)
    guard !members.isEmpty else { return "" }
    let type = classes[entity.name] ?? entity.name
    return "\nnonisolated extension \(type) {\n\(members.joined(separator: "\n"))}\n"
  }

  private func humanText(_ type: String) -> String {
    """
    import Sporades

    extension \(type) {}

    """
  }

  /// The structs, the list of classes, and the model in code where the classes do not say all that its hashes need.
  private var modelText: String {
    var text = (pieces.structs + [pieces.list]).map { "\n" + $0 }.joined()
    if writer.needsModel {
      text +=
        "\n" + ModelCodeWriter(model, name: name + "Model").declaration(isolation: "nonisolated ")
    }
    return text
  }
}
