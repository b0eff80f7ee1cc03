// SPDX-License-Identifier: MIT
package import SporadesModel

extension ManagedObjectModel {
  /// Throws unless each class has an entity in the model, with every property that the class declares. The error names
  /// each property that does not fit.
  ///
  /// The model may have more properties than the class. A number may be wider in the class than in the model, and an
  /// optional property fits a required one: both can show every value. A narrower number is refused, because it would
  /// show a large value as another one.
  package func checkFit(of classes: [ManagedObject.Type]) throws(ModelError) {
    var problems: [ModelError.Problem] = []
    let declared = Declarations()
    for type in classes { problems += ClassFit(type, self, declared).problems() }
    guard problems.isEmpty else { throw ModelError(problems) }
  }
}

/// The comparison of a class with its entity in a model.
private struct ClassFit {
  private let type: ManagedObject.Type
  private let model: ManagedObjectModel
  private let declarations: Declarations

  init(
    _ type: ManagedObject.Type, _ model: ManagedObjectModel, _ declarations: Declarations
  ) {
    self.type = type
    self.model = model
    self.declarations = declarations
  }

  func problems() -> [ModelError.Problem] {
    let declaration = declarations[type]
    guard declaration.isDeclared, declaration.type == type else {
      return [
        .init(
          .unknownEntity,
          "The class \(type) declares no entity of its own; put @Entity before the class.")
      ]
    }
    guard let shape = shape(of: type) else {
      let names = model.shapes.map(\.name).sorted().prefix(20).joined(separator: ", ")
      return [
        .init(
          .unknownEntity, entity: declaration.name,
          "is the entity of the class \(type), and the model does not have it. It has \(names).")
      ]
    }
    return declarations.allProperties(of: type).compactMap { objection(to: $0, shape) }
  }

  /// The entity that a stack binds to the class.
  private func shape(of type: ManagedObject.Type) -> EntityShape? {
    model.shape(named: declarations[type].name)
      ?? model.shapes.first { $0.description.managedObjectClassName == "\(type)" }
  }

  private func objection(
    to property: PropertyDeclaration, _ shape: EntityShape
  ) -> ModelError.Problem? {
    func problem(_ detail: String) -> ModelError.Problem {
      .init(.unknownProperty, entity: shape.name, property: property.name, detail)
    }
    switch shape[property.name] {
    case nil:
      return problem(
        "is a property of the class \(type), and the model does not have it. Remove it from the class, or "
          + "spell it as the model does.")
    case .fetched:
      return problem("is a property of the class \(type), and a fetched property of the model.")
    case .attribute(let attribute):
      guard let declared = property.attribute else {
        return problem("is a relationship of the class \(type), and an attribute of the model.")
      }
      guard !Self.fits(declared, attribute.description) else { return nil }
      return problem(
        "is of the type \(declared.type) in the class \(type), and of the type \(attribute.type) in the model."
      )
    case .relationship(let relationship):
      return objection(to: property, relationship).map(problem)
    }
  }

  private static func fits(
    _ declared: AttributeDescription, _ stored: AttributeDescription
  ) -> Bool {
    if declared.type == .composite, stored.type == .composite {
      let elements = Dictionary(grouping: stored.elements, by: \.name)
      return declared.elements.allSatisfy { element in
        elements[element.name]?.first.map { fits(element, $0) } ?? false
      }
    }
    return shows(declared.type, stored.type)
  }

  /// Whether a property of the declared type shows every value of the stored type.
  private static func shows(_ declared: AttributeType, _ stored: AttributeType) -> Bool {
    switch (declared, stored) {
    case (.integer32, .integer16), (.integer64, .integer16), (.integer64, .integer32),
      (.double, .float), (.binary, .transformable), (.transformable, .binary):
      true
    default: declared == stored
    }
  }

  private func objection(
    to property: PropertyDeclaration, _ stored: RelationshipShape
  ) -> String? {
    guard let declared = property.relationship, let destination = property.destination else {
      return "is an attribute of the class \(type), and a relationship of the model."
    }
    guard declared.isToMany == stored.isToMany, declared.isOrdered == stored.isOrdered else {
      return
        "is \(Self.kind(declared)) in the class \(type), and \(Self.kind(stored.description)) in the model."
    }
    guard declarations[destination].isDeclared,
      let reached = shape(of: destination),
      reached.family.contains(stored.destination)
    else {
      let name = model.shape(numbered: stored.destination).name
      return
        "leads to \(destination) in the class \(type), and to the entity \(name) in the model, whose objects may "
        + "be of another class."
    }
    return nil
  }

  private static func kind(_ relationship: RelationshipDescription) -> String {
    guard relationship.isToMany else { return "a to-one relationship" }
    return relationship.isOrdered
      ? "an ordered to-many relationship" : "a to-many relationship without an order"
  }
}
