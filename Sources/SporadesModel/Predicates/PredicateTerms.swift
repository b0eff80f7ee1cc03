// SPDX-License-Identifier: MIT

extension PredicatePreparation {
  /// A term, and the kinds of its values, or of its elements if it is a collection.
  typealias TypedTerm = (term: Term, kinds: Set<Term.Kind>)

  func term(
    _ expression: FetchExpression, depth: Int = 0
  ) throws(FetchPredicateError) -> TypedTerm {
    guard depth <= Self.largestDepth else {
      throw FetchPredicateError(
        .tooDeep, "An expression is nested more than \(Self.largestDepth) levels deep.")
    }
    switch expression {
    case .constant(.list(let items)):
      return (.constant(.list(items)), Set(items.map { Term.Kind($0, model) }))
    case .constant(let value): return (.constant(value), [Term.Kind(value, model)])
    case .keyPath(let names):
      let path = try KeyPathShape(names, in: entity, model)
      return (.path(path), [kind(of: path)])
    case .indexed(let names, let index):
      let path = try KeyPathShape(names, in: entity, model)
      try checkIndex(index, of: path)
      return (.path(path), [kind(of: path)])
    case .subject: return (.subject, [.object(root: entity.rootNumber)])
    case .variable(let name):
      throw FetchPredicateError(
        .unboundVariable, "The variable $\(name) has no value; substitute a value before the fetch."
      )
    case .refused(let error): throw error
    case .list(let items): return try list(items, depth: depth + 1)
    case .count(let names): return (.count(try counted(names)), [.number])
    case .aggregate(let function, let names): return try aggregate(function, names)
    case .arithmetic(let operation, let left, let right):
      guard [.add, .subtract, .multiply, .divide].contains(operation) else {
        throw Self.unsupported("The operator \(operation.rawValue)")
      }
      return (
        .arithmetic(
          operation, try number(left, depth: depth + 1), try number(right, depth: depth + 1)),
        [.number]
      )
    case .function(let function, _): throw Self.unsupported("\(function.rawValue)()")
    case .conditional: throw Self.unsupported("TERNARY")
    case .cast: throw Self.unsupported("CAST")
    case .element: throw Self.unsupported("Taking one element of a collection, [ ],")
    case .collection: throw Self.unsupported("SUBQUERY")
    case .combined(let operation, _, _): throw Self.unsupported(operation.rawValue)
    }
  }

  /// Refuses an index that the entity at the end of the path does not have, or that lacks the property.
  private func checkIndex(
    _ name: String, of path: KeyPathShape
  ) throws(FetchPredicateError) {
    let steps = path.attribute == nil ? path.relationships.dropLast() : path.relationships[...]
    var shape = steps.last.map { model.shape(numbered: $0.destination) } ?? entity
    let end = shape.name
    let property = path.names.dropFirst(steps.count).joined(separator: ".")
    while true {
      if let index = shape.description.indexes.first(where: { $0.name == name }) {
        if index.elements.contains(where: { $0.property == property }) { return }
        throw FetchPredicateError(
          .unknownKeyPath,
          "The index \(name) of \(shape.name) does not contain \(property); compare one of "
            + "\(index.elements.map(\.property).joined(separator: ", ")).")
      }
      guard shape.superNumber > 0 else { break }
      shape = model.shape(numbered: shape.superNumber)
    }
    throw FetchPredicateError(
      .unknownKeyPath,
      "\(end) has no index \(name); name an index of the model, or compare \(property) itself.")
  }

  private func kind(of path: KeyPathShape) -> Term.Kind {
    if let attribute = path.attribute { return Term.Kind(attribute.type) }
    guard let last = path.relationships.last else { return .opaque }
    return .object(root: model.shape(numbered: last.destination).rootNumber)
  }

  private func list(
    _ items: [FetchExpression], depth: Int
  ) throws(FetchPredicateError) -> TypedTerm {
    var terms: [Term] = []
    var kinds: Set<Term.Kind> = []
    for item in items {
      let inner = try term(item, depth: depth)
      switch inner.term {
      case .list, .constant(.list): kinds.insert(.list)
      case .path(let path) where path.isToMany:
        throw FetchPredicateError(
          .needsQuantifier,
          "\(path.names.joined(separator: ".")) leads to many objects, which a list cannot contain."
        )
      default: kinds.formUnion(inner.kinds)
      }
      terms.append(inner.term)
    }
    return (.list(terms), kinds)
  }

  private func counted(_ names: [String]) throws(FetchPredicateError) -> KeyPathShape {
    let path = try KeyPathShape(names, in: entity, model)
    guard path.attribute == nil, path.relationships.last?.isToMany == true else {
      throw FetchPredicateError(
        .notToMany,
        "\(names.joined(separator: ".")) is not a to-many relationship, so it has no count.")
    }
    return path
  }

  private func aggregate(
    _ function: AggregateFunction, _ names: [String]
  ) throws(FetchPredicateError) -> TypedTerm {
    let path = try KeyPathShape(names, in: entity, model)
    let name = names.joined(separator: ".")
    guard path.isToMany else {
      throw FetchPredicateError(
        .notToMany, "\(name) does not lead to many objects, so it has no aggregate.")
    }
    guard let attribute = path.attribute else {
      throw FetchPredicateError(
        .notAnAttribute, "\(name) is a relationship; aggregate an attribute.")
    }
    try function.check(attribute, name)
    return (.aggregate(function, path), [kind(of: path)])
  }

  private func number(_ expression: FetchExpression, depth: Int) throws(FetchPredicateError) -> Term
  {
    let inner = try term(expression, depth: depth)
    if case .path(let path) = inner.term, path.isToMany {
      throw FetchPredicateError(
        .needsQuantifier,
        "\(path.names.joined(separator: ".")) leads to many objects, with which arithmetic is impossible."
      )
    }
    guard inner.kinds.isSubset(of: [.number, .null]), !inner.term.isList else {
      throw FetchPredicateError(.wrongOperands, "Arithmetic needs numbers on both sides.")
    }
    return inner.term
  }

  /// Checks that the kinds of the two sides of a comparison fit its comparator.
  struct Operands {
    let left: TypedTerm
    let right: TypedTerm
    let comparator: FetchPredicate.Comparator

    func check() throws(FetchPredicateError) {
      guard !left.term.isList else { throw makeRefusal("A list can stand only on its right side.") }
      switch comparator {
      case .equal, .notEqual:
        try checkRightIsOne()
        try checkComparable()
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        try checkRightIsOne()
        try checkComparable()
        try checkOrder()
      case .isIn: try checkMembership()
      case .between: try checkBounds()
      case .contains, .beginsWith, .endsWith, .like, .matches: try checkText()
      }
    }

    private func checkRightIsOne() throws(FetchPredicateError) {
      if right.term.isList { throw makeRefusal("Its right side is a list; use IN or BETWEEN.") }
    }

    private func checkComparable() throws(FetchPredicateError) {
      for mine in left.kinds {
        for other in right.kinds where !mine.isComparable(with: other) {
          throw makeRefusal(
            "Its left side is \(mine.phrase), and its right side is \(other.phrase)."
              + Term.Kind.remedy(mine, other))
        }
      }
    }

    private func checkOrder() throws(FetchPredicateError) {
      guard left.kinds.union(right.kinds).allSatisfy(\.hasOrder) else {
        throw makeRefusal("Its sides have no order.")
      }
    }

    private func checkMembership() throws(FetchPredicateError) {
      var isCollection = right.term.isList
      if case .path(let path) = right.term { isCollection = path.isToMany }
      guard isCollection else {
        throw makeRefusal(
          "Its right side must be a list, such as {1, 2} or an array for %@, or a to-many key path."
        )
      }
      try checkComparable()
    }

    private func checkBounds() throws(FetchPredicateError) {
      let count: Int? =
        switch right.term {
        case .constant(.list(let items)): items.count
        case .list(let items): items.count
        default: nil
        }
      guard count == 2 else {
        throw makeRefusal("Its right side must be a list of two values; write BETWEEN {1, 5}.")
      }
      try checkComparable()
      try checkOrder()
    }

    private func checkText() throws(FetchPredicateError) {
      try checkRightIsOne()
      guard left.kinds.union(right.kinds).isSubset(of: [.text, .null]) else {
        guard !left.kinds.contains(.opaque) else {
          throw makeRefusal(
            "Its left side is stored as bytes, in which no store searches. Store what is to be found in an "
              + "attribute or an entity of its own.")
        }
        throw makeRefusal("Both its sides must be text; compare other values with ==, < or IN.")
      }
      if comparator == .matches {
        guard case .constant = right.term else {
          throw makeRefusal("Its right side must be a constant text.")
        }
      }
    }

    private func makeRefusal(_ reason: String) -> FetchPredicateError {
      let sides = [left.term, right.term].compactMap(\.name).joined(separator: ", ")
      let location = sides.isEmpty ? "" : " (\(sides))"
      return FetchPredicateError(
        .wrongOperands, "\(comparator.spelling) cannot be used here\(location). \(reason)")
    }
  }
}

extension PreparedPredicate.Term {
  var isList: Bool {
    switch self {
    case .list, .constant(.list): true
    default: false
    }
  }

  /// The key path of the term, for messages.
  var name: String? {
    switch self {
    case .path(let path), .count(let path), .aggregate(_, let path):
      path.names.joined(separator: ".")
    case .subject: "SELF"
    case .constant, .list, .arithmetic: nil
    }
  }

  /// The term with folded text in its constants.
  func folded(_ options: FetchPredicate.TextOptions) -> PreparedPredicate.Term {
    switch self {
    case .constant(let value): .constant(value.folded(options))
    case .list(let items): .list(items.map { $0.folded(options) })
    case .path, .subject, .count, .aggregate, .arithmetic: self
    }
  }
}
