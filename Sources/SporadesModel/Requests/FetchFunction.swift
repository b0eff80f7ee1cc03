// SPDX-License-Identifier: MIT

/// A function of the predicate language. The raw value is its name in formats, without a colon at the end.
///
/// Functions of numbers and texts give nil for nil. Date parts are those of the Gregorian calendar in UTC, the same
/// on every machine.
public enum FetchFunction: String, Hashable, Sendable, CaseIterable {
  /// The number without its sign.
  case absolute = "abs"
  /// The next whole number that is not larger.
  case floor
  /// The next whole number that is not smaller.
  case ceiling
  /// The number without its fraction.
  case truncation = "trunc"
  /// The square root; nil for a negative number.
  case squareRoot = "sqrt"
  /// The logarithm to the base 10; nil for zero and negative numbers.
  case logarithm = "log"
  /// The logarithm to the base e; nil for zero and negative numbers.
  case naturalLogarithm = "ln"
  /// The power of e.
  case exponential = "exp"
  /// The bits that a whole number lacks: `~1`.
  case onesComplement
  /// The number of UTF-16 units of a text.
  case length
  /// A text in small letters.
  case lowercase
  /// A text in capital letters.
  case uppercase
  /// A text without differences of case and marks, as `[cd]` compares it.
  case canonical
  /// A text without white space at its ends.
  case trim
  /// The first characters of a text, at most as many as the second argument says.
  case prefix
  /// The last characters of a text, at most as many as the second argument says.
  case suffix
  /// The characters of a text from the place that the second argument says, counted from 0, at most as many as the third
  /// says.
  case substring
  /// A text with the third argument wherever it has the second.
  case replace
  /// Two texts, one behind the other.
  case concat
  /// The moment of the fetch. All objects of a fetch see one moment.
  case now
  /// A random number. An order takes it, and a condition refuses it.
  case random
  /// The value itself. A store does not use an index for it.
  case withoutIndex = "noindex"

  /// The total of the values of a list.
  case sum
  /// The number of values of a list that are not nil.
  case count
  /// The smallest value of a list.
  case min
  /// The largest value of a list.
  case max
  /// The mean of the values of a list.
  case average
  /// The value in the middle of a list of numbers, or the mean of the two in the middle.
  case median
  /// The most frequent value of a list of numbers. Of several, the smallest.
  case mode
  /// The standard deviation of a list of numbers, which are taken as the whole population.
  case standardDeviation = "stddev"

  /// The year of a date.
  case year
  /// The month of a date, 1 to 12.
  case month
  /// The day of a date in its month, 1 to 31.
  case day
  /// The hour of a date, 0 to 23.
  case hour
  /// The minute of a date, 0 to 59.
  case minute
  /// The second of a date, 0 to 59, without its fraction.
  case second
  /// The day of a date in its week: 1 for Sunday to 7 for Saturday.
  case weekday
  /// The first moment of the day of a date.
  case startOfDay
  /// The first moment of the month of a date.
  case startOfMonth
  /// The first moment of the year of a date.
  case startOfYear
  /// The date at which clocks of UTC show the same as those of a time zone at a date. The second argument is the zone; see `clock(in:)` of typed
  /// dates.
  case zoneClock
  /// The date at which clocks of a time zone show a date of UTC.
  case zoneMoment
}

extension FetchFunction {
  /// The function of lists that an aggregate of objects is.
  package init(_ function: AggregateFunction) {
    self =
      switch function {
      case .sum: .sum
      case .min: .min
      case .max: .max
      case .average: .average
      }
  }

  /// The function takes a list, or a key path or collection of many values.
  public var takesMany: Bool {
    switch self {
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation: true
    default: false
    }
  }

  /// The number of arguments. A list is one.
  public var argumentCount: Int {
    switch self {
    case .now, .random: 0
    case .prefix, .suffix, .concat, .zoneClock, .zoneMoment: 2
    case .substring, .replace: 3
    default: 1
    }
  }

  /// The function is one of Foundation's language, which Core Data reads.
  package var isOfFoundation: Bool {
    switch self {
    case .trim, .prefix, .suffix, .substring, .replace, .concat, .startOfDay, .startOfMonth,
      .startOfYear, .zoneClock, .zoneMoment:
      false
    default: true
    }
  }
}
