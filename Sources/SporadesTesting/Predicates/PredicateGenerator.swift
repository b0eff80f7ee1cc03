// SPDX-License-Identifier: MIT
public import SporadesModel

/// Makes random valid predicates over an entity. The same seed gives the same predicates.
///
/// Constants come from the values of ``SampleLibrary/rows(seed:behind:)``, so that comparisons are often true. No
/// store has to round the numbers among them.
public struct PredicateGenerator {
  let model: ManagedObjectModel
  var random: SeededGenerator
  /// The objects at which key paths may begin: the fetched object, and the members of the subqueries around.
  var starts: [(names: [String], entity: EntityShape)]

  /// A generator of predicates over an entity of the model.
  public init(_ entity: EntityShape, _ model: ManagedObjectModel, seed: UInt64) {
    self.model = model
    starts = [([], entity)]
    random = SeededGenerator(seed: seed)
  }

  /// Makes the next predicate, with at most `depth` nested levels.
  public mutating func next(depth: Int = 3) -> FetchPredicate {
    guard depth > 0, !random.once(in: 3) else { return makeLeaf() }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return .not(next(depth: depth - 1))
    case 1: return .and(makeParts(depth))
    default: return .or(makeParts(depth))
    }
  }

  private mutating func makeParts(_ depth: Int) -> [FetchPredicate] {
    (0..<Int.random(in: 2...3, using: &random)).map { _ in next(depth: depth - 1) }
  }

  private mutating func makeLeaf() -> FetchPredicate {
    switch Int.random(in: 0..<18, using: &random) {
    case 12...15: makeExpressionComparison()
    case 16, 17: makeCollectionComparison()
    case 0: .constant(random.once(in: 2))
    case 1, 2: makeCount()
    case 3: makeAggregate()
    case 4: makeArithmetic()
    case 5: makeReference()
    case 6, 7, 8: makeQuantified()
    default: makeDirect()
    }
  }

  // MARK: - Leaves

  mutating func makeDirect() -> FetchPredicate {
    let path = makePath(toMany: false)
    return makeComparison(path.names, path.attribute.type, .direct)
  }

  private mutating func makeQuantified() -> FetchPredicate {
    let path = makePath(toMany: true)
    guard path.isToMany else { return makeComparison(path.names, path.attribute.type, .direct) }
    return makeComparison(path.names, path.attribute.type, random.once(in: 2) ? .any : .all)
  }

  private mutating func makeComparison(
    _ names: [String], _ type: AttributeType, _ quantifier: FetchPredicate.Quantifier
  ) -> FetchPredicate {
    let left = FetchExpression.keyPath(names)
    let isText = type == .string || type == .uri
    let options: FetchPredicate.TextOptions =
      isText
      ? random.pick([
        [], [], .caseInsensitive, .diacriticInsensitive, FetchPredicate.TextOptions(rawValue: 3),
        .normalized,
      ])
      : []
    func compare(
      _ comparator: FetchPredicate.Comparator, _ right: FetchExpression
    ) -> FetchPredicate {
      .comparison(.init(left, comparator, right, quantifier: quantifier, options: options))
    }
    if random.once(in: 6) || type == .transformable {
      return compare(random.once(in: 2) ? .equal : .notEqual, .constant(.null))
    }
    if isText, !random.once(in: 3) {
      let comparator = random.pick(
        [FetchPredicate.Comparator.contains, .beginsWith, .endsWith, .like, .matches])
      return compare(comparator, .constant(.string(makePattern(comparator))))
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return compare(.isIn, .constant(.list((0..<3).map { _ in makeConstant(type) })))
    case 1: return compare(.between, .constant(.list((0..<2).map { _ in makeConstant(type) })))
    default:
      let comparator = random.pick(
        [
          FetchPredicate.Comparator.equal, .notEqual, .less, .lessOrEqual, .greater,
          .greaterOrEqual,
        ])
      return compare(comparator, .constant(makeConstant(type)))
    }
  }

  mutating func makeConstant(_ type: AttributeType) -> Value {
    if random.once(in: 12) { return .null }
    let isNumber = [.integer16, .integer32, .integer64, .double, .float, .boolean].contains(type)
    let drawn: AttributeType = isNumber ? random.pick([.integer64, .double]) : type
    return SampleLibrary.value(drawn, &random)
  }

  private mutating func makePattern(_ comparator: FetchPredicate.Comparator) -> String {
    switch comparator {
    case .like:
      random.pick(["*", "a*", "?b", "*b*", "A?*", "", "é*", "a\\*b", "%", "a_b", "*mile"])
    case .matches: random.pick(["a.*", ".*", "[aA]b?", "", "\\S+e", "(a|A).", "日."])
    default: random.pick(["", "a", "B", "mile", "é", "E\u{301}", "ss", "*", "%", "\\"])
    }
  }

  private mutating func makeCount() -> FetchPredicate {
    guard let names = makeToManyPath() else { return makeDirect() }
    return .comparison(
      .init(
        .count(names), random.pick([.equal, .greater, .lessOrEqual]),
        .constant(.integer(Int64.random(in: 0...3, using: &random)))))
  }

  private mutating func makeAggregate() -> FetchPredicate {
    let path = makePath(toMany: true)
    guard path.isToMany else { return makeDirect() }
    let function: AggregateFunction
    switch path.attribute.type {
    case .integer16, .integer32, .integer64, .double, .boolean:
      function = random.pick([.sum, .min, .max, .average])
    case .string, .date: function = random.pick([.min, .max])
    default: return makeDirect()
    }
    return .comparison(
      .init(
        .aggregate(function, path.names), random.pick([.equal, .greater, .less]),
        .constant(makeConstant(path.attribute.type))))
  }

  private mutating func makeArithmetic() -> FetchPredicate {
    let path = makePath(toMany: false)
    guard [.integer16, .integer32, .integer64, .double].contains(path.attribute.type) else {
      return makeDirect()
    }
    let number = SampleLibrary.value(random.pick([.integer64, .double]), &random)
    let operation = random.pick([ArithmeticOperator.add, .subtract, .multiply, .divide])
    return .comparison(
      .init(
        .arithmetic(operation, .keyPath(path.names), .constant(number)),
        random.pick([.equal, .notEqual, .less, .greaterOrEqual]),
        .constant(makeConstant(path.attribute.type))))
  }

  /// Makes a comparison of a to-one relationship with nil.
  private mutating func makeReference() -> FetchPredicate {
    let start = random.pick(starts)
    let toOne = start.entity.relationships.filter { !$0.isToMany }
    guard !toOne.isEmpty else { return makeDirect() }
    return .comparison(
      .init(
        .keyPath(start.names + [random.pick(toOne).name]), random.once(in: 2) ? .equal : .notEqual,
        .constant(.null)))
  }

  // MARK: - Key paths

  typealias Path = (names: [String], attribute: AttributeShape, isToMany: Bool)

  /// Makes a key path to an attribute. If `toMany` is true, the path leads to many objects where the entity
  /// has such a path.
  mutating func makePath(
    toMany: Bool, where isWanted: (AttributeShape) -> Bool = { _ in true }
  ) -> Path {
    let start = random.pick(starts)
    var (names, shape, isToMany) = (start.names, start.entity, false)
    for _ in 0..<Int.random(in: toMany ? 1...3 : 0...2, using: &random) {
      let steps = shape.relationships.filter { toMany || !$0.isToMany }
      guard !steps.isEmpty else { break }
      let step = random.pick(steps)
      names.append(step.name)
      isToMany = isToMany || step.isToMany
      shape = model.shape(numbered: step.destination)
    }
    let attributes = shape.attributes.filter { $0.slot != nil }
    let wanted = attributes.filter(isWanted)
    let attribute = random.pick(wanted.isEmpty ? attributes : wanted)
    return (names + [attribute.name], attribute, isToMany)
  }

  mutating func makeToManyPath() -> [String]? {
    let start = random.pick(starts)
    let direct = start.entity.relationships.filter(\.isToMany).map { start.names + [$0.name] }
    let further = start.entity.relationships.flatMap { step in
      model.shape(numbered: step.destination).relationships.filter(\.isToMany)
        .map { start.names + [step.name, $0.name] }
    }
    let all = direct + further
    return all.isEmpty ? nil : random.pick(all)
  }

  /// The entity at the end of a key path of relationships.
  func entity(at path: [String]) -> EntityShape {
    var (shape, rest) = (starts[0].entity, path[...])
    if let start = starts.last(where: { !$0.names.isEmpty && path.starts(with: $0.names) }) {
      (shape, rest) = (start.entity, path.dropFirst(start.names.count))
    }
    for name in rest {
      guard case .relationship(let step)? = shape[name] else {
        preconditionFailure("\(shape.name) has no relationship \(name).")
      }
      shape = model.shape(numbered: step.destination)
    }
    return shape
  }
}
