// SPDX-License-Identifier: MIT

/// The meaning of a condition on objects of which the model tells the values that are asked: a search in all texts of an
/// entity.
package protocol EntityMeaning: ConditionMeaning {
  /// The condition with all its operands. Its first operand leads to an object of the entity.
  func completed(
    _ condition: OpenCondition, for entity: EntityShape, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) -> OpenCondition
}

extension FetchPredicate {
  /// The predicate with all operands of its conditions, so that who follows it finds the properties which it reads.
  package func completed(
    in entity: EntityShape, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) -> FetchPredicate {
    guard hasOpenConditions else { return self }
    return try mappingConditions { (condition, variables) throws(FetchPredicateError) in
      guard let meaning = condition.meaning as? any EntityMeaning,
        let names = condition.operands.first?.namesOfObject(variables)
      else { return condition }
      var origin = entity
      if !names.isEmpty, let last = try KeyPathShape(names, in: entity, model).relationships.last {
        origin = model.shape(numbered: last.destination)
      }
      return try meaning.completed(condition, for: origin, model)
    }
  }
}

extension FetchExpression {
  /// The key path from the fetched object to the one that the expression leads to; nil for another expression.
  fileprivate func namesOfObject(_ variables: FetchPredicate.Variables) -> [String]? {
    switch self {
    case .subject: []
    case .variable(let name): variables[name]
    case .keyPath(let names): names.following(variables)
    default: nil
    }
  }
}

extension PredicatePreparation {
  func completed(_ condition: OpenCondition) throws(FetchPredicateError) -> OpenCondition {
    guard let meaning = condition.meaning as? any EntityMeaning else { return condition }
    guard let start = condition.operands.first else {
      throw FetchPredicateError(.wrongOperands, "\(meaning.name) asks no object.")
    }
    return try meaning.completed(condition, for: try entity(at: start), model)
  }

  /// The entity of the object that an operand leads to.
  private func entity(at operand: FetchExpression) throws(FetchPredicateError) -> EntityShape {
    switch try term(operand).term {
    case .subject(.subject): return entity
    case .subject(.member(let index)): return members[index].entity
    case .path(let path) where path.shape.attribute == nil && !path.shape.isToMany:
      if let last = path.shape.relationships.last { return model.shape(numbered: last.destination) }
    default: break
    }
    throw FetchPredicateError(
      .wrongOperands,
      "A condition on an object begins at something else. Name a to-one relationship.")
  }
}
