// SPDX-License-Identifier: MIT
package import SporadesModel

/// Former names in the program's model that the store's version of the model lacks: a name that is misspelled there makes its
/// property new, and the content of the former one has no place.
package struct FormerNames {
  private static let listed = 3

  /// The remark on such names in an error about content without a place; nil if there are none.
  package static func remark(_ evolution: ModelEvolution) -> String? {
    let names = evolution.new.entities.flatMap { entity -> [(part: String, former: String)] in
      guard evolution.source(ofEntity: entity.name) != nil else {
        return entity.renamingIdentifier.map { [(entity.name, $0)] } ?? []
      }
      return entity.attributes.compactMap { attribute in
        attribute.renamingIdentifier.flatMap { former in
          evolution.source(ofAttribute: attribute.name, in: entity.name) == nil
            && attribute.elements.isEmpty ? ("\(entity.name).\(attribute.name)", former) : nil
        }
      }
        + entity.relationships.compactMap { relationship in
          relationship.renamingIdentifier.flatMap { former in
            evolution.source(ofRelationship: relationship.name, in: entity.name) == nil
              ? ("\(entity.name).\(relationship.name)", former) : nil
          }
        }
    }
    guard !names.isEmpty else { return nil }
    let list = names.prefix(listed).map { "\($0.part) says that it was \($0.former)" }
    return
      "\(list.joined(separator: ", ")), which the store's version of the model does not "
      + "have. If a version in between has it, name the store's version and those in between in migration.versions."
  }
}
