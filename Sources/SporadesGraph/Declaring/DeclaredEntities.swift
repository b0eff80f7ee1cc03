// SPDX-License-Identifier: MIT
import SporadesModel

/// Collects declarations into entities. It adds superclasses and destinations that the caller did
/// not list, names the destinations and completes inverses.
struct DeclaredEntities {
  private var declarations: [EntityDeclaration] = []
  /// Classes that cannot be entities, and entities that cannot be told apart.
  private(set) var obstacles: [ModelError.Problem] = []
  private var known: Set<Int> = []
  private let declared = Declarations()

  init(_ classes: [ManagedObject.Type], _ configurations: [String: [ManagedObject.Type]]) {
    for type in classes where !declaresEntity(type) {
      obstacles.append(.init(.unknownEntity, "The class " + describeMissingEntity(of: type, "")))
    }
    for (name, members) in configurations.inOrder {
      for type in members where !declaresEntity(type) {
        obstacles.append(
          .init(
            .unknownEntity,
            "The configuration \(name) lists the class " + describeMissingEntity(of: type)))
      }
    }
    for type in classes { add(type) }
  }

  private mutating func add(_ type: ManagedObject.Type) {
    guard known.insert(Int(bitPattern: ObjectIdentifier(type))).inserted else { return }
    let declaration = declared[type]
    guard declaresEntity(type) else { return }
    if let other = declarations.first(where: { $0.name == declaration.name }) {
      obstacles.append(
        .init(
          .duplicateName, entity: declaration.name,
          "is the entity of two classes, \(String(reflecting: other.type)) and "
            + "\(String(reflecting: type)); give one of them another name, as in "
            + "@Entity(\"Other\(declaration.name)\")."))
    }
    declarations.append(declaration)
    if let superclass = declaration.superclass { add(superclass) }
    for property in declaration.properties {
      guard let destination = property.destination else { continue }
      if !declaresEntity(destination) {
        obstacles.append(
          .init(
            .missingDestination, entity: declaration.name, property: property.name,
            "leads to the class " + describeMissingEntity(of: destination)))
      }
      add(destination)
    }
  }

  /// The to-many relationships that nothing leads back to, although no declaration says so.
  var lonelyRelationships: [String] {
    declarations.flatMap { declaration in
      declaration.properties.compactMap { property in
        guard property.relationship?.isToMany == true, isOpen(property),
          let destination = property.destination.map({ declared[$0] }),
          !isNamed(property, by: destination),
          inverse(of: property, in: declaration) == nil
        else { return nil }
        return "\(declaration.name).\(property.name)"
      }
    }
  }

  /// The class itself declares an entity, and does not only inherit one.
  private func declaresEntity(_ type: ManagedObject.Type) -> Bool {
    let declaration = declared[type]
    return declaration.isDeclared && declaration.type == type
  }

  /// The clause about a class without an entity of its own, with the remedy.
  private func describeMissingEntity(
    of type: ManagedObject.Type, _ link: String = ", which"
  ) -> String {
    guard let above = declared[type].entityClass else {
      return "\(type)\(link) declares no entity; put @Entity before the class."
    }
    return
      "\(type)\(link) declares no entity of its own and inherits \(declared[above].name); put "
      + "@Entity before the class, or name \(above) in its place."
  }

  /// The mistakes in the declarations that no description can express.
  func problems() -> [ModelError.Problem] {
    declarations.flatMap { declaration in
      declaration.properties.flatMap { property in
        (property.problems + property.problemsOfDefault + ambiguity(of: property, in: declaration))
          .map {
            $0.placed(in: declaration.name, property.name)
          }
      }
    }
  }

  func descriptions() -> [EntityDescription] {
    declarations.map { declaration in
      var entity = declaration.description
      entity.relationships = declaration.properties.compactMap { property in
        property.destination.flatMap {
          property.resolved(
            destination: declared[$0].name, inverse: inverse(of: property, in: declaration))
        }
      }
      return entity
    }
  }

  private func inverse(
    of property: PropertyDeclaration, in declaration: EntityDeclaration
  ) -> String? {
    if let named = property.relationship?.inverseName { return named }
    guard !property.refusesInverse, let destination = property.destination.map({ declared[$0] })
    else {
      return nil
    }
    let back = destination.properties.filter { leads($0, to: declaration) }
    if let naming = back.first(where: { $0.relationship?.inverseName == property.name }) {
      return naming.name
    }
    let (open, rivals) = candidates(for: property, in: declaration, destination)
    return open.count == 1 && rivals.count == 1 ? open[0].name : nil
  }

  /// The relationships of the destination that could be the inverse of a property, and the properties
  /// that could be theirs.
  private func candidates(
    for property: PropertyDeclaration, in declaration: EntityDeclaration,
    _ destination: EntityDeclaration
  ) -> (open: [PropertyDeclaration], rivals: [PropertyDeclaration]) {
    guard !property.refusesInverse else { return ([], []) }
    let isSelf = destination.type == declaration.type
    let open = destination.properties.filter {
      leads($0, to: declaration) && isOpen($0) && !(isSelf && $0.name == property.name)
        && !isNamed($0, by: declaration)
    }
    let rivals = declaration.properties.filter {
      leads($0, to: destination) && isOpen($0) && !isNamed($0, by: destination)
        && !(isSelf && $0.name == open.first?.name)
    }
    return (open, rivals)
  }

  /// The problem of a property without an inverse, where several relationships lead back and none is named.
  private func ambiguity(
    of property: PropertyDeclaration, in declaration: EntityDeclaration
  ) -> [ModelError.Problem] {
    guard isOpen(property), let destination = property.destination.map({ declared[$0] }),
      !isNamed(property, by: destination)
    else { return [] }
    let (open, rivals) = candidates(for: property, in: declaration, destination)
    guard !open.isEmpty, open.count > 1 || rivals.count > 1 else { return [] }
    let names = open.map { "\(destination.name).\($0.name)" }.joined(separator: " or ")
    return [
      .init(
        .ambiguousInverse,
        "could have \(names) as its inverse, and no side says which; write @Relationship(inverse: "
          + "\\\(destination.name).\(open[0].name)), or inverse: nil for a relationship without inverse."
      )
    ]
  }

  /// The declaration names no inverse, and does not say that there is none.
  private func isOpen(_ property: PropertyDeclaration) -> Bool {
    property.relationship?.inverseName == nil && !property.refusesInverse
  }

  private func leads(_ property: PropertyDeclaration, to declaration: EntityDeclaration) -> Bool {
    !property.refusesInverse && property.destination.map { $0 == declaration.type } ?? false
  }

  private func isNamed(_ property: PropertyDeclaration, by other: EntityDeclaration) -> Bool {
    other.properties.contains { $0.relationship?.inverseName == property.name }
  }
}
