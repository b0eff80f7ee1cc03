// SPDX-License-Identifier: MIT
package import SporadesModel

/// Writes the classes of a model.
package struct ClassWriter {
  let model: ManagedObjectModel
  private let name: String
  /// The notes of the model's author that change the classes; nil where they have no effect.
  let notes: ClassNotes?
  /// The word before each declaration, with a blank; empty for none.
  let access: String
  package internal(set) var names: ClassNames
  package private(set) var omissions: [ModelWarning] = []
  package private(set) var needsModel = false
  /// The names of the structs, by the elements of their composites.
  private var structNames: [[AttributeDescription]: String] = [:]
  private var structs: [String] = []
  /// The names of all properties. Where one has the name of a type, the type needs its module.
  package let propertyNames: Set<String>

  package init(
    _ model: ManagedObjectModel, name: String, notes: ClassNotes? = nil, access: String = "",
    reserved: Set<String> = []
  ) {
    self.model = model
    self.name = name
    self.notes = notes
    self.access = access
    names = ClassNames(model, reserved: reserved.union([name, name + "Model"]))
    func elementNames(_ attribute: AttributeDescription) -> [String] {
      attribute.elements.flatMap { [$0.name] + elementNames($0) }
    }
    let elements = model.entities.flatMap(\.attributes).flatMap(elementNames)
    propertyNames = Set(model.entities.flatMap(\.propertyNames) + elements)
  }

  /// The pieces of the source, each of which ends with a line break.
  package struct Pieces: Sendable {
    /// The structs of composite attributes.
    package let structs: [String]
    /// The classes, in the order of the model's entities.
    package let classes: [String]
    /// The enum that lists the classes.
    package let list: String
  }

  package mutating func pieces() -> Pieces {
    let classes = model.entities.map { declaration(of: $0) }
    omitModelParts()
    return Pieces(structs: structs, classes: classes, list: list())
  }

  mutating func text() -> String {
    let pieces = pieces()
    let parts = ["import Foundation\nimport Sporades\n"] + pieces.structs + pieces.classes
    return (parts + [pieces.list]).joined(separator: "\n")
  }

  /// Notes a part that the classes do not say.
  mutating func omit(
    _ entity: String?, _ property: String?, changesHash: Bool = false, _ detail: String
  ) {
    // Generated files have the model in code with the classes.
    let remedy =
      notes == nil
      ? " The version hash needs it: use the model in code."
      : " The version hash needs it, so \(name).makeModel() makes the model in code."
    omissions.append(
      .init(
        .misplacedOption, entity: entity, property: property,
        detail + (changesHash ? remedy : "")))
    needsModel = needsModel || changesHash
  }

  // MARK: - Classes

  private mutating func declaration(of entity: EntityDescription) -> String {
    let name = names.classes[entity.name] ?? entity.name
    var arguments: [String] = []
    if name != entity.name { arguments.append(SwiftText.literal(entity.name)) }
    if entity.isAbstract { arguments.append("isAbstract: true") }
    if let former = entity.renamingIdentifier {
      arguments.append("renamedFrom: \(SwiftText.literal(former))")
    }
    if let modifier = entity.versionHashModifier {
      arguments.append("hashModifier: \(SwiftText.literal(modifier))")
    }
    if !entity.userInfo.isEmpty {
      arguments.append("userInfo: \(SwiftText.dictionary(entity.userInfo))")
    }
    let isFinal = !model.entities.contains { $0.superentityName == entity.name }
    let superclass =
      entity.superentityName.flatMap { names.classes[$0] } ?? notes?.baseClass(of: entity)
      ?? "ManagedObject"
    let lines = lists(of: entity) + properties(of: entity)
    let list = arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"
    let comment = notes?.comment(entity.userInfo, indent: "") ?? ""
    let head =
      "\(comment)@Entity\(list) \(access)\(isolation)\(isFinal ? "final " : "")class \(name): \(superclass) {"
    return lines.isEmpty ? "\(head)}\n" : "\(head)\n\(lines.map { "  \($0)\n" }.joined())}\n"
  }

  /// The word before each type. Generated files cannot be edited, so they also compile in a module whose declarations
  /// belong to the main actor.
  private var isolation: String { notes == nil ? "" : "nonisolated " }

  private mutating func properties(of entity: EntityDescription) -> [String] {
    var lines: [String] = []
    for attribute in entity.attributes {
      if let line = line(of: attribute, [attribute.name], entity) { lines.append(line) }
    }
    for relationship in entity.relationships {
      if let line = line(of: relationship, entity) { lines.append(line) }
    }
    for fetched in entity.fetchedProperties {
      omit(entity.name, fetched.name, "is a fetched property, which no class declares.")
    }
    return lines
  }

  private mutating func lists(of entity: EntityDescription) -> [String] {
    let left = notes?.ignoredNames(of: entity) ?? []
    var lines = entity.uniquenessConstraints.filter { left.isDisjoint(with: $0) }.map { names in
      "#Unique(\(names.map { SwiftText.literal($0) }.joined(separator: ", ")))"
    }
    for index in entity.indexes where left.isDisjoint(with: index.elements.map(\.property)) {
      if let line = line(of: index, entity) { lines.append(line) }
    }
    if !entity.unenforcedConstraints.isEmpty {
      omit(
        entity.name, nil, changesHash: true,
        "has a uniqueness constraint that no store can enforce, which no class declares.")
    }
    return lines
  }

  private mutating func line(of index: FetchIndexDescription, _ entity: EntityDescription)
    -> String?
  {
    let name = SwiftText.literal(index.name)
    let start = "#Index(name: \(name), elements: \(SwiftText.list(index.elements))"
    guard let predicate = index.partialIndexPredicate else { return start + ")" }
    guard let text = predicate.readableFormat else {
      omit(entity.name, nil, "has the index \(index.name) with a condition that has no text.")
      return nil
    }
    return start + ", where: try! FetchPredicate(format: \(SwiftText.literal(text))))"
  }

  // MARK: - Composites

  /// The name of the struct with an attribute's elements, which is added unless there is one.
  mutating func structName(
    of attribute: AttributeDescription, _ path: [String], _ entity: EntityDescription
  ) -> String {
    if let name = structNames[attribute.elements] { return name }
    let words = path.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let name = names.claim([entity.name + words.joined()])
    structNames[attribute.elements] = name
    var lines: [String] = []
    var declared: [AttributeDescription] = []
    for element in attribute.elements {
      guard let line = line(of: element, path + [element.name], entity) else { continue }
      lines.append(line)
      declared.append(element)
    }
    if !access.isEmpty { lines += initializer(of: declared, path, entity) }
    // The compiler infers this conformance for structs of the own module alone.
    let conformance = access.isEmpty || hasOwnType(declared) ? "" : ": Sendable"
    let body = lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
    structs.append("@Composite \(access)\(isolation)struct \(name)\(conformance) {\n\(body)}\n")
    return name
  }

  /// Notes give one of the elements a type of the program's own.
  private func hasOwnType(_ elements: [AttributeDescription]) -> Bool {
    elements.contains { notes?.typeName(of: $0) != nil || hasOwnType($0.elements) }
  }

  /// The lines of the initialiser that other modules need. The compiler makes one for the own module alone.
  private mutating func initializer(
    of elements: [AttributeDescription], _ path: [String], _ entity: EntityDescription
  ) -> [String] {
    let parameters = elements.map { element in
      let type = typeName(of: element, path + [element.name], entity) ?? ""
      return "\(SwiftText.identifier(element.name)): \(type)\(element.isOptional ? "? = nil" : "")"
    }
    let names = elements.map { SwiftText.identifier($0.name) }
    return ["", "\(access)init(\(parameters.joined(separator: ", "))) {"]
      + names.map { "  self.\($0) = \($0)" } + ["}"]
  }

  // MARK: - Model

  private mutating func omitModelParts() {
    // A generator writes functions for the templates.
    guard notes == nil else { return }
    for name in model.fetchRequestTemplates.keys.sorted() {
      omit(nil, name, "is a fetch request template, which no class declares.")
    }
    if !model.versionIdentifiers.subtracting([""]).isEmpty {
      omit(nil, nil, "The model has version identifiers, which no class declares.")
    }
  }

  private func list() -> String {
    let classes = model.entities.map { "\(names.classes[$0.name] ?? $0.name).self" }
    // Generated files hold the model in code where the classes alone would have other hashes.
    let isWhole = notes == nil || !needsModel
    // A list of classes cannot be empty, and a model's entities may be.
    let argument = classes.isEmpty ? "entities: []" : "classes"
    let configurations = model.configurations.sorted { $0.key < $1.key }.map { name, members in
      let types = members.map { "\(names.classes[$0] ?? $0).self" }
      return "      \(SwiftText.literal(name)): [\(types.joined(separator: ", "))],\n"
    }
    let second =
      configurations.isEmpty ? "" : ", configurations: [\n\(configurations.joined())    ]"
    return """
      /// The classes, and the model that they declare.
      \(access)\(isolation)enum \(name) {
        \(access)static let classes: [ManagedObject.Type] = [
      \(classes.map { "    \($0),\n" }.joined())  ]

        \(access)static func makeModel() throws -> ManagedObjectModel {
          try \(isWhole ? "ManagedObjectModel(\(argument)\(second))" : "\(name)Model.makeModel()")
        }
      }

      """
  }
}
