// SPDX-License-Identifier: MIT

/// Decides whether subjects satisfy a predicate.
///
/// The evaluator defines the meaning of predicates. Stores that compile predicates to SQL must agree
/// with it.
///
/// - Logic is two-valued. nil equals nil and nothing else. Every ordering against nil is false, and so
///   is every comparison of text with nil. `NOT` inverts every answer.
/// - A to-many key path leads to one value for each object at its last to-many step. Earlier to-many
///   steps flatten, and duplicates stay. A to-one step without an object gives nil after the first
///   to-many step, and no objects before it. `ANY` of no objects is false, `ALL` of no objects is true.
/// - `@count` and `@sum` of no objects are 0. `@min`, `@max` and `@avg` of no objects are nil. Aggregates
///   leave out nil values.
/// - ``ValueOrder``, ``ArithmeticOperator/apply(_:_:)``, ``AggregateFunction/value(of:)``,
///   ``TextFolding`` and ``TextPattern`` define the operations on single values.
public struct PredicateEvaluator {
  private let predicate: PreparedPredicate
  private let budget: PatternBudget

  /// Prepares a predicate for subjects of an entity, and refuses a predicate that does not fit the
  /// entity. All subjects share the budget.
  public init(
    _ predicate: FetchPredicate, in entity: EntityShape, _ model: ManagedObjectModel,
    within budget: PatternBudget = PatternBudget()
  ) throws(FetchPredicateError) {
    self.predicate = try PredicatePreparation(entity, model).prepare(predicate)
    self.budget = budget
  }

  /// The subject satisfies the predicate.
  public func matches<Subject: PredicateSubject>(
    _ subject: Subject
  ) throws(Subject.Failure) -> Bool where Subject.Failure: PredicateRefusal {
    try matches(predicate, subject)
  }

  private func matches<Subject: PredicateSubject>(
    _ predicate: PreparedPredicate, _ subject: Subject
  ) throws(Subject.Failure) -> Bool where Subject.Failure: PredicateRefusal {
    switch predicate {
    case .constant(let answer): return answer
    case .comparison(let comparison): return try matches(comparison, subject)
    case .not(let inner): return try !matches(inner, subject)
    case .and(let parts):
      for part in parts where try !matches(part, subject) { return false }
      return true
    case .or(let parts):
      for part in parts where try matches(part, subject) { return true }
      return false
    }
  }

  private func matches<Subject: PredicateSubject>(
    _ comparison: PreparedPredicate.Comparison, _ subject: Subject
  ) throws(Subject.Failure) -> Bool where Subject.Failure: PredicateRefusal {
    if let path = comparison.nullTest {
      return try Self.isNull(path, of: subject) == (comparison.comparator == .equal)
    }
    let right = try Self.operand(comparison.right, comparison.folding, of: subject)
    guard comparison.quantifier != .direct, case .path(let path) = comparison.left else {
      let left = try Self.operand(comparison.left, comparison.folding, of: subject)
      return try holds(comparison, left, right, as: Subject.Failure.self)
    }
    let decisive = comparison.quantifier == .any
    for left in try Self.values(path, of: subject) {
      let left = left.folded(comparison.folding)
      let answer = try holds(comparison, left, right, as: Subject.Failure.self)
      if answer == decisive { return decisive }
    }
    return !decisive
  }

  private func holds<Failure: PredicateRefusal>(
    _ comparison: PreparedPredicate.Comparison, _ left: Value, _ right: Value,
    as failure: Failure.Type
  ) throws(Failure) -> Bool {
    do {
      return try comparison.holds(left, right, within: budget)
    } catch {
      throw failure.init(refusing: error)
    }
  }

  // MARK: - Terms

  /// Reads the value of a term, and folds its text by the options of the comparison.
  private static func operand<Subject: PredicateSubject>(
    _ term: PreparedPredicate.Term, _ options: FetchPredicate.TextOptions, of subject: Subject
  ) throws(Subject.Failure) -> Value {
    switch term {
    case .constant(let value): return value
    case .subject: return .objectID(subject.subjectID)
    case .path(let path):
      let value: Value =
        path.isToMany
        ? .list(try values(path, of: subject)) : try value(path, of: subject)
      return value.folded(options)
    case .list(let items):
      var values: [Value] = []
      for item in items { values.append(try operand(item, options, of: subject)) }
      return .list(values)
    case .count(let path): return .integer(try count(path, of: subject))
    case .aggregate(let function, let path):
      let result = function.value(of: try values(path, of: subject))
      return result.isNull && function == .sum ? .integer(0) : result.folded(options)
    case .arithmetic(let operation, let left, let right):
      return operation.apply(
        try operand(left, options, of: subject), try operand(right, options, of: subject))
    }
  }

  /// Reads the value of a term.
  static func value<Subject: PredicateSubject>(
    _ term: PreparedPredicate.Term, of subject: Subject
  ) throws(Subject.Failure) -> Value where Subject.Failure: PredicateRefusal {
    try operand(term, [], of: subject)
  }

  // MARK: - Key paths

  /// Reads the value at the end of a key path of to-one steps; null if a step has no object.
  static func value<Subject: PredicateSubject>(
    _ path: KeyPathShape, of subject: Subject
  ) throws(Subject.Failure) -> Value {
    try value(path.relationships[...], path.attribute, of: subject)
  }

  /// A key path of to-one steps has no value at its end. The function does not read the value.
  private static func isNull<Subject: PredicateSubject>(
    _ path: KeyPathShape, of subject: Subject
  ) throws(Subject.Failure) -> Bool {
    guard let attribute = path.attribute else { return try value(path, of: subject).isNull }
    var subject = subject
    for step in path.relationships {
      guard let next = try subject.related(by: step).first else { return true }
      subject = next
    }
    return try subject.isNull(attribute)
  }

  private static func value<Subject: PredicateSubject>(
    _ steps: ArraySlice<RelationshipShape>, _ attribute: AttributeShape?, of subject: Subject
  ) throws(Subject.Failure) -> Value {
    var subject = subject
    for (index, step) in zip(steps.indices, steps) {
      if attribute == nil, index == steps.endIndex - 1 {
        return try subject.relatedIDs(by: step).first.map { .objectID($0) } ?? .null
      }
      guard let next = try subject.related(by: step).first else { return .null }
      subject = next
    }
    return try attribute.map { attribute throws(Subject.Failure) in
      try subject.value(of: attribute)
    } ?? .objectID(subject.subjectID)
  }

  /// Reads the values at the end of a to-many key path.
  private static func values<Subject: PredicateSubject>(
    _ path: KeyPathShape, of subject: Subject
  ) throws(Subject.Failure) -> [Value] {
    let last = path.relationships.lastIndex(where: \.isToMany) ?? 0
    let before = try subjects(path.relationships[..<last], from: subject)
    let after = path.relationships[(last + 1)...]
    var values: [Value] = []
    for owner in before {
      if path.attribute == nil, after.isEmpty {
        values += try owner.relatedIDs(by: path.relationships[last]).map { .objectID($0) }
        continue
      }
      for related in try owner.related(by: path.relationships[last]) {
        values.append(try value(after, path.attribute, of: related))
      }
    }
    return values
  }

  private static func count<Subject: PredicateSubject>(
    _ path: KeyPathShape, of subject: Subject
  ) throws(Subject.Failure) -> Int64 {
    guard let last = path.relationships.last else { return 0 }
    var count = 0
    for owner in try subjects(path.relationships.dropLast(), from: subject) {
      count += try owner.relatedIDs(by: last).count
    }
    return Int64(count)
  }

  private static func subjects<Subject: PredicateSubject>(
    _ steps: ArraySlice<RelationshipShape>, from subject: Subject
  ) throws(Subject.Failure) -> [Subject] {
    var subjects = [subject]
    for step in steps {
      var next: [Subject] = []
      for subject in subjects { next += try subject.related(by: step) }
      subjects = next
    }
    return subjects
  }
}

extension PreparedPredicate.Comparison {
  /// The relation holds between two values, whose text is folded already.
  func holds(
    _ left: Value, _ right: Value, within budget: PatternBudget
  ) throws(FetchPredicateError) -> Bool {
    switch comparator {
    case .equal: return ValueOrder.areEqual(left, right)
    case .notEqual: return !ValueOrder.areEqual(left, right)
    case .less: return ValueOrder.compare(left, right).map { $0 < 0 } ?? false
    case .lessOrEqual: return ValueOrder.compare(left, right).map { $0 <= 0 } ?? false
    case .greater: return ValueOrder.compare(left, right).map { $0 > 0 } ?? false
    case .greaterOrEqual: return ValueOrder.compare(left, right).map { $0 >= 0 } ?? false
    case .isIn:
      guard case .list(let items) = right else { return false }
      return items.contains { ValueOrder.areEqual(left, $0) }
    case .between:
      guard case .list(let bounds) = right, bounds.count == 2 else { return false }
      return (ValueOrder.compare(bounds[0], left).map { $0 <= 0 } ?? false)
        && (ValueOrder.compare(left, bounds[1]).map { $0 <= 0 } ?? false)
    case .contains, .beginsWith, .endsWith, .like, .matches:
      guard let left = ValueOrder.text(left), let right = ValueOrder.text(right) else {
        return false
      }
      return try holds(left, right, within: budget)
    }
  }

  private func holds(
    _ text: String, _ right: String, within budget: PatternBudget
  ) throws(FetchPredicateError) -> Bool {
    switch comparator {
    case .contains: TextFolding.contains(text, right)
    case .beginsWith: TextFolding.begins(text, with: right)
    case .endsWith: TextFolding.ends(text, with: right)
    default:
      try (pattern ?? TextPattern(like: right, options: options)).matches(text, within: budget)
    }
  }
}
