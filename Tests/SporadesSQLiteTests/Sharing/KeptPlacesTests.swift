// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesTesting
import Testing

@testable import SporadesSQLite

/// The table of kept rows beside a dictionary.
@Suite struct KeptPlacesTests {
  private func key(_ number: Int64) -> RowKey { RowKey(entity: 3, primaryKey: number) }

  private func place(_ number: Int) -> KeptPlaces.Place {
    KeptPlaces.Place(page: Int32(number & 0xFFFF), row: Int32(number >> 16), number: number)
  }

  @Test(arguments: [1, 2, 3, 4], [50, 3_000, RowKey.largestPrimaryKey])
  func findsWhatADictionaryFinds(_ seed: UInt64, _ keys: Int64) {
    var random = SeededGenerator(seed: seed)
    var places = KeptPlaces()
    var expected: [RowKey: Int] = [:]
    for step in 0..<20_000 {
      let key = key(.random(in: 1...keys, using: &random))
      if Int.random(in: 0..<5, using: &random) < 3 {
        if places.set(place(step), for: key) { expected[key] = step }
      } else {
        #expect(places.remove(key)?.number == expected.removeValue(forKey: key))
      }
      #expect(places.count == expected.count)
    }
    #expect(expected.count > 20)
    for (key, number) in expected { #expect(places[key]?.number == number) }
    for (key, _) in expected { #expect(places.remove(key) != nil) }
    #expect(places.count == 0)
  }

  /// Keys whose searches all begin at the same place: the hash takes the bits above the middle, which a multiple of a high
  /// power of two leaves at few values.
  @Test func keysThatCollideAreKeptUpToABound() {
    var places = KeptPlaces()
    let inverse: UInt64 = {
      // Newton's iteration for the inverse of an odd number.
      var inverse: UInt64 = 0x9E37_79B9_7F4A_7C15
      for _ in 0..<6 { inverse = inverse &* (2 &- 0x9E37_79B9_7F4A_7C15 &* inverse) }
      return inverse
    }()
    let keys = (0..<20_000_000 as Range<UInt64>).lazy.map { RowKey(rawValue: $0 &* inverse) }
      .filter { !$0.isTemporary }.prefix(2_000)
    let taken = keys.filter { places.set(place(1), for: $0) }
    #expect(taken.count == 64)
    #expect(taken.count == places.count)
    for key in taken { #expect(places[key] != nil) }
    for key in taken { #expect(places.remove(key) != nil) }
    #expect(places.count == 0)
  }
}
