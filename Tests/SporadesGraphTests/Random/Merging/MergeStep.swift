// SPDX-License-Identifier: MIT
import SporadesTesting

/// One step of a random run of contexts beside and over each other, as a value.
struct MergeStep: CustomStringConvertible, Sendable {
  enum Kind: CaseIterable, Sendable {
    case zip, spouse, badge, holder, parent, dogs, owner, friends, shelf, keeper, reads, readers
    /// The last of two changes leads back.
    case thereAndBack
    case save, rollback, refresh, beginChild, dropChild
  }

  let kind: Kind
  let numbers: [Int]

  private static let all = Kind.allCases.flatMap { kind in
    let weight =
      switch kind {
      case .save: 10
      case .rollback, .dropChild: 1
      case .spouse, .badge, .holder, .shelf, .reads, .thereAndBack: 3
      default: 2
      }
    return Array(repeating: kind, count: weight)
  }

  init(_ random: inout SeededGenerator) {
    kind = Self.all[Int.random(in: 0..<Self.all.count, using: &random)]
    numbers = (0..<5).map { _ in Int.random(in: 0..<5040, using: &random) }
  }

  var description: String { "\(kind)\(numbers)" }

  /// Up to three of the numbers below a bound, in some order.
  func some(_ place: Int, below bound: Int) -> [Int] {
    var random = SeededGenerator(seed: UInt64(numbers[place]))
    return Array((0..<bound).shuffled(using: &random).prefix(numbers[place] % 4))
  }
}
