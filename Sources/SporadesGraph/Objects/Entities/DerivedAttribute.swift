// SPDX-License-Identifier: MIT
import SporadesModel

/// A derived attribute of an entity, with its expression parsed and its names resolved.
struct DerivedAttribute: Sendable {
  /// The numbers of the entities that have the attribute.
  let family: ClosedRange<Int>
  let attribute: AttributeShape
  let derivation: Derivation
  /// The relationships that the expression follows, starting at the entity.
  let steps: [RelationshipShape]
  /// The attribute at the end of the path; nil if the expression counts objects or is `now()`.
  let source: AttributeShape?

  /// All derived attributes of a model.
  static func all(of model: ManagedObjectModel) -> [DerivedAttribute] {
    model.shapes.flatMap { shape in
      shape.attributes.compactMap { attribute in
        // because an inherited attribute belongs to the entity that declares it
        attribute.entity == shape.number ? DerivedAttribute(attribute, shape, model) : nil
      }
    }
  }

  private init?(_ attribute: AttributeShape, _ shape: EntityShape, _ model: ManagedObjectModel) {
    guard let text = attribute.description.derivationExpression,
      let derivation = Derivation(text)
    else { return nil }
    family = shape.family
    self.attribute = attribute
    self.derivation = derivation
    guard !derivation.path.isEmpty else {
      (steps, source) = ([], nil)
      return
    }
    // `try?`, because the model has checked the path, and an attribute without one is not derived here.
    guard let path = try? KeyPathShape(derivation.path, in: shape, model) else { return nil }
    steps = path.relationships
    source = path.attribute
  }
}

extension Derivation {
  fileprivate var path: [String] {
    switch self {
    case .keyPath(let path), .canonical(let path), .uppercase(let path), .lowercase(let path),
      .count(let path), .sum(let path):
      path
    case .now: []
    }
  }
}
