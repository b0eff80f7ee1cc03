// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel

// Comparisons of computed values: arithmetic, functions, conditionals, casts and elements.
extension PredicateGenerator {
  /// The kind of the values of a random expression.
  private enum Kind {
    case number, text, date
  }

  mutating func makeExpressionComparison() -> FetchPredicate {
    let kind = random.pick([Kind.number, .number, .text, .date])
    let left = makeExpression(kind, depth: 2)
    let right = random.once(in: 3) ? makeExpression(kind, depth: 1) : makeConstant(kind)
    let options: FetchPredicate.TextOptions =
      kind == .text
      ? random.pick([[], [], .caseInsensitive, FetchPredicate.TextOptions(rawValue: 3)]) : []
    func compare(_ comparator: FetchPredicate.Comparator, _ right: FetchExpression)
      -> FetchPredicate
    {
      .comparison(.init(left, comparator, right, options: options))
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return compare(.between, .listing([right, makeConstant(kind)]))
    case 1: return compare(.isIn, .listing([right, makeConstant(kind), makeConstant(kind)]))
    case 2 where kind == .text:
      if case .constant = right { return compare(.contains, right) }
      return compare(random.pick([.contains, .isIn]), right)
    case 3 where kind == .text: return compare(random.pick([.beginsWith, .endsWith]), right)
    default:
      return compare(
        random.pick([
          FetchPredicate.Comparator.equal, .notEqual, .less, .lessOrEqual, .greater,
          .greaterOrEqual,
        ]), right)
    }
  }

  private mutating func makeExpression(_ kind: Kind, depth: Int) -> FetchExpression {
    guard depth > 0, !random.once(in: 4) else { return makeSource(kind) }
    switch kind {
    case .number: return makeNumber(depth)
    case .text: return makeText(depth)
    case .date: return makeDate(depth)
    }
  }

  // MARK: - Sources

  private mutating func makeConstant(_ kind: Kind) -> FetchExpression {
    let type: AttributeType =
      switch kind {
      case .number: random.pick([.integer64, .double, .decimal])
      case .text: .string
      case .date: .date
      }
    return .constant(makeConstant(type))
  }

  private mutating func makeSource(_ kind: Kind) -> FetchExpression {
    let path = makePath(toMany: false) { Self.kind(of: $0.type) == kind }
    guard Self.kind(of: path.attribute.type) == kind else { return makeConstant(kind) }
    if kind == .date, random.once(in: 20) { return .function(.now, []) }
    if random.once(in: 5), let element = makeElement(kind) { return element }
    return .keyPath(path.names)
  }

  private static func kind(of type: AttributeType) -> Kind? {
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: .number
    case .string, .uri: .text
    case .date: .date
    default: nil
    }
  }

  /// Makes an element of an ordered relationship, if the entity has one.
  private mutating func makeElement(_ kind: Kind) -> FetchExpression? {
    let start = random.pick(starts)
    guard let ordered = start.entity.relationships.first(where: { $0.isToMany && $0.isOrdered })
    else { return nil }
    let member = model.shape(numbered: ordered.destination)
    let wanted = member.attributes.filter { $0.slot != nil && Self.kind(of: $0.type) == kind }
    guard !wanted.isEmpty else { return nil }
    let place = random.pick([ElementPlace.first, .last, .index(0), .index(1), .index(2)])
    return .element(start.names + [ordered.name], at: place, then: [random.pick(wanted).name])
  }

  // MARK: - Operations

  private mutating func makeNumber(_ depth: Int) -> FetchExpression {
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1, 2, 3:
      return .arithmetic(
        random.pick(ArithmeticOperator.allCases), makeExpression(.number, depth: depth - 1),
        makeExpression(.number, depth: depth - 1))
    case 4, 5:
      let function = random.pick([
        FetchFunction.absolute, .floor, .ceiling, .truncation, .squareRoot, .logarithm,
        .naturalLogarithm, .exponential, .onesComplement, .withoutIndex,
      ])
      return .function(function, [makeExpression(.number, depth: depth - 1)])
    case 6: return .function(.length, [makeExpression(.text, depth: depth - 1)])
    case 7:
      let part = random.pick([
        FetchFunction.year, .month, .day, .hour, .minute, .second, .weekday,
      ])
      return .function(part, [makeExpression(.date, depth: depth - 1)])
    case 8:
      return .arithmetic(
        .subtract, makeExpression(.date, depth: depth - 1),
        makeExpression(.date, depth: depth - 1))
    case 9:
      let kind = random.pick([Kind.number, .text, .date])
      return .casting(
        makeExpression(kind, depth: depth - 1),
        to: kind == .number ? random.pick([.number, .decimal]) : .number)
    case 10: return makeGathered()
    default: return makeConditional(.number, depth)
    }
  }

  private mutating func makeText(_ depth: Int) -> FetchExpression {
    switch Int.random(in: 0..<7, using: &random) {
    case 0, 1:
      return .function(
        random.pick([.lowercase, .uppercase, .canonical, .trim]),
        [makeExpression(.text, depth: depth - 1)])
    case 5: return makePart(depth)
    case 6:
      return .function(
        .concat, [makeExpression(.text, depth: depth - 1), makeExpression(.text, depth: 0)])
    case 2:
      let identity = makePath(toMany: false) { $0.type == .uuid }
      guard identity.attribute.type == .uuid, random.once(in: 3) else {
        return .casting(makeExpression(.number, depth: depth - 1), to: .text)
      }
      return .casting(.keyPath(identity.names), to: .text)
    case 3:
      return .function(
        random.pick([.min, .max]), [.listing([makeSource(.text), makeSource(.text)])])
    default: return makeConditional(.text, depth)
    }
  }

  /// Makes a part of a text, or a text with another part.
  private mutating func makePart(_ depth: Int) -> FetchExpression {
    let text = makeExpression(.text, depth: depth - 1)
    func makeCount() -> FetchExpression {
      random.once(in: 3)
        ? makeSource(.number) : .constant(.integer(.random(in: -1...4, using: &random)))
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return .function(.prefix, [text, makeCount()])
    case 1: return .function(.suffix, [text, makeCount()])
    case 2: return .function(.substring, [text, makeCount(), makeCount()])
    default: return .function(.replace, [text, makeConstant(.text), makeSource(.text)])
    }
  }

  /// A zone with summer time; GMT where the system has no list of zones.
  private static let zone = ZoneOffsets(TimeZone(identifier: "Europe/Rome") ?? .gmt).bytes

  private mutating func makeDate(_ depth: Int) -> FetchExpression {
    switch Int.random(in: 0..<7, using: &random) {
    case 6:
      return .function(
        random.pick([.zoneClock, .zoneMoment]),
        [makeExpression(.date, depth: depth - 1), .constant(.data(Self.zone))])
    case 0, 1:
      return .arithmetic(
        random.pick([.add, .subtract]), makeExpression(.date, depth: depth - 1),
        makeExpression(.number, depth: depth - 1))
    case 2: return .casting(makeExpression(.number, depth: depth - 1), to: .date)
    case 5:
      return .function(
        random.pick([.startOfDay, .startOfMonth, .startOfYear]),
        [makeExpression(.date, depth: depth - 1)])
    case 3:
      return .function(
        random.pick([.min, .max, .average]), [.listing([makeSource(.date), makeSource(.date)])])
    default: return makeConditional(.date, depth)
    }
  }

  private mutating func makeConditional(_ kind: Kind, _ depth: Int) -> FetchExpression {
    .conditional(
      makeDirect(), makeExpression(kind, depth: depth - 1), makeExpression(kind, depth: depth - 1))
  }

  /// Makes a function of a list, or of the values of many objects.
  private mutating func makeGathered() -> FetchExpression {
    let functions = FetchFunction.allCases.filter(\.takesMany)
    let path = makePath(toMany: true) { Self.kind(of: $0.type) == .number }
    guard path.isToMany, Self.kind(of: path.attribute.type) == .number, random.once(in: 2) else {
      return .function(
        random.pick(functions),
        [.listing([makeSource(.number), makeSource(.number), makeConstant(.number)])])
    }
    return .function(random.pick(functions), [.keyPath(path.names)])
  }
}

extension FetchExpression {
  /// Expressions as a list. Constants alone make a constant list, as in a format.
  fileprivate static func listing(_ items: [FetchExpression]) -> FetchExpression {
    let constants = items.compactMap { item -> Value? in
      if case .constant(let value) = item { value } else { nil }
    }
    return constants.count == items.count ? .constant(.list(constants)) : .list(items)
  }

  /// A cast. A constant becomes a constant, as in a format.
  fileprivate static func casting(
    _ inner: FetchExpression, to type: CastType
  ) -> FetchExpression {
    guard case .constant(let value) = inner else { return .cast(inner, to: type) }
    return .constant(type.apply(value))
  }
}
