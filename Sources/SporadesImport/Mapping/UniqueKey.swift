// SPDX-License-Identifier: MIT
import SporadesModel

/// The attributes that tell the objects of an entity apart.
enum UniqueKey {
  /// The attribute that the note `relatedByAttribute` names, or those of the first uniqueness constraint, or an attribute
  /// named after its entity (`userID`); nil if there is none of these.
  static func names(of shape: EntityShape, _ model: ManagedObjectModel) -> [String]? {
    for entity in lineage(of: shape, model) {
      // A note that names no attribute is refused where its entity is imported itself.
      if let name = note(of: entity), case .attribute? = shape[name] { return [name] }
    }
    for entity in lineage(of: shape, model) {
      let constraint = entity.description.uniquenessConstraints.first {
        $0.allSatisfy { name in if case .attribute? = shape[name] { true } else { false } }
      }
      if let constraint { return constraint }
    }
    let name = shape.name.lowercasedFirst + "ID"
    if case .attribute? = shape[name] { return [name] }
    return nil
  }

  /// The attribute that the note of an entity names, whether there is one or not.
  static func note(of shape: EntityShape) -> String? {
    shape.description.userInfo["relatedByAttribute"]
  }

  /// The entity and those that it inherits from.
  private static func lineage(
    of shape: EntityShape, _ model: ManagedObjectModel
  ) -> [EntityShape] {
    var all = [shape]
    while let last = all.last, last.superNumber > 0 {
      all.append(model.shape(numbered: last.superNumber))
    }
    return all
  }
}

extension AttributeShape {
  /// The attribute, or the members of a composite one, with their names.
  var leaves: [(path: [String], attribute: AttributeShape)] {
    guard type == .composite else { return [([name], self)] }
    return elements.flatMap { element in
      element.leaves.map { ([name] + $0.path, $0.attribute) }
    }
  }
}
