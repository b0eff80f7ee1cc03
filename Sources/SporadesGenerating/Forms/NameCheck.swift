// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesModelFiles

/// Collects the names of a model, and of its notes, that Swift source cannot contain.
struct NameCheck {
  private(set) var sentences: [String] = []
  private let notes: ClassNotes
  /// The source has the classes that the model itself gives to transformable values.
  private let usesValueClasses: Bool

  /// Checks the properties and notes of all entities, or of those with the names.
  init(_ model: ManagedObjectModel, _ options: GenerationOptions, only names: Set<String>? = nil) {
    notes = options.notes
    usesValueClasses = options.form == .managed
    for entity in model.entities where !notes.ignores(entity.userInfo) {
      if names?.contains(entity.name) ?? true { check(entity) }
    }
  }

  /// Throws if there is a sentence.
  func finish() throws(GenerationError) {
    guard sentences.isEmpty else { throw GenerationError(sentences) }
  }

  private mutating func check(_ entity: EntityDescription) {
    for attribute in entity.attributes where !notes.ignores(attribute.userInfo) {
      check(attribute, entity.name)
    }
    for relationship in entity.relationships where !notes.ignores(relationship.userInfo) {
      checkProperty(relationship.name, "\(entity.name).\(relationship.name)")
    }
    for fetched in entity.fetchedProperties {
      checkProperty(fetched.name, "\(entity.name).\(fetched.name)")
    }
    check(entity.userInfo[ClassNotes.Key.baseClass], of: ClassNotes.Key.baseClass, entity.name)
    for module in ClassNotes.list(entity.userInfo[ClassNotes.Key.imports]) {
      check(module, of: ClassNotes.Key.imports, entity.name)
    }
  }

  private mutating func check(_ attribute: AttributeDescription, _ outer: String) {
    let place = "\(outer).\(attribute.name)"
    checkProperty(attribute.name, place)
    for key in [ClassNotes.Key.scalarType, ClassNotes.Key.className] {
      check(ClassNotes.typeName(attribute.userInfo[key]), of: key, place)
    }
    if usesValueClasses {
      check(ClassNotes.typeName(attribute.attributeValueClassName), of: "customClassName", place)
    }
    for name in ClassNotes.list(attribute.userInfo[ClassNotes.Key.protocols]) {
      check(name, of: ClassNotes.Key.protocols, place)
    }
    for element in attribute.elements { check(element, place) }
  }

  private mutating func checkProperty(_ name: String, _ place: String) {
    guard !SwiftText.canDeclare(property: name) || !ModelNames.isIdentifier(name) else { return }
    sentences.append(
      "\(place): no property in Swift can have this name. Rename it in the model, or leave it out of the class with "
        + "the note \(ClassNotes.Key.isIgnored).")
  }

  /// A note becomes a part of the source, so it must be a type.
  private mutating func check(_ name: String?, of key: String, _ place: String) {
    guard let name, !name.isEmpty, !Self.isType(name) else { return }
    sentences.append(
      "\(place): the text of \(key) is \(SwiftText.literal(name)), which names no type in Swift. Correct it in the model."
    )
  }

  /// The text is a name, or a generic type.
  static func isType(_ text: String) -> Bool {
    let isName = text.first?.isLetter == true || text.first == "_" || text.first == "["
    return isName && text.allSatisfy { $0.isLetter || $0.isNumber || "_.<>[]:,?".contains($0) }
  }

  /// Checks the names of classes that a model gives itself.
  mutating func checkClasses(_ classes: [(entity: String, name: String)]) {
    for (entity, name) in classes {
      let isPlain = ModelNames.isIdentifier(name) && SwiftText.identifier(name) == name
      guard !isPlain || KeyEnums.names.contains(name) else { continue }
      sentences.append(
        "\(entity): no class in Swift can have the name \(SwiftText.literal(name)). Choose another one in the model."
      )
    }
  }
}

extension ClassNotes {
  /// The names between the commas of a note.
  static func list(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",").map { $0.filter { !$0.isWhitespace } }
      .filter { !$0.isEmpty }
  }
}
