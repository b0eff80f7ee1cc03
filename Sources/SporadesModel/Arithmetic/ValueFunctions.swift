// SPDX-License-Identifier: MIT
import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension FetchFunction {
  /// Applies a function of one value. The result is null if the value is null, of another kind, or has no result.
  public func apply(_ value: Value) -> Value {
    if self == .withoutIndex { return value }
    if ValueOrder.isNil(value) { return .null }
    if let text = ValueOrder.text(value) { return apply(text) }
    if case .date(let date) = value {
      return part(of: date.timeIntervalSinceReferenceDate)
    }
    return ValueOrder.Number(value).map(apply) ?? .null
  }

  // MARK: - Numbers

  private func apply(_ number: ValueOrder.Number) -> Value {
    if case .integer(let whole) = number {
      switch self {
      case .absolute:
        return whole == .min ? .double(-Double(whole)) : .integer(Swift.abs(whole))
      case .floor, .ceiling, .truncation: return .integer(whole)
      default: break
      }
    }
    if self == .onesComplement { return number.whole.map { .integer(~$0) } ?? .null }
    guard let result = apply(number.nearestDouble), !result.isNaN else { return .null }
    return .double(result)
  }

  private func apply(_ real: Double) -> Double? {
    switch self {
    case .absolute: Swift.abs(real)
    case .floor: real.rounded(.down)
    case .ceiling: real.rounded(.up)
    case .truncation: real.rounded(.towardZero)
    case .squareRoot: real < 0 ? nil : real.squareRoot()
    case .logarithm: real <= 0 ? nil : log10(real)
    case .naturalLogarithm: real <= 0 ? nil : log(real)
    case .exponential: exp(real)
    default: nil
    }
  }

  // MARK: - Texts

  private func apply(_ text: String) -> Value {
    switch self {
    case .length: .integer(Int64(text.utf16.count))
    case .lowercase: .string(text.lowercased())
    case .uppercase: .string(text.uppercased())
    case .trim: .string(Self.trim(text))
    case .canonical: .string(TextFolding.fold(text, [.caseInsensitive, .diacriticInsensitive]))
    default: .null
    }
  }

  // MARK: - Dates

  /// A part of the date that lies some seconds after the beginning of 2001, by the Gregorian calendar in UTC.
  package func part(of seconds: Double) -> Value {
    // Days from the first of March of the year 0 to 2001, in a calendar without a beginning.
    let whole = seconds.rounded(.down)
    guard Swift.abs(whole) < 1e15 else { return .null }
    let moment = Int64(whole)
    let ofDay = moment - Self.floorDivide(moment, 86_400) * 86_400
    let days = Self.floorDivide(moment, 86_400)
    switch self {
    case .hour: return .integer(ofDay / 3_600)
    case .minute: return .integer(ofDay / 60 % 60)
    case .second: return .integer(ofDay % 60)
    // The first day of 2001 was a Monday.
    case .weekday: return .integer((days + 1) - Self.floorDivide(days + 1, 7) * 7 + 1)
    case .startOfDay: return Self.start(ofDay: days)
    default: return datePart(ofDay: days)
    }
  }

  /// Counts years from March on, so that a leap day is the last day of its year.
  private func datePart(ofDay days: Int64) -> Value {
    let fromMarch = days + 730_791
    let era = Self.floorDivide(fromMarch, 146_097)
    let ofEra = fromMarch - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * ofYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let day = ofYear - (153 * monthFromMarch + 2) / 5 + 1
    switch self {
    case .year: return .integer(year)
    case .month: return .integer(month)
    case .day: return .integer(day)
    case .startOfMonth: return Self.start(ofDay: days - day + 1)
    case .startOfYear:
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      // March begins after 59 or 60 days, and January after 306 days from March.
      let ofJanuary = month <= 2 ? ofYear - 306 : ofYear + (isLeap ? 60 : 59)
      return Self.start(ofDay: days - ofJanuary)
    default: return .null
    }
  }

  private static func start(ofDay days: Int64) -> Value {
    .date(Date(timeIntervalSinceReferenceDate: Double(days * 86_400)))
  }

  private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
    let quotient = number / divisor
    return number % divisor < 0 ? quotient - 1 : quotient
  }

  // MARK: - Lists

  /// Applies a function of many values. Nil values are left out. The result is null if no value is left, but for the
  /// number of values and for their sum, which are 0.
  ///
  /// The order of the values changes no result.
  public func value(of values: [Value]) -> Value {
    switch self {
    case .sum: AggregateFunction.sum.total(of: sorted(values))
    case .min: AggregateFunction.min.value(of: values)
    case .max: AggregateFunction.max.value(of: values)
    case .average: AggregateFunction.average.value(of: sorted(values))
    case .count: .integer(Int64(values.count { !ValueOrder.isNil($0) }))
    case .median: median(sorted(values))
    case .mode: mode(sorted(values))
    case .standardDeviation: deviation(sorted(values))
    default: .null
    }
  }

  private func sorted(_ values: [Value]) -> [Value] {
    values.filter { !ValueOrder.isNil($0) }.sorted { ValueOrder.sortOrder($0, $1) < 0 }
  }

  private func median(_ sorted: [Value]) -> Value {
    guard !sorted.isEmpty else { return .null }
    let upper = sorted[sorted.count / 2]
    guard sorted.count.isMultiple(of: 2) else { return upper }
    return AggregateFunction.average.value(of: [sorted[sorted.count / 2 - 1], upper])
  }

  private func mode(_ sorted: [Value]) -> Value {
    var (best, most) = (Value.null, 0)
    var rest = sorted[...]
    while let value = rest.first {
      let equal = rest.prefix { ValueOrder.areEqual($0, value) }
      if equal.count > most { (best, most) = (value, equal.count) }
      rest = rest.dropFirst(equal.count)
    }
    return best
  }

  private func deviation(_ sorted: [Value]) -> Value {
    let numbers = sorted.compactMap { ValueOrder.Number($0)?.nearestDouble }
    guard !numbers.isEmpty else { return .null }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let result = (squares / Double(numbers.count)).squareRoot()
    return result.isNaN ? .null : .double(result)
  }
}

extension CastType {
  /// The value in the type; null if the value is null or has no form in the type.
  public func apply(_ value: Value) -> Value {
    if ValueOrder.isNil(value) { return .null }
    switch self {
    case .text: return text(value).map { .string($0) } ?? .null
    case .number: return number(value)
    case .decimal: return decimal(value)
    case .date: return date(value)
    }
  }

  private func text(_ value: Value) -> String? {
    if let text = ValueOrder.text(value) { return text }
    if case .uuid(let uuid) = value { return uuid.uuidString }
    switch ValueOrder.Number(value) {
    case .integer(let number): return String(number)
    case .double(let number): return number.description
    // A store keeps a whole decimal as an integer.
    case .decimal(let number):
      let amount = ValueOrder.Number(amountOf: number)
      return amount.whole.map(String.init) ?? amount.nearestDouble.description
    case nil: return nil
    }
  }

  private func number(_ value: Value) -> Value {
    if case .date(let date) = value { return .double(date.timeIntervalSinceReferenceDate) }
    guard let text = ValueOrder.text(value) else {
      return ValueOrder.Number(value) == nil ? .null : value
    }
    if let whole = Int64(text) { return .integer(whole) }
    guard let real = Double(text), !real.isNaN else { return .null }
    return .double(real)
  }

  private func decimal(_ value: Value) -> Value {
    if let text = ValueOrder.text(value) {
      guard let real = Double(text), real.isFinite else { return .null }
      return Decimal(string: text).map { .decimal($0) } ?? .null
    }
    guard let number = ValueOrder.Number(value) else { return .null }
    if let exact = number.exactDecimal { return .decimal(exact) }
    let real = number.nearestDouble
    return real.isFinite ? Decimal(string: real.description).map { .decimal($0) } ?? .null : .null
  }

  private func date(_ value: Value) -> Value {
    if case .date = value { return value }
    guard let seconds = ValueOrder.Number(value)?.nearestDouble else { return .null }
    return .date(Date(timeIntervalSinceReferenceDate: seconds))
  }
}
