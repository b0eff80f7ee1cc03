// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel

/// Makes predicates and expressions of the objects that an archive keeps for them.
package struct PredicateUnarchiver {
  /// The largest depth of nested predicates and expressions. A tree that contains itself reaches it.
  private static let depthLimit = 100

  private var depth = 0

  package init() {}

  private func deeper() throws(PropertyListError) -> PredicateUnarchiver {
    guard depth < Self.depthLimit else {
      throw PropertyListError("it is more than \(Self.depthLimit) conditions deep")
    }
    var inner = self
    inner.depth += 1
    return inner
  }

  // MARK: - Predicates

  func predicate(_ value: ArchivedValue) throws(PropertyListError) -> FetchPredicate {
    switch try value.className {
    case "NSComparisonPredicate": return try comparison(value)
    case "NSCompoundPredicate": return try compound(value)
    case "NSTruePredicate": return .constant(true)
    case "NSFalsePredicate": return .constant(false)
    case let type: throw PropertyListError("a condition is of the class \(type)")
    }
  }

  private func compound(_ value: ArchivedValue) throws(PropertyListError) -> FetchPredicate {
    let inner = try deeper()
    var parts: [FetchPredicate] = []
    for part in try ModelUnarchiver.items(value["NSSubpredicates"]) {
      parts.append(try inner.predicate(part))
    }
    let type = try ModelUnarchiver.integer(value["NSCompoundPredicateType"], orElse: -1)
    switch (type, parts.count) {
    case (0, 1): return .not(parts[0])
    case (1, _): return .and(parts)
    case (2, _): return .or(parts)
    default:
      throw PropertyListError("\(parts.count) conditions are joined in the unknown way \(type)")
    }
  }

  private func comparison(_ value: ArchivedValue) throws(PropertyListError) -> FetchPredicate {
    let relation = try value.field("NSPredicateOperator")
    let number = try ModelUnarchiver.integer(relation.field("NSOperatorType"), orElse: -1)
    guard let comparator = Self.comparators[number] else {
      throw PropertyListError("a comparison has the unknown operator \(number)")
    }
    let modifier = try ModelUnarchiver.integer(relation["NSModifier"], orElse: 0)
    guard let quantifier = Self.quantifiers[modifier] else {
      throw PropertyListError("a comparison has the unknown modifier \(modifier)")
    }
    let options =
      try ModelUnarchiver.integer(relation["NSFlags"], orElse: 0)
      | ModelUnarchiver.integer(relation["NSOptions"], orElse: 0)
    guard 0...7 ~= options else {
      throw PropertyListError("a comparison has the unknown options \(options)")
    }
    let inner = try deeper()
    return .comparison(
      .init(
        try inner.expression(value.field("NSLeftExpression")), comparator,
        try inner.expression(value.field("NSRightExpression")), quantifier: quantifier,
        options: .init(rawValue: options)))
  }

  // The numbers are those of Core Data's own constants.
  private static let comparators: [Int: FetchPredicate.Comparator] = [
    0: .less, 1: .lessOrEqual, 2: .greater, 3: .greaterOrEqual, 4: .equal, 5: .notEqual,
    6: .matches, 7: .like, 8: .beginsWith, 9: .endsWith, 10: .isIn, 99: .contains, 100: .between,
  ]
  private static let quantifiers: [Int: FetchPredicate.Quantifier] = [
    0: .direct, 1: .all, 2: .any,
  ]

  // MARK: - Expressions

  func expression(_ value: ArchivedValue) throws(PropertyListError) -> FetchExpression {
    switch try value.className {
    case "NSSelfExpression": return .subject
    case "NSVariableExpression":
      return .variable(try ModelUnarchiver.text(value.field("NSVariable")))
    case "NSConstantValueExpression": return .constant(try constant(value["NSConstantValue"]))
    case "NSKeyPathExpression": return try keyPath(value)
    case "NSFunctionExpression": return try call(value)
    case "NSAggregateExpression":
      let inner = try deeper()
      var items: [FetchExpression] = []
      for item in try ModelUnarchiver.items(value["NSCollection"]) {
        items.append(try inner.expression(item))
      }
      return .list(items)
    case let type: throw PropertyListError("an expression is of the class \(type)")
    }
  }

  /// Reads a call of a function of the predicate language.
  private func call(_ value: ArchivedValue) throws(PropertyListError) -> FetchExpression {
    let name = try ModelUnarchiver.text(value.field("NSSelectorName"))
    let inner = try deeper()
    var arguments: [FetchExpression] = []
    for argument in try ModelUnarchiver.items(value["NSArguments"]) {
      arguments.append(try inner.expression(argument))
    }
    guard let call = PredicateCall(name.hasSuffix(":") ? String(name.dropLast()) : name) else {
      throw PropertyListError("the function \(name) is not one of the predicate language")
    }
    switch call {
    case .function(let function) where arguments.count == function.argumentCount:
      return .function(function, arguments)
    case .operation(let operation) where arguments.count == 2:
      return .arithmetic(operation, arguments[0], arguments[1])
    default: throw PropertyListError("the function \(name) has another form")
    }
  }

  /// Reads a key path, which begins at the object, at a variable or at another key path.
  private func keyPath(_ value: ArchivedValue) throws(PropertyListError) -> FetchExpression {
    let path = try pathText(value)
    switch try deeper().expression(value.field("NSOperand")) {
    case .subject: return try parse(path)
    case .variable(let name): return .variable("\(name).\(path)")
    case .keyPath(let names): return try parse((names + [path]).joined(separator: "."))
    default: throw PropertyListError("the key path \(path) begins at no object")
    }
  }

  private func pathText(_ value: ArchivedValue) throws(PropertyListError) -> String {
    let arguments = try ModelUnarchiver.items(value["NSArguments"])
    guard arguments.count == 1 else {
      throw PropertyListError("a key path has \(arguments.count) parts")
    }
    return try ModelUnarchiver.text(arguments[0].field("NSKeyPath"))
  }

  /// Reads the text of a key path by the rules of the predicate language: it may end with `@count`.
  private func parse(_ path: String) throws(PropertyListError) -> FetchExpression {
    // `try?`, because the error below says that the language has no such path.
    guard case .comparison(let comparison)? = try? FetchPredicate(format: "%K == nil", path) else {
      throw PropertyListError("the key path \(path) cannot be read")
    }
    return comparison.left
  }

  package func constant(_ value: ArchivedValue?) throws(PropertyListError) -> Value {
    guard let value else { return .null }
    if let text = try value.text { return .string(text) }
    if let seconds = try value["NS.time"]?.real {
      return .date(Date(timeIntervalSinceReferenceDate: seconds))
    }
    if let bytes = try value.bytes { return .data(Data(bytes)) }
    if let truth = value.truth { return .boolean(truth) }
    if let number = value.integer { return .integer(number) }
    if let number = value.real { return .double(number) }
    if let items = try value.items {
      let inner = try deeper()
      var list: [Value] = []
      for item in items { list.append(try inner.constant(item)) }
      return .list(list)
    }
    throw PropertyListError("a constant is of the class \(try value.className)")
  }

  // MARK: - Derivations

  /// The text of a derived attribute's expression, as Core Data spells it.
  func derivation(_ value: ArchivedValue) throws(PropertyListError) -> String {
    guard try value.className == "NSFunctionExpression" else { return try pathText(value) }
    let function = try ModelUnarchiver.text(value.field("NSSelectorName"))
    let arguments = try ModelUnarchiver.items(value["NSArguments"])
    switch arguments.count {
    case 0: return function == "now" ? "now()" : "\(function)()"
    case 1:
      let inner = try deeper().derivation(arguments[0])
      return "\(function)(\(inner))"
    default: throw PropertyListError("\(function) has \(arguments.count) arguments")
    }
  }
}
