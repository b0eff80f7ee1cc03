// SPDX-License-Identifier: MIT

// Arithmetic, functions, conditionals and casts, checked for the kinds of their operands.
extension PredicatePreparation {
  func arithmetic(
    _ operation: ArithmeticOperator, _ left: FetchExpression, _ right: FetchExpression, depth: Int
  ) throws(FetchPredicateError) -> TypedTerm {
    let (left, right) = (try operand(left, depth: depth), try operand(right, depth: depth))
    func make(_ kind: Term.Kind, onDates: Bool) -> TypedTerm {
      let (first, second) =
        onDates
        ? (left.term, right.term) : Term.operands(of: operation, left.term, right.term)
      return (.arithmetic(operation, first, second, onDates: onDates), [kind])
    }
    // Nil with a number or a date is nil, which compares with values of all kinds.
    if left.isNothing && right.isArithmetic || right.isNothing && left.isArithmetic {
      return make(.null, onDates: false)
    }
    if left.isOnly(.number), right.isOnly(.number) { return make(.number, onDates: false) }
    switch operation {
    case .subtract where left.isOnly(.date) && right.isOnly(.date):
      return make(.number, onDates: true)
    case .add where left.isOnly(.date) && right.isOnly(.number),
      .add where left.isOnly(.number) && right.isOnly(.date),
      .subtract where left.isOnly(.date) && right.isOnly(.number):
      return make(.date, onDates: true)
    default: break
    }
    let remedy =
      left.kinds.union(right.kinds).contains(.date)
      ? " A date takes + and - with seconds, and - with a date." : ""
    throw FetchPredicateError(.wrongOperands, "Arithmetic needs numbers on both sides.\(remedy)")
  }

  /// A term with one value.
  private func operand(
    _ expression: FetchExpression, depth: Int
  ) throws(FetchPredicateError) -> Operand {
    let inner = try term(expression, depth: depth)
    try requireOne(inner.term, "with which arithmetic is impossible.")
    return Operand(term: inner.term, kinds: inner.term.isList ? [.list] : inner.kinds)
  }

  private struct Operand {
    let term: Term
    let kinds: Set<Term.Kind>

    func isOnly(_ kind: Term.Kind) -> Bool { kinds.isSubset(of: [kind, .null]) }
    var isNothing: Bool { kinds == [.null] }
    var isArithmetic: Bool { kinds.isSubset(of: [.number, .date, .null]) }
  }

  // MARK: - Functions

  func call(
    _ function: FetchFunction, _ arguments: [FetchExpression], depth: Int
  ) throws(FetchPredicateError) -> TypedTerm {
    guard arguments.count == function.argumentCount else {
      throw FetchPredicateError(
        .wrongOperands,
        "\(function.rawValue) takes \(function.argumentCount) arguments and has \(arguments.count)."
      )
    }
    guard let first = arguments.first else {
      guard function == .now else {
        throw FetchPredicateError(
          .unsupported,
          "random() has no place in a condition, because each store would draw other numbers; sort by it."
        )
      }
      return (.constant(.date(moment)), [.date])
    }
    return function.takesMany
      ? try gather(function, first, depth: depth) : try apply(function, arguments, depth: depth)
  }

  private func apply(
    _ function: FetchFunction, _ arguments: [FetchExpression], depth: Int
  ) throws(FetchPredicateError) -> TypedTerm {
    var terms: [Term] = []
    for (argument, takes) in zip(arguments, function.parameters) {
      let inner = try operand(argument, depth: depth)
      if function == .withoutIndex {
        guard !inner.term.isList else { throw refusal(of: function, .list, takes: "one value") }
        return (.function(function, [inner.term]), inner.kinds)
      }
      guard inner.isOnly(takes) else {
        let wrong = inner.kinds.first { $0 != takes && $0 != .null } ?? .null
        throw refusal(of: function, wrong, takes: takes.phrase)
      }
      terms.append(inner.term)
    }
    return (.function(function, terms), [function.result])
  }

  private func refusal(
    of function: FetchFunction, _ kind: Term.Kind, takes phrase: String
  ) -> FetchPredicateError {
    FetchPredicateError(
      .wrongOperands, "\(function.rawValue) takes \(phrase), and its argument is \(kind.phrase).")
  }

  /// A function of a list, or of the values that a key path or a collection leads to.
  private func gather(
    _ function: FetchFunction, _ argument: FetchExpression, depth: Int
  ) throws(FetchPredicateError) -> TypedTerm {
    let inner = try term(argument, depth: depth)
    if case .combined(let operation, _, _) = inner.term {
      throw FetchPredicateError(
        .unsupported,
        "\(operation.rawValue) stands on the right side of IN; \(function.rawValue) takes a list or a key path."
      )
    }
    guard inner.term.isList || inner.term.isMany else {
      throw FetchPredicateError(
        .notToMany,
        "\(function.rawValue) takes a list in braces, or a key path to many values.")
    }
    let kinds = inner.kinds.subtracting([.null])
    guard kinds.count <= 1, kinds.allSatisfy(function.gathers) else {
      let phrases = kinds.map(\.phrase).inOrder().joined(separator: " and ")
      throw FetchPredicateError(
        .wrongOperands, "There is no \(function.rawValue) of a collection of \(phrases).")
    }
    if case .path(let path) = inner.term, path.shape.isLarge {
      throw FetchPredicateError(
        .wrongOperands,
        "There is no \(function.rawValue) of \(inner.term.name ?? ""), because its values may lie in files outside "
          + "the store.")
    }
    let result = function == .count ? [.number] : kinds.isEmpty ? [.null] : kinds
    let values = kinds == [.number] ? inner.term.ofOneType : inner.term
    return (.function(function, [values]), result)
  }

  // MARK: - Conditionals and casts

  func conditional(
    _ condition: FetchPredicate, _ first: FetchExpression, _ second: FetchExpression, depth: Int
  ) throws(FetchPredicateError) -> TypedTerm {
    var inner = self
    inner.isInExpression = true
    let condition = try inner.prepare(condition, depth: depth)
    let (first, second) = (try term(first, depth: depth), try term(second, depth: depth))
    for inner in [first, second] {
      try requireOne(inner.term, "and TERNARY chooses between single values.")
      guard !inner.term.isList else {
        throw FetchPredicateError(.wrongOperands, "TERNARY chooses between values, not lists.")
      }
    }
    let kinds = first.kinds.union(second.kinds)
    guard kinds.subtracting([.null]).count <= 1 else {
      let phrases = kinds.map(\.phrase).inOrder().joined(separator: " or ")
      throw FetchPredicateError(
        .wrongOperands, "TERNARY chooses between values of one kind, and here they are \(phrases).")
    }
    let areNumbers = kinds.contains(.number)
    let values =
      areNumbers ? Term.ofOneType([first.term, second.term]) : [first.term, second.term]
    return (
      .conditional(condition, values[0], values[1], isText: kinds.contains(.text)), kinds
    )
  }

  func cast(
    _ expression: FetchExpression, to type: CastType, depth: Int
  ) throws(FetchPredicateError) -> TypedTerm {
    let inner = try operand(expression, depth: depth)
    let kinds = inner.kinds.subtracting([.null])
    let from = kinds.first ?? .null
    guard kinds.count <= 1, type.takes(from) else {
      throw FetchPredicateError(
        .wrongOperands,
        "CAST(…, \"\(type.rawValue)\") does not take \(kinds.map(\.phrase).inOrder().joined(separator: " or "))."
      )
    }
    return (.cast(inner.term, from: from, to: type), [type.kind])
  }
}

extension FetchFunction {
  /// The kinds of the arguments of a function of single values.
  fileprivate var parameters: [PreparedPredicate.Term.Kind] {
    switch self {
    case .length, .lowercase, .uppercase, .canonical, .trim: [.text]
    case .prefix, .suffix: [.text, .number]
    case .substring: [.text, .number, .number]
    case .replace: [.text, .text, .text]
    case .concat: [.text, .text]
    case .year, .month, .day, .hour, .minute, .second, .weekday, .startOfDay, .startOfMonth,
      .startOfYear:
      [.date]
    case .zoneClock, .zoneMoment: [.date, .data]
    default: [.number]
    }
  }

  /// The kind of the result of a function of single values.
  fileprivate var result: PreparedPredicate.Term.Kind {
    switch self {
    case .lowercase, .uppercase, .canonical, .trim, .prefix, .suffix, .substring, .replace, .concat:
      .text
    case .startOfDay, .startOfMonth, .startOfYear, .zoneClock, .zoneMoment: .date
    default: .number
    }
  }

  /// The function of a list takes values of the kind.
  fileprivate func gathers(_ kind: PreparedPredicate.Term.Kind) -> Bool {
    switch self {
    case .count: kind != .list
    case .min, .max: kind.hasOrder
    case .average: kind == .number || kind == .date
    default: kind == .number
    }
  }
}

extension CastType {
  fileprivate var kind: PreparedPredicate.Term.Kind {
    switch self {
    case .text: .text
    case .number, .decimal: .number
    case .date: .date
    }
  }

  fileprivate func takes(_ kind: PreparedPredicate.Term.Kind) -> Bool {
    switch (self, kind) {
    case (_, .null), (_, .number): true
    case (.text, .text), (.text, .uuid), (.number, .text), (.decimal, .text): true
    case (.number, .date), (.date, .date): true
    default: false
    }
  }
}
