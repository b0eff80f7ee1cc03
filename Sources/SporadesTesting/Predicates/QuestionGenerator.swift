// SPDX-License-Identifier: MIT
public import SporadesModel
public import SporadesStore

/// Makes random valid questions about the objects of an entity. The same seed gives the same questions.
///
/// The questions have columns of every kind, groups, conditions on groups, distinct rows, orders and bounds. The
/// constants and the numbers are those of ``PredicateGenerator``.
public struct QuestionGenerator {
  private let entity: EntityShape
  private let model: ManagedObjectModel
  private var predicates: PredicateGenerator
  private var random: SeededGenerator

  /// A generator of questions about an entity of the model.
  public init(_ entity: EntityShape, _ model: ManagedObjectModel, seed: UInt64) {
    self.entity = entity
    self.model = model
    predicates = PredicateGenerator(entity, model, seed: seed)
    random = SeededGenerator(seed: seed &+ 77)
  }

  /// Makes the next question.
  public mutating func next() -> TableQuestion {
    var fetch = StoreFetch(entity, where: random.once(in: 2) ? predicates.next(depth: 1) : nil)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      setBounds(of: &fetch)
      return TableQuestion(fetch, (0..<3).map { _ in makeValue() })
    case 1:
      var question = TableQuestion(fetch, (0..<2).map { _ in makeValue(isKey: true) })
      question.isDistinct = true
      setOrder(of: &question, question.columns)
      return question
    case 2:
      if random.once(in: 2) { setBounds(of: &fetch) }
      return TableQuestion(fetch, (0..<3).map { _ in makeResult() })
    default: return makeGroups(fetch)
    }
  }

  private mutating func makeGroups(_ fetch: StoreFetch) -> TableQuestion {
    let groups = (0..<Int.random(in: 1...2, using: &random)).map { _ in makeValue(isKey: true) }
    var question = TableQuestion(
      fetch, groups + (0..<Int.random(in: 0...3, using: &random)).map { _ in makeResult() })
    question.groups = groups
    question.isDistinct = random.once(in: 5)
    if random.once(in: 3) {
      let comparator = random.pick([FetchPredicate.Comparator.greater, .less, .equal])
      let isOne = FetchPredicate.comparison(
        .init(makeResult(ofNumbers: true), comparator, .constant(.integer(2))))
      question.having = random.once(in: 3) ? .not(isOne) : isOne
    }
    setOrder(of: &question, question.columns + [makeResult()])
    return question
  }

  // MARK: - Orders and bounds

  private mutating func setBounds(of fetch: inout StoreFetch) {
    let terms = (0..<Int.random(in: 0...2, using: &random)).map { _ in makeOrderedPath() }
    fetch.sortTerms = terms.map { makeTerm($0) }
    if random.once(in: 2) { fetch.limit = Int.random(in: 0...12, using: &random) }
    if random.once(in: 3) { fetch.offset = Int.random(in: 0...5, using: &random) }
  }

  private mutating func setOrder(of question: inout TableQuestion, _ terms: [FetchExpression]) {
    let ordered = terms.filter { (try? SubjectOrder([SortTerm($0)], in: entity, model)) != nil }
    if let first = ordered.randomElement(using: &random), random.once(in: 2) {
      question.sortTerms = [makeTerm(first)]
    }
    if random.once(in: 2) { question.limit = Int.random(in: 0...6, using: &random) }
    if random.once(in: 3) { question.offset = Int.random(in: 0...3, using: &random) }
  }

  private mutating func makeTerm(_ expression: FetchExpression) -> SortTerm {
    var term = SortTerm(
      expression, ascending: random.once(in: 2),
      options: random.pick([[], [], .caseInsensitive, FetchPredicate.TextOptions(rawValue: 3)]),
      nils: random.pick([nil, nil, .first, .last]))
    let plain = term
    term.collation = random.pick([nil, .localized, .localizedCaseInsensitive, .localizedStandard])
    term.collation?.locale = random.pick(["sv_SE", "de", "en"])
    // `try?`, because numbers have no order of a language, and a program without its rules has none.
    return (try? SubjectOrder([term], in: entity, model)) == nil ? plain : term
  }

  // MARK: - Values of single objects

  private mutating func makeValue(isKey: Bool = false) -> FetchExpression {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .subject
    case 1:
      let toOne = entity.relationships.filter { !$0.isToMany }
      return toOne.isEmpty ? .subject : .keyPath([random.pick(toOne).name])
    case 2: return makeCount() ?? .subject
    case 3:
      guard let path = makePath(where: Self.isNumber) else { return .subject }
      return .arithmetic(
        random.pick([.add, .multiply, .subtract]), path, .constant(.integer(2)))
    case 4 where !isKey: return .constant(.integer(7))
    default: return makePath { _ in true } ?? .subject
    }
  }

  private mutating func makeOrderedPath() -> FetchExpression {
    if random.once(in: 4), let count = makeCount() { return count }
    return makePath { $0 != .transformable } ?? .constant(.integer(1))
  }

  private mutating func makeCount() -> FetchExpression? {
    let toMany = entity.relationships.filter(\.isToMany)
    guard !toMany.isEmpty else { return nil }
    let members = random.pick(toMany)
    let attributes = model.shape(numbered: members.destination).attributes.filter { $0.slot != nil }
    guard random.once(in: 3), !attributes.isEmpty else { return .count([members.name]) }
    let isMissing = FetchPredicate.comparison(
      .init(.keyPath(["$m", random.pick(attributes).name]), .equal, .constant(.null)))
    return .subquery([members.name], "m", .not(isMissing), .count)
  }

  private mutating func makePath(where fits: (AttributeType) -> Bool) -> FetchExpression? {
    var (names, shape): ([String], EntityShape) = ([], entity)
    if random.once(in: 3) {
      let toOne = shape.relationships.filter { !$0.isToMany }
      if !toOne.isEmpty {
        let step = random.pick(toOne)
        names.append(step.name)
        shape = model.shape(numbered: step.destination)
      }
    }
    let attributes = shape.attributes.filter { $0.slot != nil && fits($0.type) }
    guard !attributes.isEmpty else { return nil }
    return .keyPath(names + [random.pick(attributes).name])
  }

  private static func isNumber(_ type: AttributeType) -> Bool {
    [.integer16, .integer32, .integer64, .double, .boolean, .decimal].contains(type)
  }

  // MARK: - Results over groups

  private mutating func makeResult(ofNumbers isNumber: Bool = false) -> FetchExpression {
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return .objectCount
    case 4:
      guard let count = makeCount() else { return .objectCount }
      return .function(random.pick([.sum, .max, .average]), [count])
    case 1:
      guard let path = makePath(where: { _ in true }) else { return .objectCount }
      guard case .keyPath(let names) = path, random.once(in: 2) else {
        return .function(.count, [path])
      }
      return .collection(
        FetchCollection([], values: names, union: .distinct, asking: .count))
    case 2 where !isNumber:
      let path = makePath {
        Self.isNumber($0) || [.string, .date, .uuid].contains($0)
      }
      return path.map { .function(random.pick([.min, .max]), [$0]) } ?? .objectCount
    case 3:
      guard let path = makePath(where: Self.isNumber) else { return .objectCount }
      return .arithmetic(.subtract, .function(.max, [path]), .function(.min, [path]))
    default:
      guard let path = makePath(where: Self.isNumber) else { return .objectCount }
      return .function(random.pick([.sum, .average, .min]), [path])
    }
  }
}
