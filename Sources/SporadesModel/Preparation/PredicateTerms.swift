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
    let next = depth + 1
    switch expression {
    case .constant(.list(let items)):
      return (.constant(.list(items)), Set(items.map { Term.Kind($0, model) }))
    case .constant(let value): return (.constant(value), [Term.Kind(value, model)])
    case .keyPath(let names): return try path(names)
    case .indexed(let names, let index):
      let (start, origin, rest) = try begin(names)
      let path = try KeyPathShape(rest, in: origin, model)
      try checkIndex(index, of: path, from: origin)
      return (.path(.init(start: start, shape: path)), [kind(of: path)])
    case .subject: return (.subject(.subject), [.object(root: entity.rootNumber)])
    case .variable(let name): return try variable(name)
    case .refused(let error): throw error
    case .list(let items): return try list(items, depth: next)
    case .count(let names): return (.count(try counted(names)), [.number])
    case .aggregate(let function, let names): return try aggregate(function, names)
    case .arithmetic(let operation, let left, let right):
      return try arithmetic(operation, left, right, depth: next)
    case .function(let function, let arguments):
      return try call(function, arguments, depth: next)
    case .conditional(let condition, let first, let second):
      return try conditional(condition, first, second, depth: next)
    case .cast(let inner, let type): return try cast(inner, to: type, depth: next)
    case .element(let names, let place, let values): return try element(names, place, values)
    case .collection(let collection): return try self.collection(collection, depth: next)
    case .combined(let operation, let left, let right):
      return try combined(operation, left, right, depth: next)
    }
  }

  // MARK: - Key paths

  /// The object at which a key path begins, its entity, and the names after it.
  func begin(
    _ names: [String]
  ) throws(FetchPredicateError) -> (start: PreparedPredicate.Start, EntityShape, rest: [String]) {
    guard let variable = names.first?.variableName else { return (.subject, entity, names) }
    guard let index = members.lastIndex(where: { $0.variable == variable }) else {
      throw unbound(variable)
    }
    return (.member(index), members[index].entity, Array(names.dropFirst()))
  }

  private func unbound(_ path: String) -> FetchPredicateError {
    let name = path.propertyNames[0]
    let known = members.map { "$\($0.variable)" }
    guard let last = known.last else {
      return FetchPredicateError(
        .unboundVariable, "The variable $\(name) has no value; substitute a value before the fetch."
      )
    }
    let others = known.count > 1 ? " Those around it are \(known.joined(separator: ", "))." : ""
    return FetchPredicateError(
      .unboundVariable,
      "The variable $\(name) has no value, and is not the variable of this subquery, which is \(last).\(others)"
    )
  }

  func prepared(_ names: [String]) throws(FetchPredicateError) -> PreparedPredicate.Path {
    let (start, entity, rest) = try begin(names)
    return .init(start: start, shape: try KeyPathShape(rest, in: entity, model))
  }

  private func path(_ names: [String]) throws(FetchPredicateError) -> TypedTerm {
    if names.count == 1, let variable = names[0].variableName { return try self.variable(variable) }
    let path = try prepared(names)
    return (.path(path), [kind(of: path.shape)])
  }

  /// The member that a variable of a subquery stands for. `$p.name` may have come as the name of one variable.
  private func variable(_ name: String) throws(FetchPredicateError) -> TypedTerm {
    var names = name.propertyNames
    guard let index = members.lastIndex(where: { $0.variable == names[0] }) else {
      throw unbound(name)
    }
    if names.count == 1 {
      return (.subject(.member(index)), [.object(root: members[index].entity.rootNumber)])
    }
    names[0] = "$" + names[0]
    return try path(names)
  }

  /// Refuses an index that the entity at the end of the path does not have, or that lacks the property.
  private func checkIndex(
    _ name: String, of path: KeyPathShape, from entity: EntityShape
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

  func kind(of path: KeyPathShape) -> Term.Kind {
    if let attribute = path.attribute { return Term.Kind(attribute.type) }
    guard let last = path.relationships.last else { return .opaque }
    return .object(root: model.shape(numbered: last.destination).rootNumber)
  }

  // MARK: - Lists

  private func list(
    _ items: [FetchExpression], depth: Int
  ) throws(FetchPredicateError) -> TypedTerm {
    var terms: [Term] = []
    var kinds: Set<Term.Kind> = []
    for item in items {
      let inner = try term(item, depth: depth)
      if inner.term.isList {
        kinds.insert(.list)
      } else {
        try requireOne(inner.term, "which a list cannot contain.")
        kinds.formUnion(inner.kinds)
      }
      terms.append(inner.term)
    }
    return (.list(terms), kinds)
  }

  /// Refuses a term that leads to many values.
  func requireOne(_ term: Term, _ reason: String) throws(FetchPredicateError) {
    guard term.isMany else { return }
    throw FetchPredicateError(
      .needsQuantifier, "\(term.name ?? "A collection") leads to many objects, \(reason)")
  }

  // MARK: - Aggregates

  private func counted(_ names: [String]) throws(FetchPredicateError) -> PreparedPredicate.Path {
    let path = try prepared(names)
    guard path.shape.attribute == nil, path.shape.relationships.last?.isToMany == true else {
      throw FetchPredicateError(
        .notToMany,
        "\(names.joined(separator: ".")) is not a to-many relationship, so it has no count.")
    }
    return path
  }

  private func aggregate(
    _ function: AggregateFunction, _ names: [String]
  ) throws(FetchPredicateError) -> TypedTerm {
    let path = try prepared(names)
    let name = names.joined(separator: ".")
    guard path.shape.isToMany else {
      throw FetchPredicateError(
        .notToMany, "\(name) does not lead to many objects, so it has no aggregate.")
    }
    guard let attribute = path.shape.attribute else {
      throw FetchPredicateError(
        .notAnAttribute, "\(name) is a relationship; aggregate an attribute.")
    }
    try function.check(attribute, name)
    return (.aggregate(function, path), [kind(of: path.shape)])
  }
}
