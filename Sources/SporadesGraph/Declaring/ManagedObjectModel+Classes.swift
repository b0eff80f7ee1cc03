// SPDX-License-Identifier: MIT
import SporadesChain
public import SporadesModel

// The model that classes declare.

extension ManagedObjectModel {
  /// Refuses classes under the name of descriptions.
  @available(
    *, unavailable, message: "classes have no name in front: write ManagedObjectModel([User.self])"
  )
  public init(entities: [ManagedObject.Type]) throws(ModelError) {
    trap("The compiler refuses it.")
  }

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
    let declared = DeclaredEntities(classes, configurations)
    // because each of them would have consequences that hide it
    guard declared.obstacles.isEmpty else { throw ModelError(declared.obstacles) }
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
    guard ConcurrencyCheck.isOn else { return }
    let lonely = declared.lonelyRelationships
    if !lonely.isEmpty { Self.inverseHint.give(about: lonely.joined(separator: ", ")) }
    hintAtCascadesToOwners()
    hintAtTakenNames()
    hintAtDividedRelationships()
  }

  private static let cascadeHint = Hint(
    " has the delete rule .cascade and leads to the one owner of many: the deletion of one member deletes the owner, and the "
      + "other members stay without one. For members that go with their owner, write .cascade at the owner's Set or Array."
  )

  private func hintAtCascadesToOwners() {
    let cascades = shapes.flatMap { shape in
      shape.relationships.filter { relationship in
        guard relationship.entity == shape.number, !relationship.isToMany,
          relationship.description.deleteRule == .cascade, let inverse = relationship.inverseName,
          case .relationship(let back)? = self.shape(numbered: relationship.destination)[inverse]
        else { return false }
        return back.isToMany && back.description.deleteRule != .cascade
      }.map { "\(shape.name).\($0.name)" }
    }
    if !cascades.isEmpty { Self.cascadeHint.give(about: cascades.joined(separator: ", ")) }
  }

  private static let inverseHint = Hint(
    " without an inverse: each member belongs to one owner, and a second owner takes it from the first. For many owners, "
      + "declare a Set of them in the class of the members; if one is right, write @Relationship(inverse: nil)."
  )

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
