// SPDX-License-Identifier: MIT
public import Foundation
import SporadesModel

// Expressions that call a function or a method, and the name and arguments of those calls.

@available(*, deprecated)
extension NSExpression {
  /// The result of a function: `max:`, `uppercase:`, `now`. A name that is none ends the program.
  public convenience init(forFunction name: String, arguments: [Any]) {
    let terms = arguments.map(Self.term)
    do throws(FetchPredicateError) {
      self.init(try FunctionCall.expression(name, terms))
    } catch {
      trap("NSExpression(forFunction: \(name.debugDescription)): \(error)")
    }
  }

  /// The result of a method of an object, called by its name. Those that a function of the language says, as `uppercaseString`, become
  /// that function; others are refused where the expression is used.
  public convenience init(
    forFunction target: NSExpression, selectorName name: String, arguments: [Any]?
  ) {
    let terms = (arguments ?? []).map(Self.term)
    let held: FetchExpression
    do throws(FetchPredicateError) {
      held = try FunctionCall.method(name, of: target.content, terms)
    } catch {
      held = .refused(error)
    }
    self.init(held)
  }

  /// The name of the function of an expression, with its colons: `max:`, `add:to:`. It ends the program for another expression.
  public var function: String { call.name }

  /// The arguments of a function, or those of a block; nil for another expression.
  public var arguments: [NSExpression]? {
    if case .block(_, let given) = source { return given.compactMap { $0 as? NSExpression } }
    return FunctionCall(content)?.arguments.map { NSExpression($0) }
  }

  /// The object whose method is called. Functions of the language are called on none.
  public var operand: NSExpression {
    let call = call
    return call.arguments.first.map { NSExpression($0) } ?? Self.expressionForEvaluatedObject()
  }

  private var call: FunctionCall {
    guard let call = FunctionCall(content) else {
      trap("\(self) is no function; ask expressionType before function and operand.")
    }
    return call
  }
}

/// The name and the arguments of an expression that calls a function.
struct FunctionCall {
  /// The name with its colons.
  let name: String
  let arguments: [FetchExpression]

  init?(_ expression: FetchExpression) {
    switch expression {
    case .function(let function, let arguments):
      name = function.rawValue + (function.argumentCount == 0 ? "" : ":")
      self.arguments = arguments
    case .arithmetic(let operation, let left, let right):
      name = operation.functionName + ":"
      arguments = [left, right]
    case .cast(let inner, let type):
      name = "castObject:toType:"
      arguments = [inner, .constant(.string(type.rawValue))]
    default: return nil
    }
  }

  /// The expression that calls a function with a name.
  static func expression(
    _ name: String, _ terms: [FetchExpression]
  ) throws(FetchPredicateError) -> FetchExpression {
    if name == "castObject:toType:", terms.count == 2,
      case .constant(.string(let word)) = terms[1]
    {
      // The word stands in the format, because it decides how the parser reads the rest.
      return try filled("CAST(%@, \"\(word.filter(\.isLetter))\")", [terms[0]])
    }
    // The parser knows which function has a name and a number of arguments.
    let marks = terms.map { _ in "%@" }.joined(separator: ", ")
    let word = name.hasSuffix(":") || terms.isEmpty ? name : name + ":"
    return try filled("\(word)(\(marks))", terms)
  }

  /// The expression that calls a method of an object.
  static func method(
    _ name: String, of target: FetchExpression, _ terms: [FetchExpression]
  ) throws(FetchPredicateError) -> FetchExpression {
    let marks = terms.map { _ in ", %@" }.joined()
    let quoted = name.filter { $0.isLetter || $0.isNumber || $0 == ":" || $0 == "_" }
    return try filled("FUNCTION(%@, \"\(quoted)\"\(marks))", [target] + terms)
  }

  /// Reads a format whose placeholders are variables, and puts expressions in their places.
  private static func filled(
    _ format: String, _ terms: [FetchExpression]
  ) throws(FetchPredicateError) -> FetchExpression {
    var text = ""
    for (index, part) in format.split(separator: "%@", omittingEmptySubsequences: false)
      .enumerated()
    {
      text += index == 0 ? "\(part)" : "$argument\(index - 1)\(part)"
    }
    return try FetchExpression(format: text).replacing { part in
      guard case .variable(let mark) = part, let place = Int(mark.dropFirst("argument".count)),
        terms.indices.contains(place)
      else { return nil }
      return terms[place]
    }
  }
}
