// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesModel

@Suite struct DivisionTests {
  @Test func eachPlaceIsFound() {
    for count in 0..<20 {
      for place in 0...count {
        #expect((0..<count).division { $0 < place } == place)
      }
    }
  }

  @Test func positionsBehindEachOtherNeedNotBeginAtZero() {
    #expect((5..<9).division { $0 < 7 } == 7)
    #expect((5..<9).division { _ in false } == 5)
    // because the sum of the bounds has no number
    let last = Int.max - 1
    #expect((last - 9..<last).division { $0 < last - 3 } == last - 3)
  }

  @Test func anErrorOfTheTestComesOut() {
    struct Unreadable: Error {}
    #expect(throws: Unreadable.self) { try (0..<3).division { _ in throw Unreadable() } }
  }
}
