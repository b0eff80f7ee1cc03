// SPDX-License-Identifier: MIT
import SporadesModel

/// Divides the expressions of a question for groups: into values of the groups, aggregates over the objects of a
/// group, and what is computed from both.
struct QuestionParts {
  private let entity: EntityShape
  private let model: ManagedObjectModel
  private(set) var keys: [ExpressionShape] = []
  private(set) var aggregates: [AggregateShape] = []
  private var sources: [FetchExpression] = []

  init(_ entity: EntityShape, _ model: ManagedObjectModel) {
    self.entity = entity
    self.model = model
  }

  mutating func setKeys(_ expressions: [FetchExpression]) throws(FetchPredicateError) {
    for expression in expressions {
      guard !hasAggregate(expression) else {
        throw FetchPredicateError(
          .unsupported,
          "\(expression) is computed over a group, so no group can be made by it. Make groups by a value of each object."
        )
      }
      let shape = try ExpressionShape(expression, in: entity, model)
      if shape.path?.isLarge == true {
        throw FetchPredicateError(
          .wrongOperands,
          "\(expression) makes no groups, because its values may lie in files outside the store.")
      }
      keys.append(shape)
    }
  }

  // MARK: - Aggregates

  /// The parts of an aggregate over a group.
  private typealias Aggregate = (
    function: FetchFunction, argument: FetchExpression?, isDistinct: Bool
  )

  func hasAggregate(_ expression: FetchExpression) -> Bool {
    var found = false
    _ = expression.replacing { part in
      if aggregate(part) != nil { found = true }
      return found ? part : nil
    }
    return found
  }

  /// The aggregate that an expression is; nil if it is none, or one over the objects of a relationship.
  private func aggregate(_ expression: FetchExpression) -> Aggregate? {
    switch expression {
    case .function(.count, let arguments) where arguments == [.subject]:
      return (.count, nil, false)
    case .function(let function, let arguments):
      guard function.takesMany, arguments.count == 1, !isMany(arguments[0]) else { return nil }
      return (function, arguments[0], false)
    case .count([]): return (.count, nil, false)
    case .aggregate(let function, let path):
      guard !leadsToMany(path) else { return nil }
      return (function.overGroup, .keyPath(path), false)
    case .collection(let collection):
      guard collection.path.isEmpty, collection.filter == nil else { return nil }
      let argument = FetchExpression.keyPath(collection.values)
      let isDistinct = collection.union == .distinct
      switch collection.question {
      case .count: return (.count, argument, isDistinct)
      case .aggregate(let function): return (function.overGroup, argument, isDistinct)
      case .members: return nil
      }
    default: return nil
    }
  }

  private func isMany(_ expression: FetchExpression) -> Bool {
    switch expression {
    case .list, .constant(.list), .combined: true
    case .collection(let collection): collection.question == .members
    case .keyPath(let names), .indexed(let names, _): leadsToMany(names)
    default: false
    }
  }

  private func leadsToMany(_ names: [String]) -> Bool {
    // `try?`, because the shape of the expression refuses what the model lacks, with its sentence.
    (try? KeyPathShape(names, in: entity, model))?.isToMany ?? false
  }

  private mutating func place(
    of aggregate: Aggregate, _ source: FetchExpression
  ) throws(FetchPredicateError) -> Int {
    if let known = sources.firstIndex(of: source) { return known }
    let argument = try aggregate.argument.map { argument throws(FetchPredicateError) in
      try ExpressionShape(argument, in: entity, model)
    }
    aggregates.append(
      try AggregateShape(
        aggregate.function, of: argument, isDistinct: aggregate.isDistinct, in: entity))
    sources.append(source)
    return aggregates.count - 1
  }

  // MARK: - Outputs

  mutating func output(
    _ expression: FetchExpression
  ) throws(FetchPredicateError) -> PreparedQuestion.Output {
    let computed = try divided(expression)
    if case .variable(let name) = computed, let variable = GroupVariable(name) {
      switch variable {
      case .key(let place): return .key(place)
      case .aggregate(let place): return .aggregate(place)
      }
    }
    try check(computed, expression)
    _ = try ConstantExpression.value(samples.filling(computed))
    return .computed(computed)
  }

  /// The values are texts.
  func isText(_ output: PreparedQuestion.Output) throws(FetchPredicateError) -> Bool {
    let sample: Value =
      switch output {
      case .key(let place): .sample(keys[place].type)
      case .aggregate(let place): .sample(aggregates[place].resultType)
      case .computed(let expression):
        try ConstantExpression.value(samples.filling(expression))
      }
    return switch sample {
    case .string, .url: true
    default: false
    }
  }

  mutating func condition(
    _ predicate: FetchPredicate
  ) throws(FetchPredicateError) -> FetchPredicate {
    var failure: FetchPredicateError?
    let computed = predicate.replacing { expression in
      do throws(FetchPredicateError) {
        let divided = try self.divided(expression)
        guard divided != expression else { return nil }
        return divided
      } catch {
        failure = failure ?? error
        return expression
      }
    }
    if let failure { throw failure }
    var rest: FetchExpression?
    computed.forEachKeyPath { rest = rest ?? .keyPath($0) }
    if let rest { throw Self.ungrouped(rest) }
    _ = try ConstantExpression.holds(samples.filling(computed))
    return computed
  }

  /// The expression with variables in place of the groups' values and of aggregates.
  private mutating func divided(
    _ expression: FetchExpression
  ) throws(FetchPredicateError) -> FetchExpression {
    var failure: FetchPredicateError?
    let divided = expression.replacing { part in
      if let place = keys.firstIndex(where: { $0.expression == part }) {
        return .variable(GroupVariable.key(place).name)
      }
      guard let aggregate = aggregate(part) else { return nil }
      do throws(FetchPredicateError) {
        return .variable(GroupVariable.aggregate(try place(of: aggregate, part)).name)
      } catch {
        failure = failure ?? error
        return part
      }
    }
    if let failure { throw failure }
    return divided
  }

  /// Refuses an expression that still reads single objects.
  private func check(
    _ computed: FetchExpression, _ source: FetchExpression
  ) throws(FetchPredicateError) {
    var rest: FetchExpression?
    computed.forEachKeyPath { rest = rest ?? .keyPath($0) }
    _ = computed.mappingOperands { operand in
      if operand == .subject { rest = rest ?? .subject }
      return operand
    }
    guard let rest else { return }
    // An unknown name is refused as unknown.
    _ = try ExpressionShape(rest, in: entity, model)
    throw Self.ungrouped(rest)
  }

  private static func ungrouped(_ expression: FetchExpression) -> FetchPredicateError {
    FetchPredicateError(
      .unsupported,
      "\(expression) may differ between the objects of a group, or of a distinct result. Add it to the values that make the "
        + "groups (propertiesToGroupBy) or that are distinct (propertiesToFetch, pluck), or aggregate it, as in "
        + "max:(\(expression))."
    )
  }

  /// Values of the types that keys and aggregates have, to check what is computed from them.
  private var samples: GroupValues {
    GroupValues(
      keys: keys.map { .sample($0.type) }, aggregates: aggregates.map { .sample($0.resultType) })
  }
}

extension AggregateFunction {
  fileprivate var overGroup: FetchFunction {
    switch self {
    case .sum: .sum
    case .min: .min
    case .max: .max
    case .average: .average
    }
  }
}
