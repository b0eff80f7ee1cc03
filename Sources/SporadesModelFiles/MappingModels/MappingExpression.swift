// SPDX-License-Identifier: MIT
public import SporadesModel

/// The value of a property in a migration, computed from the object of the older version.
///
/// Expressions have the form of Core Data's mapping models. Their variables are:
///
/// | variable | stands for |
/// |---|---|
/// | `$source` | the object of the older version |
/// | `$destination` | the object that was made of it |
/// | `$manager` | the migration manager; its functions find objects of the newer version |
/// | `$entityMapping`, `$propertyMapping` | the mappings at work |
/// | `$entityPolicy` | the policy of the entity mapping, and its own functions |
public indirect enum MappingExpression: Hashable, Sendable {
  /// The value of the property that continues. ``MappingModel/resolved(from:to:)`` puts an expression in its place.
  case automatic
  /// A value that is the same for all objects.
  case constant(Value)
  /// `$source` and the other variables, without the sign before the name.
  case variable(String)
  /// The value at the end of a key path that begins at another expression: `$source.owner.name`. A name that begins
  /// with `@` is a collection operator, such as `@count` or `@distinctUnionOfSets`.
  case keyPath(MappingExpression, [String])
  /// A function of the manager or of a policy: `FUNCTION($manager, "name:and:", first, second)`.
  case function(MappingExpression, String, [MappingExpression])
  /// A function of the predicate language: `now()`, `uppercase($source.name)`.
  case call(String, [MappingExpression])
  /// The result of an operation on two numbers.
  case arithmetic(ArithmeticOperator, MappingExpression, MappingExpression)
  /// Several expressions: `{1, $source.age}`.
  case list([MappingExpression])
  /// The objects that a fetch request finds, or their number: `FETCH(request, $manager.sourceContext, NO)`.
  case fetch(MappingExpression, countsOnly: Bool)
  /// A closure of the program.
  case computed(MappingComputation)
  /// The error of a text that is no expression. A migration throws it before it begins.
  case refused(FetchPredicateError)
}

/// A closure of the program that computes a value in a migration. Two computations are equal if they are the same
/// instance.
public final class MappingComputation: Sendable {
  package let body: any Sendable

  package init(body: any Sendable) { self.body = body }
}

extension MappingComputation: Hashable {
  public static func == (left: MappingComputation, right: MappingComputation) -> Bool {
    left === right
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension MappingExpression: ExpressibleByStringLiteral {
  /// Parses a literal such as `"$source.name"`. A text that is no expression becomes ``refused(_:)``.
  public init(stringLiteral text: String) {
    do throws(FetchPredicateError) { try self.init(format: text) } catch { self = .refused(error) }
  }
}

extension MappingExpression {
  /// The object of the older version.
  public static let source = MappingExpression.variable("source")
  /// The migration manager.
  public static let manager = MappingExpression.variable("manager")

  /// The value at the end of a key path that begins at the object of the older version.
  public static func source(_ path: String) -> MappingExpression {
    .keyPath(.source, path.propertyNames)
  }

  /// The objects that an entity mapping made of some objects of the older version.
  public static func destinationInstances(
    forEntityMappingNamed name: String, of sources: MappingExpression
  ) -> MappingExpression {
    .function(
      .manager, ManagerFunction.instancesForMapping, [.constant(.string(name)), sources])
  }

  /// The objects that any entity mapping made of the objects that a relationship of the older version leads to.
  public static func destinationInstances(
    forSourceRelationshipNamed name: String
  ) -> MappingExpression {
    .function(
      .manager, ManagerFunction.instancesForRelationship,
      [.constant(.string(name)), .source(name)])
  }

  /// The objects of one older entity, without those of its subentities, that satisfy a predicate.
  public static func sourceObjects(
    ofEntity name: String, where predicate: String = "TRUEPREDICATE"
  ) -> MappingExpression {
    .fetch(
      .function(
        .manager, ManagerFunction.request,
        [.constant(.string(name)), .constant(.string(predicate))]),
      countsOnly: false)
  }

  /// The expressions that this expression is made of.
  package var parts: [MappingExpression] {
    switch self {
    case .automatic, .constant, .variable, .computed, .refused: []
    case .keyPath(let base, _), .fetch(let base, _): [base]
    case .function(let target, _, let arguments): [target] + arguments
    case .call(_, let arguments), .list(let arguments): arguments
    case .arithmetic(_, let left, let right): [left, right]
    }
  }
}

/// The names of the manager's functions, which are Core Data's.
package enum ManagerFunction {
  package static let instancesForMapping =
    "destinationInstancesForEntityMappingNamed:sourceInstances:"
  package static let instancesForRelationship =
    "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  package static let sourcesForMapping =
    "sourceInstancesForEntityMappingNamed:destinationInstances:"
  package static let request = "fetchRequestForSourceEntityNamed:predicateString:"
}

extension MappingExpression: CustomStringConvertible {
  /// The expression as text. Reading the text gives an equal expression, unless a closure computes a part of it.
  public var description: String {
    switch self {
    case .automatic: "<the value of the property that continues>"
    case .constant(let value): PredicateLiteral.render(value)
    case .variable(let name): "$\(name)"
    case .keyPath(let base, let names): ([base.operand] + names).joined(separator: ".")
    case .function(let target, let name, let arguments):
      "FUNCTION(\(([target.description, PredicateLiteral.render(.string(name))] + arguments.map(\.description)).joined(separator: ", ")))"
    case .call(let name, let arguments):
      "\(name)(\(arguments.map(\.description).joined(separator: ", ")))"
    case .arithmetic(let operation, let left, let right):
      "\(left.operand) \(operation.rawValue) \(right.operand)"
    case .list(let items): "{\(items.map(\.description).joined(separator: ", "))}"
    case .fetch(let request, let countsOnly):
      "FETCH(\(request), $manager.sourceContext, \(countsOnly ? "YES" : "NO"))"
    case .computed: "<a closure>"
    case .refused: "<a text that is no expression>"
    }
  }

  private var operand: String {
    if case .arithmetic = self { "(\(description))" } else { description }
  }
}
