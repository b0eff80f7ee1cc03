// SPDX-License-Identifier: MIT
import SporadesModel

extension RangeExpression where Bound: ValueConvertible {
  /// The first and the last value in the range; nil for an open end. The result is nil if the range leaves
  /// out its upper bound and so has no last value, as a half-open range of dates, or is of another kind.
  var closedBounds: (lower: Value?, upper: Value?)? {
    switch self {
    case let range as ClosedRange<Bound>: (range.lowerBound.value, range.upperBound.value)
    case let range as PartialRangeFrom<Bound>: (range.lowerBound.value, nil)
    case let range as PartialRangeThrough<Bound>: (nil, range.upperBound.value)
    case let range as Range<Bound>:
      range.upperBound.value.preceding.map { (range.lowerBound.value, $0) }
    case let range as PartialRangeUpTo<Bound>: range.upperBound.value.preceding.map { (nil, $0) }
    default: nil
    }
  }
}

extension Value {
  /// The next smaller whole number; nil for a value of another kind, and for the smallest number.
  fileprivate var preceding: Value? {
    guard case .integer(let number) = self, number > .min else { return nil }
    return .integer(number - 1)
  }
}
