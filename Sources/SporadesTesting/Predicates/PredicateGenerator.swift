// SPDX-License-Identifier: MIT
public import SporadesModel

/// Makes random predicates over an entity, all of them valid, the same for the same seed.
///
/// Constants come from the values that ``SampleLibrary/rows(seed:)`` fills attributes with, so
/// that comparisons are often true. Numbers are such that no store has to round them.
public struct PredicateGenerator {
  private let entity: EntityShape
  private let model: ManagedObjectModel
  var random: SeededGenerator

  /// A generator of predicates over an entity of the model.
  public init(_ entity: EntityShape, _ model: ManagedObjectModel, seed: UInt64) {
    self.entity = entity
    self.model = model
    random = SeededGenerator(seed: seed)
  }

  /// The next predicate, nested no deeper than `depth`.
  public mutating func next(depth: Int = 3) -> FetchPredicate {
    guard depth > 0, !random.once(in: 3) else { return leaf() }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return .not(next(depth: depth - 1))
    case 1: return .and(parts(depth))
    default: return .or(parts(depth))
    }
  }

  private mutating func parts(_ depth: Int) -> [FetchPredicate] {
    (0..<Int.random(in: 2...3, using: &random)).map { _ in next(depth: depth - 1) }
  }

  private mutating func leaf() -> FetchPredicate {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: .constant(random.once(in: 2))
    case 1, 2: count()
    case 3: aggregate()
    case 4: arithmetic()
    case 5: reference()
    case 6, 7, 8: quantified()
    default: direct()
    }
  }

  // MARK: - Leaves

  private mutating func direct() -> FetchPredicate {
    let path = path(toMany: false)
    return comparison(path.names, path.attribute.type, .direct)
  }

  private mutating func quantified() -> FetchPredicate {
    let path = path(toMany: true)
    guard path.isToMany else { return comparison(path.names, path.attribute.type, .direct) }
    return comparison(path.names, path.attribute.type, random.once(in: 2) ? .any : .all)
  }

  private mutating func comparison(
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
    func make(
      _ comparator: FetchPredicate.Comparator, _ right: FetchExpression
    ) -> FetchPredicate {
      .comparison(.init(left, comparator, right, quantifier: quantifier, options: options))
    }
    if random.once(in: 6) || type == .transformable {
      return make(random.once(in: 2) ? .equal : .notEqual, .constant(.null))
    }
    if isText, !random.once(in: 3) {
      let comparator = random.pick(
        [FetchPredicate.Comparator.contains, .beginsWith, .endsWith, .like, .matches])
      return make(comparator, .constant(.string(pattern(comparator))))
    }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return make(.isIn, .constant(.list((0..<3).map { _ in constant(type) })))
    case 1: return make(.between, .constant(.list((0..<2).map { _ in constant(type) })))
    default:
      let comparator = random.pick(
        [
          FetchPredicate.Comparator.equal, .notEqual, .less, .lessOrEqual, .greater,
          .greaterOrEqual,
        ])
      return make(comparator, .constant(constant(type)))
    }
  }

  private mutating func constant(_ type: AttributeType) -> Value {
    if random.once(in: 12) { return .null }
    let isNumber = [.integer16, .integer32, .integer64, .double, .float, .boolean].contains(type)
    let drawn: AttributeType = isNumber ? random.pick([.integer64, .double]) : type
    return SampleLibrary.value(drawn, &random)
  }

  private mutating func pattern(_ comparator: FetchPredicate.Comparator) -> String {
    switch comparator {
    case .like:
      random.pick(["*", "a*", "?b", "*b*", "A?*", "", "é*", "a\\*b", "%", "a_b", "*mile"])
    case .matches: random.pick(["a.*", ".*", "[aA]b?", "", "\\S+e", "(a|A).", "日."])
    default: random.pick(["", "a", "B", "mile", "é", "E\u{301}", "ss", "*", "%", "\\"])
    }
  }

  private mutating func count() -> FetchPredicate {
    guard let names = toManyPath() else { return direct() }
    return .comparison(
      .init(
        .count(names), random.pick([.equal, .greater, .lessOrEqual]),
        .constant(.integer(Int64.random(in: 0...3, using: &random)))))
  }

  private mutating func aggregate() -> FetchPredicate {
    let path = path(toMany: true)
    guard path.isToMany else { return direct() }
    let function: AggregateFunction
    switch path.attribute.type {
    case .integer16, .integer32, .integer64, .double, .boolean:
      function = random.pick([.sum, .min, .max, .average])
    case .string, .date: function = random.pick([.min, .max])
    default: return direct()
    }
    return .comparison(
      .init(
        .aggregate(function, path.names), random.pick([.equal, .greater, .less]),
        .constant(constant(path.attribute.type))))
  }

  private mutating func arithmetic() -> FetchPredicate {
    let path = path(toMany: false)
    guard [.integer16, .integer32, .integer64, .double].contains(path.attribute.type) else {
      return direct()
    }
    let number = SampleLibrary.value(random.pick([.integer64, .double]), &random)
    let operation = random.pick([ArithmeticOperator.add, .subtract, .multiply, .divide])
    return .comparison(
      .init(
        .arithmetic(operation, .keyPath(path.names), .constant(number)),
        random.pick([.equal, .notEqual, .less, .greaterOrEqual]),
        .constant(constant(path.attribute.type))))
  }

  /// A to-one relationship that is nil or not, or two attributes of one kind.
  private mutating func reference() -> FetchPredicate {
    let toOne = entity.relationships.filter { !$0.isToMany }
    guard !toOne.isEmpty else { return direct() }
    return .comparison(
      .init(
        .keyPath([random.pick(toOne).name]), random.once(in: 2) ? .equal : .notEqual,
        .constant(.null)))
  }

  // MARK: - Key paths

  private typealias Path = (names: [String], attribute: AttributeShape, isToMany: Bool)

  /// A key path to an attribute. It leads to many objects only where that is asked, and possible.
  private mutating func path(toMany: Bool) -> Path {
    var (names, shape, isToMany): ([String], EntityShape, Bool) = ([], entity, false)
    for _ in 0..<Int.random(in: toMany ? 1...3 : 0...2, using: &random) {
      let steps = shape.relationships.filter { toMany || !$0.isToMany }
      guard !steps.isEmpty else { break }
      let step = random.pick(steps)
      names.append(step.name)
      isToMany = isToMany || step.isToMany
      shape = model.shape(numbered: step.destination)
    }
    let attribute = random.pick(shape.attributes.filter { $0.slot != nil })
    return (names + [attribute.name], attribute, isToMany)
  }

  private mutating func toManyPath() -> [String]? {
    let direct = entity.relationships.filter(\.isToMany).map { [$0.name] }
    let further = entity.relationships.flatMap { step in
      model.shape(numbered: step.destination).relationships.filter(\.isToMany)
        .map { [step.name, $0.name] }
    }
    let all = direct + further
    return all.isEmpty ? nil : random.pick(all)
  }
}
