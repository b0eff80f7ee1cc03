// SPDX-License-Identifier: MIT
public import Foundation
import SporadesModel

// Expressions out of values, key paths, collections, conditions, closures and formats.

@available(*, deprecated)
extension NSExpression {
  /// A value that is the same for all objects.
  public convenience init(forConstantValue value: Any?) {
    self.init(.constant(converting: PlainValue.of(value)), .constant(value))
  }

  /// The value at the end of a key path.
  public convenience init(forKeyPath keyPath: String) {
    do throws(FetchPredicateError) {
      // Operators of collections are part of the language.
      self.init(try FetchExpression(format: "%K", keyPath))
    } catch {
      trap("NSExpression(forKeyPath: \(keyPath.debugDescription)): \(error)")
    }
  }

  /// The value at the end of a key path. It ends the program for a key path without a name.
  public convenience init<Root, Property>(forKeyPath keyPath: KeyPath<Root, Property>) {
    guard let name = keyPath._kvcKeyPathString else {
      trap(
        "NSExpression(forKeyPath: \(keyPath)): the key path has no name. Write the name as text.")
    }
    self.init(forKeyPath: name)
  }

  /// The object itself.
  public class func expressionForEvaluatedObject() -> NSExpression { NSExpression(.subject) }

  /// The name of any property, which only searches of files know.
  public class func expressionForAnyKey() -> NSExpression {
    NSExpression(
      .refusing("ANYKEY stands for no property of an entity. Name the property."), .anyKey)
  }

  /// A value that is put in later.
  public convenience init(forVariable name: String) { self.init(.variable(name)) }

  /// Several expressions.
  public convenience init(forAggregate expressions: [Any]) {
    self.init(.list(expressions.map(Self.term)))
  }

  /// Two collections put together.
  public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
    self.init(.combined(.union, left.content, right.content))
  }

  /// The members that two collections have.
  public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
    self.init(.combined(.intersect, left.content, right.content))
  }

  /// The members of a collection that another one lacks.
  public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
    self.init(.combined(.minus, left.content, right.content))
  }

  /// The members of a collection for which a condition on the variable is true.
  public convenience init(
    forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: Any
  ) {
    guard case .keyPath(let path) = expression.content else {
      trap("A subquery takes the key path of a collection, and not \(expression).")
    }
    let condition = Self.condition(of: predicate, "NSExpression(forSubquery:)")
    let inner = condition.replacing { part in
      // A format reads `$x.age` as the name of one variable, because it knows no subquery around it.
      guard case .variable(let name) = part, name.hasPrefix("\(variable).") else { return nil }
      return .keyPath(["$\(variable)"] + name.propertyNames.dropFirst())
    }
    self.init(.subquery(path, variable, inner))
  }

  /// The first expression where a condition is true, and the second where it is false.
  public convenience init(
    forConditional predicate: Any, trueExpression: NSExpression, falseExpression: NSExpression
  ) {
    self.init(
      .conditional(
        Self.condition(of: predicate, "NSExpression(forConditional:)"), trueExpression.content,
        falseExpression.content))
  }

  /// The result of a closure. Objects in memory alone can be asked.
  public convenience init(
    block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?
  ) {
    self.init(
      .refusing("An expression made with a block can be asked of objects in memory alone."),
      .block(block, (arguments ?? []).compactMap { $0 as? any ExpressionHolder }))
  }

  /// Makes an expression of a format and the values of its placeholders. A format with a mistake ends the program.
  public convenience init(format expressionFormat: String, _ arguments: Any?...) {
    self.init(format: expressionFormat, argumentArray: arguments)
  }

  /// Makes an expression of a format, with the values of its placeholders in an array.
  public convenience init(format expressionFormat: String, argumentArray arguments: [Any?]) {
    do throws(FetchPredicateError) {
      let given = ArgumentList(arguments)
      let expression = try FetchExpression(
        format: expressionFormat, argumentArray: given.values, mayBeMore: true)
      self.init(given.placed(in: expression))
    } catch {
      trap("NSExpression(format: \(expressionFormat.debugDescription)): \(error)")
    }
  }

  /// The term of an expression or of a value.
  static func term(_ value: Any) -> FetchExpression {
    (value as? NSExpression)?.content ?? .constant(converting: PlainValue.of(value))
  }

  private static func condition(of predicate: Any, _ call: String) -> FetchPredicate {
    guard let predicate = predicate as? NSPredicate else {
      trap("\(call) takes an NSPredicate, and not a \(type(of: predicate)).")
    }
    do { return try predicate.condition } catch { trap("\(call): \(error)") }
  }
}

extension FetchExpression {
  /// An expression that a fetch refuses with a sentence.
  static func refusing(_ sentence: String) -> FetchExpression {
    .refused(FetchPredicateError(.unsupported, sentence))
  }
}
