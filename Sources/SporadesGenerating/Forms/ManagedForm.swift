// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesModelFiles

/// Makes classes of Core Data, as Xcode generates them: the class in a file for people, and its properties in a file of
/// the machine.
struct ManagedForm {
  let model: ManagedObjectModel
  private let name: String
  let options: GenerationOptions
  /// The classes by the names of their entities, without the entities that have no class of their own.
  let classes: [String: String]
  /// The names of all classes and properties. Where one has the name of a type, the type needs its module.
  let takenNames: Set<String>
  private let functions: FetchFunctions
  private let typedIDs: TypedIDs
  private let entities: [String: EntityDescription]

  /// Checks the names of the entities that get classes; nil means all.
  init(
    _ model: ManagedObjectModel, _ name: String, _ options: GenerationOptions,
    only names: Set<String>? = nil
  ) throws {
    let classes = Self.classes(of: model)
    var check = NameCheck(model, options, only: names)
    let checked = classes.filter { names?.contains($0.key) ?? true }
    check.checkClasses(checked.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    try check.finish()
    (self.model, self.name, self.options, self.classes) = (model, name, options, classes)
    takenNames = Set(classes.values).union(model.entities.flatMap(\.propertyNames))
    functions = FetchFunctions(model, options, classes: classes, taken: takenNames)
    typedIDs = TypedIDs(options, classes: classes, taken: takenNames)
    entities = model.entitiesByName
  }

  /// The name behind the module: `Shop.Customer`. The general class is no class of an entity's own.
  private static func classes(of model: ManagedObjectModel) -> [String: String] {
    var classes: [String: String] = [:]
    for entity in model.entities {
      let last = entity.managedObjectClassName?.split(separator: ".").last.map(String.init)
      if let last, last != "NSManagedObject" { classes[entity.name] = last }
    }
    return classes
  }

  /// The sentences about entities and templates that have no files or functions.
  var remarks: [String] {
    let members = model.entities.filter { !options.notes.ignores($0.userInfo) }
    return functions.remarks
      + members.filter { classes[$0.name] == nil }.map {
        "\($0.name): has no class of its own, so no files are made of it."
      }
  }

  /// The files of both halves.
  func files() throws -> [GeneratedFile] {
    var files: [GeneratedFile] = []
    let data = TemplateData(model, name, options, classes: classes, functions, typedIDs)
    for entity in model.entities where !options.notes.ignores(entity.userInfo) {
      guard let type = classes[entity.name] else { continue }
      let human = try options.templates.text(.human, data.values(of: entity))
      let machine = try options.templates.text(.machine, data.values(of: entity))
      files.append(
        GeneratedFile(
          "\(type)+CoreDataClass.swift", .human, human ?? classText(of: entity, type), model: name))
      files.append(
        GeneratedFile(
          "\(type)+CoreDataProperties.swift", .machine, machine ?? propertiesText(of: entity, type),
          model: name))
    }
    if let text = try options.templates.text(.model, data.valuesOfModel()) {
      files.append(GeneratedFile("\(name)+CoreDataModel.swift", .machine, text, model: name))
    }
    return files
  }

  var superclasses: Superclasses { Superclasses(entities, classes, options) }

  // MARK: - Texts

  private func classText(of entity: EntityDescription, _ type: String) -> String {
    let comment = options.notes.comment(entity.userInfo, indent: "")
    return """
      \(imports(of: entity))
      \(comment)\(Self.objectiveC("@objc(\(type))", indent: ""))public class \(type): \(superclasses.name(for: entity)) {}

      """
  }

  private func propertiesText(of entity: EntityDescription, _ type: String) -> String {
    var members = [
      """
        @nonobjc public class func fetchRequest() -> NSFetchRequest<\(type)> {
          NSFetchRequest<\(type)>(entityName: \(SwiftText.literal(entity.name)))
        }

      """
    ]
    let properties = properties(of: entity)
    if !properties.isEmpty {
      members.append(
        properties.map {
          "  \(options.notes.comment($0.userInfo, indent: "  "))@NSManaged \(declaration(of: $0))\n"
        }.joined())
    }
    members += KeyEnums(access: options.access, options.notes, taken: takenNames).declarations(
      of: entity)
    members += functions.declarations(of: entity.name)
    var text = imports(of: entity)
    text += "\nextension \(type) {\n\(members.joined(separator: "\n"))}\n"
    for relationship in entity.relationships {
      text += accessors(for: relationship, of: type)
    }
    // A class inherits the conformance.
    if superclasses.inherited(by: entity) == nil {
      text += "\nextension \(type): Identifiable {}\n"
    }
    return text + typedIDs.declaration(of: entity.name, type)
  }

  private func imports(of entity: EntityDescription) -> String {
    let others = ClassNotes.list(entity.userInfo[ClassNotes.Key.imports])
    return Set(others + ["CoreData", "Foundation"]).sorted().map { "import \($0)\n" }.joined()
  }

  /// Attributes that only the platforms with Objective-C have.
  static func objectiveC(_ attribute: String, indent: String) -> String {
    "#if canImport(ObjectiveC)\n\(indent)\(attribute)\n\(indent)#endif\n\(indent)"
  }
}
