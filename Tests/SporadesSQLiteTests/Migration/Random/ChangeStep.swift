// SPDX-License-Identifier: MIT
import SporadesTesting

/// One step of a chain, as a value: steps can be left out, and the others still mean something, because the numbers
/// choose among what is there when the step's turn comes.
struct ChangeStep: CustomStringConvertible, Sendable {
  enum Kind: CaseIterable, Sendable {
    case addAttribute, removeAttribute, renameAttribute, swapAttributes, makeOptional, makeRequired
    case convert, wrap, unwrap, external, moveUp, moveDown
    case addEntity, removeEntity, renameEntity, moveEntity, insertParent, abstract
    case addRelationship, removeRelationship, renameRelationship, cardinality, order, addInverse
    case removeInverse, widenDestination
    case index, unique, count
    /// Objects are inserted, changed and deleted.
    case fill
    /// Objects keep one link of each relationship, so that it can become to-one.
    case thin
    /// The store gets the model as it is now.
    case migrate
  }

  let kind: Kind
  let numbers: [Int]

  private static let weights: [(Kind, Int)] = Kind.allCases.map { kind in
    switch kind {
    case .migrate: (kind, 14)
    case .fill, .addAttribute, .addRelationship, .convert: (kind, 4)
    case .renameAttribute, .makeRequired, .addEntity, .order, .moveEntity, .wrap, .unwrap, .thin:
      (kind, 2)
    case .cardinality: (kind, 3)
    default: (kind, 1)
    }
  }
  private static let all = weights.flatMap { Array(repeating: $0.0, count: $0.1) }

  init(_ random: inout SeededGenerator) {
    kind = Self.all[Int.random(in: 0..<Self.all.count, using: &random)]
    numbers = (0..<4).map { _ in Int.random(in: 0..<5040, using: &random) }
  }

  init(_ kind: Kind, _ numbers: [Int] = [0, 0, 0, 0]) {
    (self.kind, self.numbers) = (kind, numbers)
  }

  var description: String { "\(kind)\(numbers)" }

  /// One of the elements; nil if there is none.
  func pick<C: Collection>(_ place: Int, _ all: C) -> C.Element? where C.Element: Comparable {
    let sorted = all.sorted()
    return sorted.isEmpty ? nil : sorted[numbers[place] % sorted.count]
  }

  var random: SeededGenerator { SeededGenerator(seed: UInt64(numbers[3])) }
}
