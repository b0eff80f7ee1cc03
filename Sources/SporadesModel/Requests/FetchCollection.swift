// SPDX-License-Identifier: MIT

/// Members of a relationship that a condition or an operator selects, and the question about them.
///
/// | format | question |
/// |---|---|
/// | `SUBQUERY(pets, $p, $p.age > 3).@count` | the number of members |
/// | `SUBQUERY(pets, $p, $p.age > 3).@max.age` | an aggregate over their values |
/// | `ANY SUBQUERY(pets, $p, $p.age > 3).name == "Rex"` | the members, or their values |
/// | `sum:(SUBQUERY(lines, $l, TRUEPREDICATE, $l.price * $l.count))` | the total of a value that is computed of each member |
/// | `pets.@distinctUnionOfObjects.name.@count` | the number of different values |
///
/// Without a condition and an operator, ``FetchExpression/keyPath(_:)-enum.case``, ``FetchExpression/count(_:)`` and
/// ``FetchExpression/aggregate(_:_:)`` say the same.
public struct FetchCollection: Hashable, Sendable {
  /// The key path to the members. It leads through at least one to-many relationship.
  public var path: [String]
  /// The condition that the members satisfy; nil for all members.
  public var filter: Filter?
  /// The key path from a member to its value; empty for the member itself.
  public var values: [String]
  /// The values that are left out.
  public var union: Union
  /// The question about the values.
  public var question: Question

  /// Selects members, and asks for their values.
  public init(
    _ path: [String], where filter: Filter? = nil, values: [String] = [], union: Union = .all,
    asking question: Question = .members
  ) {
    self.path = path
    self.filter = filter
    self.values = values
    self.union = union
    self.question = question
  }

  /// The condition of a subquery, and the variable that stands for the member in it.
  public struct Filter: Hashable, Sendable {
    /// The name of the variable, without its sign.
    public var variable: String
    /// The condition. Its key paths without a variable begin at the fetched object, as `SELF` does. It sees the
    /// variables of the subqueries around it.
    public var condition: FetchPredicate
    /// A value of the member, in place of the member itself: `$l.price * $l.count`. Nil for the member.
    public var value: FetchExpression?

    /// Makes a condition on one variable, and a value that is computed of it.
    public init(
      _ variable: String, _ condition: FetchPredicate, computing value: FetchExpression? = nil
    ) {
      self.variable = variable
      self.condition = condition
      self.value = value
    }
  }

  /// The values that a collection leaves out.
  public enum Union: Hashable, Sendable {
    /// None.
    case all
    /// Missing values: `@unionOfObjects`, `@unionOfArrays`, `@unionOfSets`.
    case present
    /// Missing values, and values that are there already: `@distinctUnionOfObjects` and its kin.
    case distinct
  }

  /// The question about the values.
  public enum Question: Hashable, Sendable {
    /// The values themselves, for `ANY`, `ALL`, `IN` and functions of lists.
    case members
    /// Their number: `.@count`.
    case count
    /// An aggregate over them: `.@max.age`.
    case aggregate(AggregateFunction)
  }
}
