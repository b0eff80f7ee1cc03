// SPDX-License-Identifier: MIT
public import Foundation
import SporadesModel

// The parts of an expression, and its value for an object.

@available(*, deprecated)
extension NSExpression {
  /// The form of the expression.
  public var expressionType: ExpressionType {
    switch source {
    case .constant: return .constantValue
    case .block: return .block
    case .anyKey: return .anyKey
    case .content: break
    }
    return switch content {
    case .constant: .constantValue
    case .subject: .evaluatedObject
    case .variable: .variable
    case .list: .aggregate
    case .conditional: .conditional
    case .combined(.union, _, _): .unionSet
    case .combined(.intersect, _, _): .intersectSet
    case .combined(.minus, _, _): .minusSet
    case .collection(let collection): collection.filter == nil ? .keyPath : .subquery
    case .keyPath, .indexed, .count, .aggregate, .element: .keyPath
    case .arithmetic, .function, .cast, .refused: .function
    }
  }

  /// The value of a constant; nil for other expressions.
  public var constantValue: Any? {
    switch (source, content) {
    case (.constant(let value), _): value
    case (_, .constant(let value)): PlainValue.shown(value)
    default: nil
    }
  }

  /// The key path as it is written. It ends the program for another expression.
  public var keyPath: String {
    trap(unless: expressionType == .keyPath, refusal("key path", "keyPath"))
    if case .keyPath(let names) = content { return names.joined(separator: ".") }
    return "\(content)"
  }

  /// The name of a variable. It ends the program for another expression.
  public var variable: String {
    switch content {
    case .variable(let name): return name
    case .collection(let collection):
      if let filter = collection.filter { return filter.variable }
    default: break
    }
    trap(refusal("variable or subquery", "variable"))
  }

  /// The collection of a subquery, or the expressions of a list. It ends the program for another expression.
  public var collection: Any {
    switch content {
    case .collection(let collection): return NSExpression(.keyPath(collection.path))
    case .list(let items): return items.map { NSExpression($0) }
    case .constant(.list(let values)): return values.map { NSExpression(.constant($0)) }
    default: trap(refusal("subquery or list", "collection"))
    }
  }

  /// The condition of a subquery or of a conditional expression. It ends the program for another expression.
  public var predicate: NSPredicate {
    switch content {
    case .conditional(let condition, _, _): return NSPredicate(condition)
    case .collection(let collection):
      if let filter = collection.filter { return NSPredicate(filter.condition) }
    default: break
    }
    trap(refusal("subquery or conditional expression", "predicate"))
  }

  /// The left one of two collections that are put together. It ends the program for another expression.
  public var left: NSExpression { NSExpression(combined("left").0) }
  /// The right one of two collections that are put together. It ends the program for another expression.
  public var right: NSExpression { NSExpression(combined("right").1) }
  /// The value where the condition of a conditional expression is true. It ends the program for another expression.
  public var `true`: NSExpression { NSExpression(branches("true").0) }
  /// The value where the condition of a conditional expression is false. It ends the program for another expression.
  public var `false`: NSExpression { NSExpression(branches("false").1) }

  /// The closure of an expression that was made with one. It ends the program for another expression.
  public var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any {
    guard case .block(let block, _) = source else { trap(refusal("block", "expressionBlock")) }
    return block
  }

  /// Allows an expression out of an archive to be asked. No archive makes expressions here, and every one is allowed.
  public func allowEvaluation() {}

  /// The value for an object. The context has the values of variables. It ends the program if the object lacks a name in the
  /// expression.
  public func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    switch source {
    case .constant(let value): return value
    case .block(let block, let given):
      let values = given.map { argument in
        (argument as? NSExpression)?.expressionValue(with: object, context: context) ?? NSNull()
      }
      return block(object, values, context)
    case .content, .anyKey: break
    }
    var variables: [String: Any?] = [:]
    for (key, value) in context ?? [:] {
      if let name = key as? String { variables[name] = .some(value) }
    }
    do { return try AnySubject(object, variables).value(content) } catch {
      trap("NSExpression \(self): \(error)")
    }
  }

  private func combined(_ property: String) -> (FetchExpression, FetchExpression) {
    guard case .combined(_, let left, let right) = content else {
      trap(refusal("union, intersection or difference", property))
    }
    return (left, right)
  }

  private func branches(_ property: String) -> (FetchExpression, FetchExpression) {
    guard case .conditional(_, let first, let second) = content else {
      trap(refusal("conditional expression", property))
    }
    return (first, second)
  }

  private func refusal(_ kind: String, _ property: String) -> String {
    "\(self) is no \(kind); ask expressionType before \(property)."
  }
}
