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
/// - `now()` is the moment in which the evaluator was made, for all subjects.
/// - `@count` and `@sum` of no objects are 0. `@min`, `@max` and `@avg` of no objects are nil. Aggregates
///   leave out nil values.
/// - A subquery and an operator of collections select members as a to-many key path does. An element of an ordered
///   relationship that does not exist is nil, and so are its values.
/// - ``ValueOrder``, ``ArithmeticOperator/apply(_:_:)``, ``AggregateFunction/value(of:)``,
///   ``FetchFunction/apply(_:)-([Value])``, ``FetchFunction/value(of:)``, ``CastType/apply(_:)``, ``TextFolding`` and ``TextPattern`` define the operations on single values.
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

  /// Prepares a predicate for objects in memory, which conditions on the object itself can ask.
  package init(
    askingInMemory predicate: FetchPredicate, in entity: EntityShape, _ model: ManagedObjectModel
  ) throws(FetchPredicateError) {
    self.predicate = try PredicatePreparation(entity, model, asksObjects: true).prepare(predicate)
    budget = PatternBudget()
  }

  /// The subject satisfies the predicate.
  public func matches<Subject: PredicateSubject>(
    _ subject: Subject
  ) throws(Subject.Failure) -> Bool where Subject.Failure: PredicateRefusal {
    try SubjectScope(subject, budget).matches(predicate)
  }

  /// Reads the value at the end of a key path of to-one steps; null if a step has no object.
  static func value<Subject: PredicateSubject>(
    _ path: KeyPathShape, of subject: Subject
  ) throws(Subject.Failure) -> Value {
    try KeyPathReader.value(path, of: subject)
  }
}

/// A subject, and the members that the variables of subqueries stand for.
struct SubjectScope<Subject: PredicateSubject> where Subject.Failure: PredicateRefusal {
  private let subject: Subject
  private let budget: PatternBudget
  private var members: [Subject] = []

  init(_ subject: Subject, _ budget: PatternBudget) {
    self.subject = subject
    self.budget = budget
  }

  // MARK: - Conditions

  func matches(_ predicate: PreparedPredicate) throws(Subject.Failure) -> Bool {
    switch predicate {
    case .constant(let answer): return answer
    case .comparison(let comparison): return try matches(comparison)
    case .not(let inner): return try !matches(inner)
    case .and(let parts):
      for part in parts where try !matches(part) { return false }
      return true
    case .or(let parts):
      for part in parts where try matches(part) { return true }
      return false
    case .open(let condition): return try matches(condition)
    }
  }

  private func matches(_ condition: PreparedPredicate.Open) throws(Subject.Failure) -> Bool {
    let values = try values(.list(condition.operands))
    do {
      return try condition.meaning.isTrue(of: values, for: subject.objectInMemory)
    } catch {
      throw Subject.Failure(refusing: error)
    }
  }

  private func matches(
    _ comparison: PreparedPredicate.Comparison
  ) throws(Subject.Failure) -> Bool {
    if let path = comparison.nullTest {
      let isNull = try KeyPathReader.isNull(path.shape, of: start(path.start))
      return isNull == (comparison.comparator == .equal)
    }
    let right = try folded(comparison.right, comparison.folding)
    guard comparison.quantifier != .direct else {
      return try holds(comparison, folded(comparison.left, comparison.folding), right)
    }
    let decisive = comparison.quantifier == .any
    for left in try values(comparison.left) {
      let answer = try holds(comparison, left.folded(comparison.folding), right)
      if answer == decisive { return decisive }
    }
    return !decisive
  }

  private func holds(
    _ comparison: PreparedPredicate.Comparison, _ left: Value, _ right: Value
  ) throws(Subject.Failure) -> Bool {
    do {
      return try comparison.holds(left, right, within: budget)
    } catch {
      throw Subject.Failure(refusing: error)
    }
  }

  // MARK: - Terms

  /// Reads the value of a term, and folds its text by the options of the comparison. Constants are folded already.
  private func folded(
    _ term: PreparedPredicate.Term, _ options: FetchPredicate.TextOptions
  ) throws(Subject.Failure) -> Value {
    switch term {
    case .constant(let value): return value
    case .list(let items):
      var values: [Value] = []
      for item in items { values.append(try folded(item, options)) }
      return .list(values)
    case .combined(let operation, let left, let right):
      guard case .list(let some) = try folded(left, options),
        case .list(let more) = try folded(right, options)
      else { return .null }
      return .list(operation.apply(some, more))
    default: return try value(term).folded(options)
    }
  }

  func value(_ term: PreparedPredicate.Term) throws(Subject.Failure) -> Value {
    switch term {
    case .constant(let value): return value
    case .subject(let start): return .objectID(self.start(start).subjectID)
    case .path(let path):
      return path.shape.isToMany
        ? .list(try values(term)) : try KeyPathReader.value(path.shape, of: start(path.start))
    case .list: return .list(try values(term))
    case .count(let path):
      return .integer(try KeyPathReader.count(path.shape, of: start(path.start)))
    case .aggregate(let function, _): return function.total(of: try values(term))
    case .arithmetic(let operation, let left, let right, onDates: _):
      return operation.apply(try value(left), try value(right))
    case .function(let function, let arguments):
      guard let argument = arguments.first else { return .null }
      if function.takesMany { return function.value(of: try values(argument)) }
      guard arguments.count > 1 else { return function.apply(try value(argument)) }
      var all: [Value] = []
      for argument in arguments { all.append(try value(argument)) }
      return function.apply(all)
    case .conditional(let condition, let first, let second, isText: _):
      return try matches(condition) ? try value(first) : try value(second)
    case .cast(let inner, from: _, let type): return type.apply(try value(inner))
    case .real(let inner): return try value(inner).real
    case .element(let element): return try value(element)
    case .collection(let collection): return try answer(collection)
    case .combined: return try folded(term, [])
    }
  }

  /// The values that a term leads to.
  private func values(_ term: PreparedPredicate.Term) throws(Subject.Failure) -> [Value] {
    switch term {
    case .path(let path), .aggregate(_, let path):
      return try KeyPathReader.values(path.shape, of: start(path.start))
    case .collection(let collection): return try values(collection)
    case .constant(.list(let items)): return items
    case .list(let items):
      var values: [Value] = []
      for item in items { values.append(try value(item)) }
      return values
    default: return [try value(term)]
    }
  }

  private func start(_ start: PreparedPredicate.Start) -> Subject {
    switch start {
    case .subject: subject
    case .member(let index): members[index]
    }
  }

  // MARK: - Members

  private func value(_ element: PreparedPredicate.Element) throws(Subject.Failure) -> Value {
    guard let last = element.steps.last else { return .null }
    let owners = try KeyPathReader.subjects(
      element.steps.dropLast()[...], from: start(element.start))
    guard let owner = owners.first else { return .null }
    guard let values = element.values else {
      return element.place.pick(from: try owner.relatedIDs(by: last)).map { .objectID($0) } ?? .null
    }
    guard let member = element.place.pick(from: try owner.related(by: last)) else { return .null }
    return try KeyPathReader.value(values, of: member)
  }

  private func answer(_ collection: PreparedPredicate.Collection) throws(Subject.Failure) -> Value {
    let values = try values(collection)
    switch collection.question {
    case .members: return .list(values)
    case .count: return .integer(Int64(values.count))
    case .aggregate(let function): return function.total(of: values)
    }
  }

  private func values(
    _ collection: PreparedPredicate.Collection
  ) throws(Subject.Failure) -> [Value] {
    var values: [Value] = []
    for member in try KeyPathReader.subjects(collection.steps[...], from: start(collection.start)) {
      if let condition = collection.condition {
        var inner = self
        inner.members.append(member)
        guard try inner.matches(condition) else { continue }
      }
      if let computed = collection.computed {
        var inner = self
        inner.members.append(member)
        values.append(try inner.value(computed))
        continue
      }
      guard let path = collection.values else {
        values.append(.objectID(member.subjectID))
        continue
      }
      if path.isToMany {
        values += try KeyPathReader.values(path, of: member)
      } else {
        values.append(try KeyPathReader.value(path, of: member))
      }
    }
    return collection.union.apply(values)
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
      if case .list(let items) = right { return items.contains(left) }
      guard let text = ValueOrder.text(right), let part = ValueOrder.text(left) else {
        return false
      }
      return TextFolding.contains(text, part)
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
