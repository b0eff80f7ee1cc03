// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesModel

@Suite struct ShownPartTests {
  @Test func thePositionsLieInTheOrder() {
    for count in 0..<8 {
      let order = Array(0..<count)
      for offset in 0..<10 {
        #expect(
          Array(order[ShownPart(offset: offset, limit: nil).positions(of: count)])
            == Array(order.dropFirst(offset)))
        for limit in 0..<10 {
          let part = ShownPart(offset: offset, limit: limit)
          #expect(
            Array(part.elements(of: order))
              == Array(order.dropFirst(offset).prefix(limit)))
          #expect(part.isFull(with: count) == (count >= offset + limit))
        }
      }
    }
  }

  @Test func aChangeBehindTheEndIsNotShown() {
    let part = ShownPart(offset: 3, limit: 4)
    #expect((0..<9).filter(part.isShown) == Array(0..<7))
    #expect(ShownPart(offset: 3, limit: nil).isShown(from: .max - 1))
  }

  @Test func theWholeOrderHasNeitherOffsetNorLimit() {
    #expect(ShownPart(offset: 0, limit: nil).isWhole)
    #expect(!ShownPart(offset: 1, limit: nil).isWhole)
    #expect(!ShownPart(offset: 0, limit: .max).isWhole)
  }

  @Test(arguments: [(4, 20), (100, 125), (40_000, 41_024)])
  func aQuarterMoreIsHeldAndNeitherFewNorMany(_ limit: Int, _ held: Int) {
    #expect(ShownPart(offset: 0, limit: limit).held == held)
  }

  @Test func whatHasGrownToMoreThanTwiceIsCut() {
    let part = ShownPart(offset: 0, limit: 4)
    #expect(part.trimmed(from: 41) == nil)
    #expect(part.trimmed(from: 42) == 20)
    #expect(ShownPart(offset: 1, limit: nil).trimmed(from: .max) == nil)
  }

  @Test func sumsWithoutANumberBoundNothing() {
    let far = ShownPart(offset: .max, limit: 2)
    #expect(far.end == nil)
    #expect(far.held == nil)
    #expect(far.positions(of: 5).isEmpty)
    let large = ShownPart(offset: 0, limit: .max)
    #expect(large.end == .max)
    #expect(large.held == nil)
    #expect(large.positions(of: 5) == 0..<5)
  }
}
