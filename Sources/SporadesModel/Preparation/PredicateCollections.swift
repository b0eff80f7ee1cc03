// SPDX-License-Identifier: MIT

// Members of relationships: subqueries, collection operators, elements, and collections put together.
extension PredicatePreparation {
  func collection(
    _ collection: FetchCollection, depth: Int
  ) throws(FetchPredicateError) -> TypedTerm {
    let name = collection.path.joined(separator: ".")
    let (start, origin, rest) = try begin(collection.path)
    let path = try KeyPathShape(rest, in: origin, model)
    guard path.attribute == nil, path.isToMany, let last = path.relationships.last else {
      throw FetchPredicateError(
        .notToMany,
        "\(name) does not lead to many objects; SUBQUERY and operators of collections need a to-many relationship."
      )
    }
    let member = model.shape(numbered: last.destination)
    let values =
      try collection.values.isEmpty
      ? nil : KeyPathShape(collection.values, in: member, model)
    let computed = try computed(collection, on: member, depth: depth)
    let kinds = computed?.kinds ?? [values.map(self.kind) ?? .object(root: member.rootNumber)]
    if computed == nil { try check(collection.question, values, kinds, name) }
    let prepared = PreparedPredicate.Collection(
      start: start, steps: path.relationships, member: member,
      condition: try condition(collection.filter, on: member, depth: depth), values: values,
      computed: computed?.term, union: collection.union, question: collection.question)
    return (.collection(prepared), collection.question == .count ? [.number] : kinds)
  }

  /// The value that a subquery computes of each member.
  private func computed(
    _ collection: FetchCollection, on member: EntityShape, depth: Int
  ) throws(FetchPredicateError) -> TypedTerm? {
    guard let filter = collection.filter, let value = filter.value else { return nil }
    guard collection.values.isEmpty,
      collection.question == .members || collection.question == .count
    else {
      throw FetchPredicateError(
        .unsupported,
        "A subquery that computes a value of each member has no key path and no aggregate behind it; write a function around it, such as sum:(SUBQUERY(…))."
      )
    }
    let inner = try self.inner(filter, on: member)
    let term = try inner.term(value, depth: depth)
    try inner.requireOne(term.term, "and a subquery computes one value of each member.")
    guard !term.term.isList else {
      throw FetchPredicateError(
        .wrongOperands, "A subquery computes one value of each member, and not a list.")
    }
    return term
  }

  private func condition(
    _ filter: FetchCollection.Filter?, on member: EntityShape, depth: Int
  ) throws(FetchPredicateError) -> PreparedPredicate? {
    guard let filter else { return nil }
    let inner = try inner(filter, on: member)
    return filter.condition == .constant(true)
      ? nil : try inner.prepare(filter.condition, depth: depth)
  }

  /// The preparation in which the variable of a subquery stands for a member.
  private func inner(
    _ filter: FetchCollection.Filter, on member: EntityShape
  ) throws(FetchPredicateError) -> Self {
    guard !members.contains(where: { $0.variable == filter.variable }) else {
      throw FetchPredicateError(
        .wrongOperands,
        "The variable $\(filter.variable) stands for two things; give the inner SUBQUERY another variable."
      )
    }
    var inner = self
    inner.members.append((filter.variable, member))
    inner.isInExpression = true
    return inner
  }

  private func check(
    _ question: FetchCollection.Question, _ values: KeyPathShape?, _ kinds: Set<Term.Kind>,
    _ name: String
  ) throws(FetchPredicateError) {
    if case .aggregate(let function) = question {
      guard let attribute = values?.attribute else {
        throw FetchPredicateError(
          .notAnAttribute, "@\(function.spelling) of \(name) needs an attribute after it.")
      }
      try function.check(attribute, "\(name).\(attribute.name)")
    } else if values?.isLarge == true || kinds == [.opaque] {
      throw FetchPredicateError(
        .wrongOperands, "The values of \(name) cannot be compared, so no operator collects them.")
    }
  }

  // MARK: - Elements

  func element(
    _ names: [String], _ place: ElementPlace, _ values: [String]
  ) throws(FetchPredicateError) -> TypedTerm {
    let name = names.joined(separator: ".")
    let (start, origin, rest) = try begin(names)
    let path = try KeyPathShape(rest, in: origin, model)
    guard path.attribute == nil, let last = path.relationships.last, last.isToMany else {
      throw FetchPredicateError(
        .notToMany, "\(name) is not a to-many relationship, so it has no elements.")
    }
    guard last.isOrdered else {
      throw FetchPredicateError(
        .unsupported,
        "\(name) is not ordered, so it has no first, last or numbered element; make the relationship ordered."
      )
    }
    guard !path.relationships.dropLast().contains(where: \.isToMany) else {
      throw FetchPredicateError(
        .needsQuantifier, "\(name) leads through many objects, so [ ] names no single element.")
    }
    if case .index(let index) = place, index < 0 {
      throw FetchPredicateError(
        .wrongOperands, "\(name)[\(index)] has a negative index; use [LAST], or 0 and more.")
    }
    let member = model.shape(numbered: last.destination)
    let values = try values.isEmpty ? nil : KeyPathShape(values, in: member, model)
    if values?.isToMany == true {
      throw FetchPredicateError(
        .needsQuantifier,
        "\(values?.names.joined(separator: ".") ?? "") after \(name)[ ] leads to many objects.")
    }
    let element = PreparedPredicate.Element(
      start: start, steps: path.relationships, member: member, place: place, values: values)
    return (.element(element), [values.map(kind) ?? .object(root: member.rootNumber)])
  }

  // MARK: - Sets

  func combined(
    _ operation: SetOperator, _ left: FetchExpression, _ right: FetchExpression, depth: Int
  ) throws(FetchPredicateError) -> TypedTerm {
    let (left, right) = (try term(left, depth: depth), try term(right, depth: depth))
    for side in [left, right] where !side.term.isList && !side.term.isMany {
      throw FetchPredicateError(
        .notToMany,
        "\(operation.rawValue) needs a list or a key path to many values on each side\(side.term.name.map { "; \($0) leads to one value" } ?? "")."
      )
    }
    return (.combined(operation, left.term, right.term), left.kinds.union(right.kinds))
  }
}
