// SPDX-License-Identifier: MIT
package import SporadesModel

/// A question whose names were found in the model.
package struct PreparedQuestion {
  /// The way to a value of a group.
  package enum Output {
    /// The value of one of the groups' expressions.
    case key(Int)
    /// The value of one of the aggregates.
    case aggregate(Int)
    /// An expression with ``GroupVariable``s in place of both.
    case computed(FetchExpression)
  }
  /// A step of the order of groups. The output is nil for a random order.
  package typealias Step = (term: SortTerm, output: Output?, collator: (any TextCollator)?)

  /// The kinds of the values in the answer.
  package enum Kind {
    /// One value of each object for each column.
    case objects([ExpressionShape])
    case groups(Groups)
  }

  /// The parts of a question for groups, or for all objects as one group.
  package struct Groups {
    package let keys: [ExpressionShape]
    package let aggregates: [AggregateShape]
    package let outputs: [Output]
    package let order: [Step]
    package let having: FetchPredicate?
    /// All objects are one group, which exists even without objects.
    package var isOne: Bool { keys.isEmpty }
  }

  package let question: TableQuestion
  package let kind: Kind

  package init(
    _ question: TableQuestion, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) {
    self.question = question
    let entity = question.fetch.entity
    var parts = QuestionParts(entity, model)
    guard question.isOfGroups(model) else {
      try Self.checkBounds(question)
      kind = .objects(
        try question.columns.map { column throws(FetchPredicateError) in
          let shape = try ExpressionShape(column, in: entity, model)
          try shape.checkDecimals(entity, model)
          return shape
        })
      return
    }
    let isOfRows =
      question.groups.isEmpty && !question.columns.contains { parts.hasAggregate($0) }
    let keys = isOfRows && question.having == nil ? question.columns : question.groups
    try parts.setKeys(keys)
    var outputs: [Output] = []
    for column in question.columns { outputs.append(try parts.output(column)) }
    var order: [Step] = []
    // because aggregates over all objects are one result, which has no order
    let isOfOne = question.groups.isEmpty && !isOfRows
    for term in isOfOne ? [] : question.sortTerms {
      let isRandom = term.expression == SortTerm.random.expression
      let output = isRandom ? nil : try parts.output(term.expression)
      let collator = try output.flatMap { output throws(FetchPredicateError) in
        try term.collator(ofTexts: try parts.isText(output))
      }
      order.append((try term.inLocale(), output, collator))
    }
    let having = try question.having.map { condition throws(FetchPredicateError) in
      try parts.condition(condition)
    }
    kind = .groups(
      Groups(
        keys: parts.keys, aggregates: parts.aggregates, outputs: outputs, order: order,
        having: having))
  }

  private static func checkBounds(_ question: TableQuestion) throws(FetchPredicateError) {
    guard question.sortTerms.isEmpty, question.limit == nil, question.offset == 0 else {
      throw FetchPredicateError(
        .unsupported,
        "A question for each \(question.fetch.entity.name) has an order or bounds for groups. Set them on its fetch."
      )
    }
  }

  /// Computes the answer in memory.
  package func answer<Subject: PredicateSubject>(
    over subjects: some Collection<Subject>
  ) throws(StoreError) -> TableAnswer where Subject.Failure: PredicateRefusal {
    switch kind {
    case .objects(let columns):
      var values: [Value] = []
      values.reserveCapacity(subjects.count * columns.count)
      for subject in subjects {
        for column in columns {
          values.append(
            try asStoreError { () throws(Subject.Failure) in try column.value(of: subject) })
        }
      }
      return TableAnswer(width: columns.count, values)
    case .groups(let groups):
      var table = GroupTable(groups)
      try add(subjects, to: &table, groups)
      return try table.answer(to: question)
    }
  }

  /// Adds the values of objects to a table of groups.
  package func add<Subject: PredicateSubject>(
    _ subjects: some Collection<Subject>, to table: inout GroupTable, _ groups: Groups
  ) throws(StoreError) where Subject.Failure: PredicateRefusal {
    for subject in subjects {
      let (keys, arguments) = try asStoreError { () throws(Subject.Failure) in
        var keys: [Value] = []
        for key in groups.keys { keys.append(try key.value(of: subject)) }
        var arguments: [Value?] = []
        for aggregate in groups.aggregates {
          guard let argument = aggregate.argument else {
            arguments.append(nil)
            continue
          }
          arguments.append(try argument.value(of: subject))
        }
        return (keys, arguments)
      }
      table.add(keys, arguments)
    }
  }
}

extension TableQuestion {
  /// The question is not one for each object.
  package func isOfGroups(_ model: ManagedObjectModel) -> Bool {
    let parts = QuestionParts(fetch.entity, model)
    return !groups.isEmpty || isDistinct || having != nil
      || columns.contains { parts.hasAggregate($0) }
  }
}

/// The result of `body`, whose failure becomes the failure of a store.
package func asStoreError<Result, Failure: PredicateRefusal>(
  _ body: () throws(Failure) -> Result
) throws(StoreError) -> Result {
  do {
    return try body()
  } catch {
    if let error = error as? StoreError { throw error }
    if let error = error as? FetchPredicateError { throw StoreError(refusing: error) }
    throw StoreError(.unsupported, "An object could not be read: \(error)", underlying: error)
  }
}

extension ExpressionShape {
  /// Refuses a column that a store would compute from the decimals of many objects, with which SQLite computes as
  /// doubles.
  fileprivate func checkDecimals(
    _ entity: EntityShape, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) {
    guard readsDecimals, path == nil else { return }
    var many: [String]?
    expression.forEachKeyPath { names in
      // `try?`, because the preparation has refused what the model lacks, with its sentence.
      let path = try? KeyPathShape(names, in: entity, model)
      if path?.isToMany == true, path?.attribute?.type == .decimal { many = names }
    }
    guard let many else { return }
    throw FetchPredicateError(
      .unsupported,
      "\(expression) computes with the decimals \(many.joined(separator: ".")) of many objects, whose digits SQLite "
        + "loses. Ask the entity of these objects, grouped by the object that they belong to.")
  }
}
