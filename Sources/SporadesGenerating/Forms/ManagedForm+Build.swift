// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesModelFiles

extension ManagedForm {
  /// The classes and extensions that a build makes, each with the code of its accessors.
  ///
  /// Properties of a class stand in the class itself, so that a subclass in the program can override them, as it can on
  /// Apple's platforms. `nonisolated` serves modules whose declarations belong to the main actor.
  func buildText(_ kinds: [String: ModelFile.CodeGeneration]) -> String {
    model.entities.filter { !options.notes.ignores($0.userInfo) }.map { entity in
      guard let kind = kinds[entity.name], let type = classes[entity.name] else { return "" }
      let properties = properties(of: entity).map { text(of: $0) }
      let functions = entity.relationships.flatMap { relationship in
        methods(for: relationship).map { text(of: $0, relationship.name) }
      }
      let request = """
          @nonobjc public class func fetchRequest() -> NSFetchRequest<\(type)> {
            NSFetchRequest<\(type)>(entityName: \(SwiftText.literal(entity.name)))
          }
        """
      let comment = options.notes.comment(entity.userInfo, indent: "")
      let head =
        kind == .class
        ? "\(comment)nonisolated public class \(type): \(superclasses.name(for: entity)) {"
        : "nonisolated extension \(type) {"
      return "\n\(head)\n" + ([request] + properties + functions).joined(separator: "\n") + "\n}\n"
        + conformance(entity, type)
    }.joined()
  }

  /// The modules that the texts of entities need, beside `CoreData`.
  func buildImports(_ kinds: [String: ModelFile.CodeGeneration]) -> Set<String> {
    Set(
      model.entities.filter { kinds[$0.name] != nil }.flatMap {
        ClassNotes.list($0.userInfo[ClassNotes.Key.imports])
      })
  }

  private func conformance(_ entity: EntityDescription, _ type: String) -> String {
    // A class inherits the conformance.
    superclasses.inherited(by: entity) == nil
      ? "\nnonisolated extension \(type): Identifiable {}\n" : ""
  }

  private func text(of property: Property) -> String {
    let noun = property.type.hasSuffix("?") ? "ManagedOptional" : "Managed"
    let key = SwiftText.literal(property.name)
    return """
        \(options.notes.comment(property.userInfo, indent: "  "))\(declaration(of: property)) {
          get { _get\(noun)(\(key)) }
          set { _set\(noun)(\(key), newValue) }
        }
      """
  }

  private func text(of method: RelationshipMethod, _ relationship: String) -> String {
    "  public func \(method.signature) { \(method.call.function)(\(SwiftText.literal(relationship)), "
      + "\(method.call.arguments)) }"
  }
}
