// SPDX-License-Identifier: MIT

/// One side of a comparison, a column of an answer, or a term of an order.
///
/// A key path begins at the fetched object. Inside the condition of a ``FetchCollection``, a key path whose first
/// name is the variable with its sign begins at the member: `["$p", "age"]`.
public indirect enum FetchExpression: Hashable, Sendable {
  /// A value that is the same for all objects.
  case constant(Value)
  /// The value at the end of a key path: `["owner", "name"]`, `["$p", "age"]`.
  case keyPath([String])
  /// The value at the end of a key path, and the index of its entity by which a store finds it:
  /// `indexed:by:(latitude, "byPlace")`. The index changes no answer.
  case indexed([String], by: String)
  /// The fetched object itself, which comparisons take by its id.
  case subject
  /// `$NAME`. In the condition of a ``FetchCollection`` with a variable of this name, the member. Elsewhere
  /// ``FetchPredicate/substituting(_:)`` puts a value in its place.
  case variable(String)
  /// Several expressions: `{1, 2, $x}`.
  case list([FetchExpression])
  /// The number of objects that a to-many key path leads to: `pets.@count`, `pets[SIZE]`.
  case count([String])
  /// An aggregate over an attribute of the objects that a key path leads to: `pets.@max.age`.
  case aggregate(AggregateFunction, [String])
  /// The result of an operation on two numbers, or on dates and seconds.
  case arithmetic(ArithmeticOperator, FetchExpression, FetchExpression)
  /// The result of a function: `uppercase:(name)`, `now()`, `max:({age, 18})`.
  case function(FetchFunction, [FetchExpression])
  /// The first expression where the condition is true, and the second where it is false:
  /// `TERNARY(age > 17, "adult", "child")`.
  case conditional(FetchPredicate, FetchExpression, FetchExpression)
  /// A value in another type: `CAST(age, "NSString")`.
  case cast(FetchExpression, to: CastType)
  /// One member of an ordered relationship, or a value of this member: `chapters[FIRST]`, `chapters[2].title`.
  case element([String], at: ElementPlace, then: [String])
  /// Members that a condition or an operator selects, and the question about them:
  /// `SUBQUERY(pets, $p, $p.age > 3).@count`, `pets.@distinctUnionOfObjects.name`.
  case collection(FetchCollection)
  /// Two collections put together: `pets.name UNION friends.name`. It stands on the right side of `IN`.
  case combined(SetOperator, FetchExpression, FetchExpression)
  /// The error of an expression that has no meaning. A fetch throws the error.
  case refused(FetchPredicateError)

  /// The value at the end of a key path that is written with points: `"owner.name"`.
  public static func keyPath(_ path: String) -> FetchExpression { .keyPath(path.propertyNames) }

  /// The objects at the end of a to-many key path that satisfy a condition, and the question about them:
  /// `SUBQUERY(pets, $p, $p.age > 3).@count`.
  public static func subquery(
    _ path: [String], _ variable: String, _ condition: FetchPredicate,
    then values: [String] = [], _ question: FetchCollection.Question = .members
  ) -> FetchExpression {
    .collection(
      FetchCollection(
        path, where: .init(variable, condition), values: values, asking: question))
  }
}

/// A function that makes one value from the values of many objects.
public enum AggregateFunction: String, Hashable, Sendable {
  /// The total of the numbers.
  case sum
  /// The smallest value.
  case min
  /// The largest value.
  case max
  /// The mean of the numbers or dates.
  case average
}

/// The type that a cast gives a value.
public enum CastType: String, Hashable, Sendable, CaseIterable {
  /// A text. Numbers become digits.
  case text = "NSString"
  /// A number. Digits become numbers, and dates their seconds since 2001.
  case number = "NSNumber"
  /// A decimal number.
  case decimal = "NSDecimalNumber"
  /// A date. Numbers are seconds since 2001.
  case date = "NSDate"
}

/// The place of a member in an ordered relationship.
public enum ElementPlace: Hashable, Sendable {
  /// `[FIRST]`: the first member.
  case first
  /// `[LAST]`: the last member.
  case last
  /// `[2]`: the member at an index that counts from zero. An index beyond the last member gives nil.
  case index(Int)
}

/// An operation on two collections.
public enum SetOperator: String, Hashable, Sendable, CaseIterable {
  /// The members of either collection.
  case union = "UNION"
  /// The members that both collections have.
  case intersect = "INTERSECT"
  /// The members of the first collection that the second lacks.
  case minus = "MINUS"
}
