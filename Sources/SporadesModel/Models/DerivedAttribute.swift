// SPDX-License-Identifier: MIT

/// A derived attribute of an entity, with its expression parsed and its names resolved.
package final class DerivedAttribute: Sendable {
  /// The numbers of the entities that have the attribute.
  package let family: ClosedRange<Int>
  package let attribute: AttributeShape
  package let derivation: Derivation
  /// The relationships that the expression follows, starting at the entity.
  package let steps: [RelationshipShape]
  /// The attribute at the end of the path; nil if the expression counts objects or is `now()`.
  package let source: AttributeShape?
  /// The slot of the members that refers to their owner, for a total over one one-to-many
  /// relationship; nil for every other expression.
  package let memberSlot: Int?

  /// All derived attributes of a model. An attribute that is derived from another one comes after
  /// it.
  package static func all(of model: ManagedObjectModel) -> [DerivedAttribute] {
    let all = declared(in: model)
    var sorted: [DerivedAttribute] = []
    var met: Set<Name> = []
    func append(_ derived: DerivedAttribute) {
      // because each one comes once, and a circle of expressions must end
      guard met.insert(Name(derived.attribute)).inserted else { return }
      if let source = derived.source {
        all.first { Name($0.attribute) == Name(source) }.map(append)
      }
      sorted.append(derived)
    }
    // The time of the save alone changes no object, so only objects with other changes get it.
    for derived in all where derived.derivation == .now { append(derived) }
    for derived in all { append(derived) }
    return sorted
  }

  /// An inherited attribute has the name that it has in the entity that declares it.
  private struct Name: Hashable {
    let entity: Int
    let attribute: String

    init(_ attribute: AttributeShape) {
      entity = attribute.entity
      self.attribute = attribute.name
    }
  }

  private static func declared(in model: ManagedObjectModel) -> [DerivedAttribute] {
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
      (steps, source, memberSlot) = ([], nil, nil)
      return
    }
    // `try?`, because the model has checked the path, and an attribute without one is not derived here.
    guard let path = try? KeyPathShape(derivation.path, in: shape, model) else { return nil }
    steps = path.relationships
    source = path.attribute
    memberSlot =
      if derivation.isTotal, steps.count == 1,
        case .inverseReference(let slot, _) = steps[0].storage
      { slot } else { nil }
  }
}

extension Derivation {
  fileprivate var isTotal: Bool {
    switch self {
    case .count, .sum: true
    case .keyPath, .canonical, .uppercase, .lowercase, .now: false
    }
  }
}
