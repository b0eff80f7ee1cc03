// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

// Predicates and expressions, in the forms that archives of Apple's frameworks show.
extension KeyedArchiveWriter {
  /// Archives a predicate; nil, and nothing is added, if a part of it has no known form.
  mutating func archive(_ predicate: FetchPredicate) -> Reference? {
    attempt { $0.add(predicate) }
  }

  // MARK: - Predicates

  private mutating func add(_ predicate: FetchPredicate) -> Reference? {
    switch predicate {
    case .comparison(let comparison): return archive(comparison)
    case .and(let parts): return archive(parts, type: 1)
    case .or(let parts): return archive(parts, type: 2)
    case .not(let part): return archive([part], type: 0)
    case .constant, .open: return nil
    }
  }

  private mutating func archive(_ parts: [FetchPredicate], type: Int64) -> Reference? {
    var archived: [Reference] = []
    for part in parts {
      guard let part = add(part) else { return nil }
      archived.append(part)
    }
    let subpredicates = list(archived, .array)
    return object(
      ArchivedClass("NSCompoundPredicate", "NSPredicate"),
      [.init("NSCompoundPredicateType", .integer(type)), .init("NSSubpredicates", subpredicates)])
  }

  private mutating func archive(_ comparison: FetchPredicate.Comparison) -> Reference? {
    guard comparison.quantifier == .direct, let relation = archiveOperator(of: comparison),
      let left = archive(comparison.left), let right = archive(comparison.right)
    else { return nil }
    return object(
      ArchivedClass("NSComparisonPredicate", "NSPredicate"),
      [
        .init("NSPredicateOperator", relation), .init("NSLeftExpression", left),
        .init("NSRightExpression", right),
      ])
  }

  private mutating func archiveOperator(
    of comparison: FetchPredicate.Comparison
  ) -> Reference? {
    let options = Int64(comparison.options.rawValue)
    func fields(_ type: Int64, _ more: PropertyListTree.Entry...) -> [PropertyListTree.Entry] {
      [.init("NSOperatorType", .integer(type)), .init("NSModifier", .integer(0))] + more
    }
    func order(_ type: Int64) -> [PropertyListTree.Entry] {
      fields(type, .init("NSVariant", .integer(type)), .init("NSOptions", .integer(options)))
    }
    let name: String
    let values: [PropertyListTree.Entry]
    switch comparison.comparator {
    case .less: (name, values) = ("NSComparisonPredicateOperator", order(0))
    case .lessOrEqual: (name, values) = ("NSComparisonPredicateOperator", order(1))
    case .greater: (name, values) = ("NSComparisonPredicateOperator", order(2))
    case .greaterOrEqual: (name, values) = ("NSComparisonPredicateOperator", order(3))
    case .equal, .notEqual:
      let isNegated = comparison.comparator == .notEqual
      name = "NSEqualityPredicateOperator"
      values = fields(
        isNegated ? 5 : 4, .init("NSNegate", .boolean(isNegated)),
        .init("NSOptions", .integer(options)))
    case .like:
      (name, values) = ("NSLikePredicateOperator", fields(7, .init("NSFlags", .integer(options))))
    case .contains:
      (name, values) = ("NSInPredicateOperator", fields(99, .init("NSFlags", .integer(options))))
    case .isIn, .between, .beginsWith, .endsWith, .matches: return nil
    }
    let type =
      name == "NSLikePredicateOperator"
      ? ArchivedClass(
        name, "NSMatchingPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator")
      : ArchivedClass(name, "NSPredicateOperator")
    return object(type, values)
  }

  // MARK: - Expressions

  private mutating func archive(_ expression: FetchExpression) -> Reference? {
    switch expression {
    case .subject: return archiveSubject()
    case .constant(let value): return archive(value)
    case .keyPath(let names): return archive(keyPath: names.joined(separator: "."))
    case .variable(let path):
      let names = path.split(separator: ".", maxSplits: 1)
      let variable = object(
        ArchivedClass("NSVariableExpression", "NSExpression"),
        [
          .init("NSVariable", text(String(names[0]))),
          .init("NSExpressionType", .integer(2)),
        ])
      guard names.count == 2 else { return variable }
      return archive(keyPath: String(names[1]), from: variable, isPath: true)
    case .count(let names): return archive(keyPath: (names + ["@count"]).joined(separator: "."))
    case .aggregate(let function, let names):
      let name = function == .average ? "avg" : function.rawValue
      let steps = names.dropLast() + ["@\(name)"] + names.suffix(1)
      return archive(keyPath: steps.joined(separator: "."))
    case .arithmetic(let operation, let left, let right):
      return archive(function: operation.functionName + ":", of: [left, right])
    case .function(let function, let arguments):
      guard function.isOfFoundation else { return nil }
      let colon = arguments.isEmpty ? "" : ":"
      return archive(function: function.rawValue + colon, of: arguments)
    case .list, .indexed, .conditional, .cast, .element, .collection, .combined, .refused:
      return nil
    }
  }

  mutating func archiveSubject() -> Reference {
    object(
      ArchivedClass("NSSelfExpression", "NSExpression"), [.init("NSExpressionType", .integer(1))])
  }

  private mutating func archive(_ value: Value) -> Reference? {
    var fields: [PropertyListTree.Entry] = [.init("NSExpressionType", .integer(0))]
    switch value {
    case .null: fields.append(.init("NSConstantValueClassName", .nothing))
    case .boolean(let truth):
      fields.append(.init("NSConstantValue", scalar(.boolean(truth))))
    case .integer(let number):
      fields.append(.init("NSConstantValue", scalar(.integer(number))))
    case .double(let number):
      fields.append(.init("NSConstantValue", scalar(.double(number))))
    case .string(let text): fields.append(.init("NSConstantValue", self.text(text)))
    case .decimal, .date, .data, .uuid, .url, .objectID, .list: return nil
    }
    return object(ArchivedClass("NSConstantValueExpression", "NSExpression"), fields)
  }

  /// A key path that begins at the object.
  mutating func archive(keyPath: String) -> Reference {
    archive(keyPath: keyPath, from: archiveSubject(), isPath: keyPath.contains("."))
  }

  private mutating func archive(
    keyPath: String, from operand: Reference, isPath: Bool
  ) -> Reference {
    let path = object(
      ArchivedClass("NSKeyPathSpecifierExpression", "NSExpression"),
      [.init("NSKeyPath", text(keyPath)), .init("NSExpressionType", .integer(10))])
    let selector = isPath ? "valueForKeyPath:" : "valueForKey:"
    let arguments = list([path])
    return object(
      ArchivedClass("NSKeyPathExpression", "NSFunctionExpression", "NSExpression"),
      [
        .init("NSOperand", operand), .init("NSArguments", arguments),
        .init("NSSelectorName", text(selector)),
        .init("NSExpressionType", .integer(isPath ? 4 : 3)),
      ])
  }

  // MARK: - Derivations

  /// The expression of a derived attribute.
  mutating func archive(_ derivation: Derivation) -> Reference {
    switch derivation {
    case .keyPath(let path): return archive(keyPath: path.joined(separator: "."))
    case .canonical(let path): return archive(function: "canonical:", path)
    case .uppercase(let path): return archive(function: "uppercase:", path)
    case .lowercase(let path): return archive(function: "lowercase:", path)
    case .count(let path): return archive(function: "count:", path)
    case .sum(let path): return archive(function: "sum:", path)
    case .now: return archive(function: "now", nil)
    }
  }

  private mutating func archive(function: String, _ path: [String]?) -> Reference {
    let arguments = path.map { [archive(keyPath: $0.joined(separator: "."))] } ?? []
    return archive(call: function, arguments)
  }

  /// A call of a function of expressions; nil if one of them has no known form.
  private mutating func archive(
    function: String, of expressions: [FetchExpression]
  ) -> Reference? {
    var arguments: [Reference] = []
    for expression in expressions {
      guard let argument = archive(expression) else { return nil }
      arguments.append(argument)
    }
    return archive(call: function, arguments)
  }

  private mutating func archive(call function: String, _ arguments: [Reference]) -> Reference {
    let operand = object(
      ArchivedClass("NSConstantValueExpression", "NSExpression"),
      [
        .init("NSExpressionType", .integer(0)),
        .init("NSConstantValueClassName", text("_NSPredicateUtilities")),
      ])
    return object(
      ArchivedClass("NSFunctionExpression", "NSExpression"),
      [
        .init("NSOperand", operand), .init("NSSelectorName", text(function)),
        .init("NSArguments", list(arguments, .array)),
        .init("NSExpressionType", .integer(4)),
      ])
  }
}
