// SPDX-License-Identifier: MIT
import SporadesTesting

/// One step of a random run, as a value: steps can be left out, and the others still mean something,
/// because the numbers choose among what is there when the step's turn comes.
struct GraphStep: CustomStringConvertible, Sendable {
  enum Kind: CaseIterable, Sendable {
    case insertPerson, insertDog, insertBook, deletePerson, deleteBook, zip, spouse, parent, friends
    case shelf, reads, keeper, readers, owner, club
    /// Into a context over the writer, and back.
    case beginChild, saveChild, dropChild
    case save, rollback, reset, refresh, refreshOne, undo, redo
    /// What another context saves at the same time, to be merged or in conflict.
    case otherRenames, otherAddsDog, otherDropsBook, otherMakesClub, conflict, leaveClubs
    case fetch
  }

  let kind: Kind
  let numbers: [Int]

  private static let weights: [(Kind, Int)] = Kind.allCases.map { kind in
    switch kind {
    case .save, .saveChild, .fetch: (kind, 4)
    case .insertPerson, .insertDog, .insertBook, .undo, .otherRenames, .beginChild: (kind, 3)
    case .spouse, .parent, .friends, .shelf, .reads, .keeper, .readers, .owner, .club: (kind, 2)
    default: (kind, 1)
    }
  }
  private static let all = weights.flatMap { Array(repeating: $0.0, count: $0.1) }

  init(_ random: inout SeededGenerator) {
    kind = Self.all[Int.random(in: 0..<Self.all.count, using: &random)]
    numbers = (0..<4).map { _ in Int.random(in: 0..<5040, using: &random) }
  }

  var description: String { "\(kind)\(numbers)" }

  /// One of the elements, in an order that is always the same.
  func pick<C: Collection>(_ place: Int, _ all: C) -> C.Element? where C.Element: Comparable {
    let sorted = all.sorted()
    return sorted.isEmpty ? nil : sorted[numbers[place] % sorted.count]
  }

  /// Up to four of the elements, in some order.
  func some<C: Collection>(_ place: Int, _ all: C) -> [C.Element] where C.Element: Comparable {
    var random = SeededGenerator(seed: UInt64(numbers[place]))
    return Array(all.sorted().shuffled(using: &random).prefix(numbers[place] % 5))
  }
}
