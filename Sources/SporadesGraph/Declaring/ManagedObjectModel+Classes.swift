// SPDX-License-Identifier: MIT
public import SporadesModel

extension ManagedObjectModel {
  /// Makes the model that the classes declare.
  ///
  /// A relationship without a named inverse gets one if there is exactly one candidate: the only
  /// relationship of the destination that leads back and has no other inverse.
  ///
  /// A configuration lists the classes whose entities one store may hold.
  public init(
    _ classes: [ManagedObject.Type], configurations: [String: [ManagedObject.Type]] = [:]
  ) throws(ModelError) {
    // because a file without entities would fit no later model
    guard !classes.isEmpty else {
      throw ModelError([
        .init(
          .unknownEntity,
          "The list of classes is empty. List the classes whose objects the store keeps, as in [User.self]."
        )
      ])
    }
    let declared = DeclaredEntities(classes)
    var problems = declared.problems()
    do {
      self = try ManagedObjectModel(
        entities: declared.descriptions(),
        configurations: configurations.mapValues { $0.map(\.declaration.name) })
      problems += predicateProblems()
    } catch {
      throw ModelError(problems + error.problems)
    }
    guard problems.isEmpty else { throw ModelError(problems) }
  }

  /// The validation predicates that do not fit their entity.
  private func predicateProblems() -> [ModelError.Problem] {
    shapes.flatMap { shape in
      shape.attributes.filter { $0.entity == shape.number }.flatMap {
        predicateProblems($0, [$0.name], of: shape)
      }
    }
  }

  private func predicateProblems(
    _ attribute: AttributeShape, _ path: [String], of entity: EntityShape
  ) -> [ModelError.Problem] {
    var problems = attribute.elements.flatMap {
      predicateProblems($0, path + [$0.name], of: entity)
    }
    for predicate in attribute.description.validation.predicates {
      do {
        try predicate.asking(path).validate(in: entity, self)
      } catch {
        problems.append(
          .init(
            .invalidPredicate, entity: entity.name, property: path.joined(separator: "."),
            "has the predicate \"\(predicate)\", which does not fit it. \(error)"))
      }
    }
    return problems
  }
}

/// Collects declarations into entities. It adds superclasses and destinations that the caller did
/// not list, names the destinations and completes inverses.
private struct DeclaredEntities {
  private var declarations: [EntityDeclaration] = []

  init(_ classes: [ManagedObject.Type]) {
    var known: Set<Int> = []
    for type in classes { add(type, &known) }
  }

  private mutating func add(_ type: ManagedObject.Type, _ known: inout Set<Int>) {
    let place = Int(bitPattern: ObjectIdentifier(type))
    guard type != ManagedObject.self, known.insert(place).inserted else { return }
    let declaration = type.declaration
    declarations.append(declaration)
    if let superclass = declaration.superclass { add(superclass, &known) }
    for property in declaration.properties {
      if let destination = property.destination { add(destination, &known) }
    }
  }

  /// The mistakes in the declarations that no description can express.
  func problems() -> [ModelError.Problem] {
    declarations.flatMap { declaration in
      declaration.properties.flatMap { property in
        property.problems.map { $0.placed(in: declaration.name, property.name) }
      }
    }
  }

  func descriptions() -> [EntityDescription] {
    declarations.map { declaration in
      var entity = declaration.description
      entity.relationships = declaration.properties.compactMap { property in
        property.destination.flatMap {
          property.resolved(
            destination: $0.declaration.name, inverse: inverse(of: property, in: declaration))
        }
      }
      return entity
    }
  }

  private func inverse(
    of property: PropertyDeclaration, in declaration: EntityDeclaration
  ) -> String? {
    if let named = property.relationship?.inverseName { return named }
    guard let destination = property.destination?.declaration else { return nil }
    let back = destination.properties.filter { leads($0, to: declaration) }
    if let naming = back.first(where: { $0.relationship?.inverseName == property.name }) {
      return naming.name
    }
    let isSelf = destination.type == declaration.type
    let open = back.filter {
      $0.relationship?.inverseName == nil && !(isSelf && $0.name == property.name)
        && !isNamed($0, by: declaration)
    }
    let rivals = declaration.properties.filter {
      leads($0, to: destination) && $0.relationship?.inverseName == nil
        && !isNamed($0, by: destination) && !(isSelf && $0.name == open.first?.name)
    }
    return open.count == 1 && rivals.count == 1 ? open[0].name : nil
  }

  private func leads(_ property: PropertyDeclaration, to declaration: EntityDeclaration) -> Bool {
    property.destination.map { $0 == declaration.type } ?? false
  }

  private func isNamed(_ property: PropertyDeclaration, by other: EntityDeclaration) -> Bool {
    other.properties.contains { $0.relationship?.inverseName == property.name }
  }
}
