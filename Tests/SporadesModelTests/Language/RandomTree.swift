// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// Makes random predicates of every construct with every literal. They fit no model; they are to be printed.
struct RandomTree {
  private var random: RandomNumbers
  /// The variables of the subqueries around the current place.
  private var variables: [String] = []

  init(seed: UInt64) { random = RandomNumbers(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1) }

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }
  private mutating func pick<T>(_ items: [T]) -> T {
    items[Int.random(in: 0..<items.count, using: &random)]
  }

  mutating func predicate(depth: Int = 4) -> FetchPredicate {
    switch depth > 0 ? Int.random(in: 0..<8, using: &random) : 7 {
    case 0: .constant(chance(2))
    case 1: .not(predicate(depth: depth - 1))
    case 2: .and((0..<3).map { _ in predicate(depth: depth - 1) })
    case 3: .or((0..<2).map { _ in predicate(depth: depth - 1) })
    default:
      .comparison(
        FetchPredicate.Comparison(
          expression(depth: depth), pick(Self.comparators), expression(depth: depth),
          quantifier: pick([.direct, .any, .all]),
          options: .init(rawValue: Int.random(in: 0..<8, using: &random))))
    }
  }

  private static let comparators: [FetchPredicate.Comparator] = [
    .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .between, .contains,
    .beginsWith, .endsWith, .like, .matches,
  ]

  mutating func expression(depth: Int) -> FetchExpression {
    guard depth > 0 else { return chance(2) ? .constant(value()) : .keyPath(path()) }
    let next = depth - 1
    switch Int.random(in: 0..<15, using: &random) {
    case 0: return .subject
    case 1: return .variable(pick(["a", "FETCH_SOURCE.owner.name", "in"]))
    case 2: return .list([.keyPath(path()), expression(depth: next)])
    case 3: return .count(path())
    case 4: return .aggregate(pick([.sum, .min, .max, .average]), path() + ["x"])
    case 5, 6:
      return .arithmetic(
        pick(ArithmeticOperator.allCases), expression(depth: next), expression(depth: next))
    case 7:
      let function = pick(FetchFunction.allCases)
      return .function(
        function, (0..<function.argumentCount).map { _ in expression(depth: next) })
    case 8:
      return .conditional(
        predicate(depth: next), expression(depth: next), expression(depth: next))
    case 9: return .cast(expression(depth: next), to: pick(CastType.allCases))
    case 10:
      return .element(
        path(), at: pick([.first, .last, .index(7)]), then: chance(2) ? [] : ["in", "SELF"])
    case 11: return .collection(collection(depth: next))
    case 12:
      return .combined(
        pick(SetOperator.allCases), expression(depth: next), expression(depth: next))
    case 13: return .indexed(path(), by: "by\"Place")
    default: return .constant(value())
    }
  }

  private mutating func collection(depth: Int) -> FetchCollection {
    var collection = FetchCollection(path())
    if chance(2) {
      let name = pick(["p", "x", "été"])
      variables.append(name)
      collection.filter = .init(name, predicate(depth: depth))
      variables.removeLast()
    }
    collection.union =
      collection.filter == nil ? pick([.present, .distinct]) : pick([.all, .present, .distinct])
    collection.question = pick([.members, .count, .aggregate(.max)])
    if case .aggregate = collection.question { collection.values = ["age"] }
    if chance(2) { collection.values = ["owner", "in"] }
    return collection
  }

  private static let names = [
    "age", "in", "SELF", "self", "First", "nil", "TRUEPREDICATE", "été", "größe", "名前", "_a1",
    "subquery",
    "abs", "now", "count", "indexed", "CAST", "uti", "a·b",
  ]

  private mutating func path() -> [String] {
    let names = (0...Int.random(in: 0..<3, using: &random)).map { _ in pick(Self.names) }
    guard let variable = variables.last, chance(2) else { return names }
    return ["$\(variable)"] + names
  }

  // MARK: - Values

  private mutating func value(depth: Int = 2) -> Value {
    switch Int.random(in: 0..<(depth > 0 ? 12 : 10), using: &random) {
    case 0: .null
    case 1: .boolean(chance(2))
    case 2:
      .integer(chance(4) ? pick([.min, .max, 0, -1]) : Int64.random(in: -99...99, using: &random))
    case 3: .double(number())
    case 4: .decimal(pick(Self.decimals))
    case 5: .string(text())
    case 6: .date(Date(timeIntervalSinceReferenceDate: number()))
    case 7:
      .data(Data((0..<Int.random(in: 0..<9, using: &random)).map { _ in chance(2) ? 0 : 0xFE }))
    case 8: .uuid(UUID())
    case 9: .url(pick(Self.urls))
    default: .list((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth: depth - 1) })
    }
  }

  private static let decimals =
    ["0", "-1.05", "1e100", "123456789012345678901234567890.5"]
    .compactMap { Decimal(string: $0) } + [Decimal.nan]
  private static let urls = ["https://a.example/b?c=d#e", "file:///a%20b", "relative"]
    .compactMap { URL(string: $0) }

  private mutating func number() -> Double {
    if chance(4) {
      return pick([
        .nan, .infinity, -.infinity, 0, -0.0, Double.leastNonzeroMagnitude, 1e300, -1e-9,
      ])
    }
    return Double(bitPattern: random.next())
  }

  private mutating func text() -> String {
    let parts = [
      "a", "\"", "'", "\\", "\n", "\t", "\r", "%@", "%%", "é", "e\u{301}", "🦊", "$x", "\u{0}", "#",
      " ",
    ]
    return (0..<Int.random(in: 0..<6, using: &random)).map { _ in pick(parts) }.joined()
  }
}

/// Random numbers that are the same on every machine.
struct RandomNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
