// SPDX-License-Identifier: MIT
package import SporadesModel

/// The notes of mogenerator in the user info of a model, and the settings of a generator, which change classes.
package struct ClassNotes: Sendable {
  /// The class from which the classes without a superentity inherit; nil for that of the library.
  private let base: String?

  package init(baseClass: String? = nil) { base = baseClass }

  /// The keys of the notes.
  package enum Key {
    /// The name of the type whose raw value the attribute holds.
    package static let scalarType = "attributeValueScalarType"
    /// The name of the class of a transformable attribute's values.
    package static let className = "attributeValueClassName"
    /// The names of protocols, with commas between them.
    package static let protocols = "attributeTransformableProtocols"
    /// The names of modules, with commas between them.
    package static let imports = "additionalImports"
    package static let baseClass = "mogenerator.customBaseClass"
    package static let isReadOnly = "mogenerator.readonly"
    package static let isIgnored = "mogenerator.ignore"
    /// The keys of a comment, the most special first.
    package static let comments = ["documentation", "sporades.documentation", "discussion"]
  }

  /// The class from which an entity's class inherits, where the entity has no superentity.
  package func baseClass(of entity: EntityDescription) -> String? {
    entity.userInfo[Key.baseClass].flatMap { $0.isEmpty ? nil : $0 } ?? base
  }

  /// The type that a note gives an attribute; nil if no note does.
  package func typeName(of attribute: AttributeDescription) -> String? {
    if let type = scalarType(of: attribute) { return type }
    guard attribute.type == .transformable else { return nil }
    return Self.typeName(attribute.userInfo[Key.className])
  }

  /// The type whose raw value the attribute holds; nil if no note names it.
  package func scalarType(of attribute: AttributeDescription) -> String? {
    Self.typeName(attribute.userInfo[Key.scalarType])
  }

  /// A note says that the property has no place in the class. Mogenerator asks only whether the note is there.
  package func ignores(_ userInfo: [String: String]) -> Bool { userInfo[Key.isIgnored] != nil }

  /// The names of the properties that notes leave out of an entity's class.
  package func ignoredNames(of entity: EntityDescription) -> Set<String> {
    let attributes = entity.attributes.filter { ignores($0.userInfo) }.map(\.name)
    return Set(attributes + entity.relationships.filter { ignores($0.userInfo) }.map(\.name))
  }

  /// A note says that only the class's own file sets the property.
  package func isReadOnly(_ userInfo: [String: String]) -> Bool {
    userInfo[Key.isReadOnly].map { !["no", "false", "0"].contains($0.lowercased()) } ?? false
  }

  /// The lines of a comment, each with a line break; empty if no note holds one.
  package func comment(_ userInfo: [String: String], indent: String) -> String {
    let texts = Key.comments.compactMap { userInfo[$0] }.filter { !$0.isEmpty }
    let lines = texts.map { $0.split(whereSeparator: \.isNewline) }.joined(separator: [""])
    return lines.map { line in
      let words = line.unicodeScalars.filter { $0.properties.generalCategory != .control }
      return words.isEmpty
        ? "///\n\(indent)" : "/// \(String(String.UnicodeScalarView(words)))\n\(indent)"
    }.joined()
  }

  /// A note's text without the star of Objective-C; nil if it is empty.
  package static func typeName(_ text: String?) -> String? {
    let name = (text ?? "").filter { $0 != "*" && !$0.isWhitespace }
    // Some models have a module and no class behind it: `Shop.`
    return name.isEmpty || name.hasSuffix(".") ? nil : name
  }
}

extension ClassWriter {
  /// Whether a note leaves a property out of its class. The omission is noted.
  mutating func leavesOut(
    _ userInfo: [String: String], _ changesHash: Bool, _ property: String,
    _ entity: EntityDescription
  ) -> Bool {
    guard notes?.ignores(userInfo) == true else { return false }
    omit(
      entity.name, property, changesHash: changesHash,
      "is not in its class, because the note \(ClassNotes.Key.isIgnored) says so.")
    return true
  }

  func comment(_ userInfo: [String: String]) -> String {
    notes?.comment(userInfo, indent: "  ") ?? ""
  }

  /// The words before a property, each with a blank.
  func access(_ userInfo: [String: String]) -> String {
    access + (notes?.isReadOnly(userInfo) == true ? "private(set) " : "")
  }
}
