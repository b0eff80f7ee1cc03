// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesModelFiles

/// Writes the enums with the names of an entity's properties and notes.
struct KeyEnums {
  /// The names of the enums. No class of a model may have one of them.
  static let names: Set<String> = [
    "AttributeKey", "RelationshipKey", "FetchedPropertyKey", "UserInfoKey",
  ]

  private let access: String
  private let notes: ClassNotes
  /// The name of the type of texts.
  private let string: String

  /// - Parameter access: The word before each declaration, with a blank; empty for none.
  ///   `taken` are the names that classes and properties have.
  init(access: String, _ notes: ClassNotes, taken: Set<String>) {
    (self.access, self.notes) = (access, notes)
    string = taken.contains("String") ? "Swift.String" : "String"
  }

  /// The declarations inside the extension of a class, each of which ends with a line break.
  func declarations(of entity: EntityDescription) -> [String] {
    let left = notes.ignoredNames(of: entity)
    let attributes = entity.attributes.map(\.name).filter { !left.contains($0) }
    let relationships = entity.relationships.map(\.name).filter { !left.contains($0) }
    return [
      declaration("AttributeKey", "attributes", attributes.sorted()),
      declaration("RelationshipKey", "relationships", relationships.sorted()),
      declaration(
        "FetchedPropertyKey", "fetched properties", entity.fetchedProperties.map(\.name).sorted()),
      declaration("UserInfoKey", "notes in the user info", entity.userInfo.keys.sorted()),
    ].compactMap(\.self)
  }

  /// An enum needs a case, so there is none for no names.
  private func declaration(_ name: String, _ things: String, _ texts: [String]) -> String? {
    guard !texts.isEmpty else { return nil }
    var names = SwiftNames(reserved: ["allCases", "rawValue", "hash", "hashValue"])
    let cases = texts.map { text in
      let name = names.claim(text)
      let value = name == text ? "" : " = \(SwiftText.literal(text))"
      return "    case \(SwiftText.identifier(name))\(value)\n"
    }
    return """
        /// The names of the entity's own \(things).
        \(access)enum \(name): \(string), CaseIterable, Sendable {
      \(cases.joined())  }

      """
  }
}
