// SPDX-License-Identifier: MIT
import SporadesSQL
import Testing

/// Keys in groups of few sizes.
@Suite struct KeyGroupsTests {
  private func sizes(_ keys: [Int64]) -> [Int] { KeyGroups(keys).map(\.size) }

  @Test func keysAreSortedAndAskedForOnce() {
    #expect(KeyGroups([5, 1, 5, 3]).sorted == [1, 3, 5])
    #expect(KeyGroups([5, 1, 5, 3]).flatMap(\.keys) == [1, 3, 5])
    #expect(sizes([]) == [])
  }

  @Test func groupsHaveFewSizes() {
    #expect(sizes([7]) == [1])
    #expect(sizes([7, 9]) == [16])
    #expect(sizes((0..<17).map { $0 * 3 }) == [256])
    #expect(sizes((0..<257).map { $0 * 3 }) == [256, 1])
    #expect(sizes((0..<272).map { $0 * 3 }) == [256, 16])
    #expect(KeyGroups((0..<600).map { $0 * 3 }).flatMap(\.keys).count == 600)
  }

  @Test func keysWithoutGapsAreARange() {
    #expect(sizes((1...16).map { $0 }) == [16])
    #expect(sizes((1...17).map { $0 }) == [0])
    #expect(KeyGroups((1...17).reversed()).wholeRange == 1...17)
    #expect(KeyGroups((1...17).reversed()).flatMap(\.keys) == [1, 17])
  }

  @Test func aStretchIsDenseWhereHalfOfItIsWanted() {
    #expect(KeyGroups((0..<64).map { $0 * 2 }).denseRange == 0...126)
    #expect(KeyGroups((0..<63).map { $0 * 2 }).denseRange == nil)
    #expect(KeyGroups((0..<64).map { $0 * 3 }).denseRange == nil)
  }

  @Test func keysAtTheEndsOfAllNumbersAreNoRange() {
    let ends = Array(Int64.min..<Int64.min + 40) + Array(Int64.max - 40..<Int64.max) + [.max]
    #expect(KeyGroups(ends).wholeRange == nil)
    #expect(KeyGroups(ends).denseRange == nil)
    #expect(KeyGroups(ends).flatMap(\.keys) == ends)
  }
}
