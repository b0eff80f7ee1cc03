// SPDX-License-Identifier: MIT
import FoundationEssentials
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
    switch Int.random(in: 0..<20, using: &random) {
    case 18, 19: makeSought()
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

  /// Asks for members with a unique value, by whose index a store may find them before it looks for their owners.
  private mutating func makeSought() -> FetchPredicate {
    let unique = Set(model.shapes.flatMap { $0.description.uniquenessConstraints.joined() })
    let path = makePath(toMany: true) { unique.contains($0.name) }
    guard path.isToMany, path.attribute.type != .transformable else { return makeDirect() }
    let value = FetchExpression.constant(makeConstant(path.attribute.type))
    if random.once(in: 3) { return .comparison(.init(value, .isIn, .keyPath(path.names))) }
    return .comparison(.init(.keyPath(path.names), .equal, value, quantifier: .any))
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
        .normalized, FetchPredicate.TextOptions(rawValue: 7),
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
    if random.once(in: 40), let odd = makeOddNumber(type) { return odd }
    let isNumber = [.integer16, .integer32, .integer64, .double, .float, .boolean].contains(type)
    let drawn: AttributeType = isNumber ? random.pick([.integer64, .double]) : type
    return SampleLibrary.value(drawn, &random)
  }

  /// Makes a number that is not a number, an infinity, or a negative zero.
  private mutating func makeOddNumber(_ type: AttributeType) -> Value? {
    let number = random.pick([Double.nan, .infinity, -.infinity, -0.0])
    switch type {
    case .integer16, .integer32, .integer64, .double, .float: return .double(number)
    case .decimal: return .decimal(.nan)
    case .date: return .date(Date(timeIntervalSinceReferenceDate: number))
    default: return nil
    }
  }

  private mutating func makePattern(_ comparator: FetchPredicate.Comparator) -> String {
    switch comparator {
    case .like:
      random.pick(["*", "a*", "?b", "*b*", "A?*", "", "é*", "a\\*b", "%", "a_b", "*mile"])
    case .matches:
      random.pick([
        "a.*", ".*", "[aA]b?", "", "\\S+e", "(a|A).", "日.", "(?i)A.?", "(?i:É)mile", "\\p{Lu}.*",
        "^[^a]*$", "(?s).+", "a{1,2}_?b+", "(?=a)\\w*",
      ])
    default: random.pick(["", "a", "B", "mile", "é", "E\u{301}", "ss", "*", "%", "\\"])
    }
  }

  private mutating func makeCount() -> FetchPredicate {
    guard let names = makeToManyPath() else { return makeDirect() }
    return .comparison(
      .init(
        .count(names), random.pick([.equal, .greater, .lessOrEqual, .notEqual, .greaterOrEqual]),
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
}
