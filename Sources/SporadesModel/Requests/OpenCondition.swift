// SPDX-License-Identifier: MIT

/// A condition that the format language does not have: a closure of the program, or one that a product brings.
///
/// The condition has operands, as a comparison has sides, and its meaning answers for their values. Code that follows a
/// predicate finds in the operands which properties it reads.
public struct OpenCondition: Hashable, Sendable {
  /// The meaning, which answers for the operands' values.
  public package(set) var meaning: any ConditionMeaning
  /// The expressions whose values the meaning gets. Each leads to one value.
  public package(set) var operands: [FetchExpression]

  /// Makes a condition. The meaning gets the operands' values in their order.
  public init(_ meaning: any ConditionMeaning, _ operands: [FetchExpression]) {
    self.meaning = meaning
    self.operands = operands
  }

  /// Two conditions are equal if their meanings are, and their operands.
  public static func == (left: Self, right: Self) -> Bool {
    left.operands == right.operands && left.meaning.isEqual(to: right.meaning)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(operands)
    meaning.hash(into: &hasher)
  }

  /// The condition on other operands.
  func mapping(_ body: (FetchExpression) -> FetchExpression) -> FetchPredicate {
    var mapped = self
    mapped.operands = operands.map(body)
    return .open(mapped)
  }
}

/// The meaning of an ``OpenCondition``: true or false for each object.
///
/// ``isTrue(of:for:)`` defines the answer. A store with a query language needs a form of the meaning in that language, with
/// the same answer, and refuses a meaning without one by its name.
public protocol ConditionMeaning: Hashable, Sendable {
  /// The name of the condition in messages, and where a predicate is printed.
  var name: String { get }
  /// The object itself is asked, and not the values of operands. No fetch takes such a condition.
  var needsObject: Bool { get }
  /// The answer for the values of the operands. The object is there where one in memory is asked.
  func isTrue(of values: [Value], for object: Any?) throws(FetchPredicateError) -> Bool
}

extension ConditionMeaning {
  public var needsObject: Bool { false }

  fileprivate func isEqual(to other: any ConditionMeaning) -> Bool { (other as? Self) == self }
}

extension FetchPredicate {
  /// Makes a condition of a closure, which gets an object in memory. `evaluate(with:)` takes it. A fetch refuses it,
  /// because no store can run a closure.
  public init(_ block: @escaping @Sendable (Any) -> Bool) {
    self = .open(OpenCondition(ProgramClosure(block), []))
  }
}

/// A closure of the program. Two are equal if they are the same instance.
private final class ProgramClosure: ConditionMeaning {
  private let body: @Sendable (Any) -> Bool

  init(_ body: @escaping @Sendable (Any) -> Bool) { self.body = body }

  var name: String { "BLOCKPREDICATE" }
  var needsObject: Bool { true }

  func isTrue(of values: [Value], for object: Any?) throws(FetchPredicateError) -> Bool {
    guard let object else {
      throw FetchPredicateError(
        .unsupported, "A closure of the program can only ask an object in memory.")
    }
    return body(object)
  }

  static func == (left: ProgramClosure, right: ProgramClosure) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
