// SPDX-License-Identifier: MIT

/// A closure of the program that answers for one object. Two blocks are equal if they are the same instance.
public final class PredicateBlock: Sendable {
  package let body: @Sendable (Any) -> Bool

  /// Makes a block. The closure gets the object in memory.
  public init(_ body: @escaping @Sendable (Any) -> Bool) { self.body = body }
}

extension PredicateBlock: Hashable {
  public static func == (left: PredicateBlock, right: PredicateBlock) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension FetchPredicate {
  /// Makes a condition of a closure, which gets an object in memory. `evaluate(with:)` takes it. A fetch refuses it,
  /// because no store can run a closure.
  public init(_ block: @escaping @Sendable (Any) -> Bool) { self = .block(PredicateBlock(block)) }
}
