// SPDX-License-Identifier: MIT

extension Range<Int> {
  /// The position at which a test that is true for the first positions becomes false, found by halving. The upper bound if it
  /// is true for all.
  @inlinable
  package func division<Failure: Error>(
    where isBefore: (Int) throws(Failure) -> Bool
  ) throws(Failure) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if try isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
