// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesStore

extension FetchPredicate {
  /// Whether the object satisfies the condition, with its unsaved changes.
  ///
  /// It throws for a predicate that does not fit the object's entity, and if the store can not read
  /// a value that the predicate compares. It refuses the id of an object that the object's context can not have.
  public func evaluate(with object: ManagedObject) throws -> Bool {
    if object.home.checksQueue { object.home.checkQueue(object) }
    guard let context = object.home.context else {
      throw ContextError.unsupportedRequest(
        "A predicate was evaluated with \(object.objectID), whose context is gone or was reset. Fetch "
          + "the object in another context.")
    }
    if context.stack.hasEnums {
      try EnumComparison(entity: object.home.shape, stack: context.stack).check(self)
    }
    try context.checkIDs(in: self)
    let evaluator = try PredicateEvaluator(
      askingInMemory: self, in: object.home.shape, context.model)
    return try evaluator.matches(ObjectSubject(object: object))
  }
}
