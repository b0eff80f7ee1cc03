// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel

/// A key path or an expression, of which functions of the predicate language compute a value.
public protocol TypedOperand<Object, Operand> {
  /// The class whose objects have the value.
  associatedtype Object: ManagedObject
  /// The type of the value.
  associatedtype Operand
  /// The value as an expression without the class.
  var operandExpression: FetchExpression { get }
}

extension KeyPath: TypedOperand where Root: ManagedObject {
  public typealias Object = Root
  public typealias Operand = Value
  public var operandExpression: FetchExpression { FetchExpression(of: self) }
}

extension TypedExpression: TypedOperand {
  public typealias Operand = Result
  public var operandExpression: FetchExpression { expression }
}

extension TypedOperand {
  fileprivate func apply<Result>(_ function: FetchFunction) -> TypedExpression<Object, Result> {
    TypedExpression(.function(function, [operandExpression]))
  }
}

extension TypedOperand where Operand: TextAttribute {
  /// The text in small letters.
  public var lowercased: TypedExpression<Object, String> { apply(.lowercase) }
  /// The text in capital letters.
  public var uppercased: TypedExpression<Object, String> { apply(.uppercase) }
  /// The text without differences of case and marks.
  public var canonical: TypedExpression<Object, String> { apply(.canonical) }
  /// The number of UTF-16 units of the text.
  public var length: TypedExpression<Object, Int> { apply(.length) }
  /// The text without white space at its ends.
  public var trimmed: TypedExpression<Object, String> { apply(.trim) }
}

/// The types of attributes that hold numbers, and their optionals.
public protocol NumberAttribute {
  /// The type without the optional.
  associatedtype Number
}

extension Int: NumberAttribute { public typealias Number = Int }
extension Int16: NumberAttribute { public typealias Number = Int16 }
extension Int32: NumberAttribute { public typealias Number = Int32 }
extension Int64: NumberAttribute { public typealias Number = Int64 }
extension Double: NumberAttribute { public typealias Number = Double }
extension Float: NumberAttribute { public typealias Number = Float }
extension Decimal: NumberAttribute { public typealias Number = Decimal }
extension Optional: NumberAttribute where Wrapped: NumberAttribute {
  public typealias Number = Wrapped.Number
}

extension TypedOperand where Operand: NumberAttribute {
  /// The number without its sign.
  public var magnitude: TypedExpression<Object, Operand.Number> { apply(.absolute) }
  /// The next whole number that is not larger.
  public var floor: TypedExpression<Object, Operand.Number> { apply(.floor) }
  /// The next whole number that is not smaller.
  public var ceiling: TypedExpression<Object, Operand.Number> { apply(.ceiling) }
  /// The number without its fraction.
  public var truncated: TypedExpression<Object, Operand.Number> { apply(.truncation) }
  /// The number as a double, beside doubles: `(\Book.pages).asDouble * \.weight`.
  public var asDouble: TypedExpression<Object, Double> {
    TypedExpression(.arithmetic(.multiply, operandExpression, .constant(.double(1))))
  }
  /// The number as a decimal, beside decimals: `(\Book.copies).asDecimal * \.price`.
  public var asDecimal: TypedExpression<Object, Decimal> {
    TypedExpression(.cast(operandExpression, to: .decimal))
  }
  /// The square root; missing for a negative number.
  public var squareRoot: TypedExpression<Object, Double> { apply(.squareRoot) }
}

/// The types of date attributes: `Date` and `Date?`.
public protocol DateAttribute {}
extension Date: DateAttribute {}
extension Date?: DateAttribute {}

extension TypedOperand where Operand: DateAttribute {
  /// The year of the date in UTC.
  public var year: TypedExpression<Object, Int> { apply(.year) }
  /// The month of the date in UTC, 1 to 12.
  public var month: TypedExpression<Object, Int> { apply(.month) }
  /// The day of the date in its month in UTC, 1 to 31.
  public var day: TypedExpression<Object, Int> { apply(.day) }
  /// The hour of the date in UTC, 0 to 23.
  public var hour: TypedExpression<Object, Int> { apply(.hour) }
  /// The minute of the date in UTC, 0 to 59.
  public var minute: TypedExpression<Object, Int> { apply(.minute) }
  /// The second of the date in UTC, 0 to 59.
  public var second: TypedExpression<Object, Int> { apply(.second) }
  /// The day of the date in its week in UTC: 1 for Sunday to 7 for Saturday.
  public var weekday: TypedExpression<Object, Int> { apply(.weekday) }
  /// The first moment of the date's day in UTC.
  public var startOfDay: TypedExpression<Object, Date> { apply(.startOfDay) }
  /// The first moment of the date's month in UTC.
  public var startOfMonth: TypedExpression<Object, Date> { apply(.startOfMonth) }
  /// The first moment of the date's year in UTC.
  public var startOfYear: TypedExpression<Object, Date> { apply(.startOfYear) }
  /// The first moment of the date's day in a zone that is as many seconds ahead of UTC: 7200 for +02:00.
  public func startOfDay(secondsFromGMT seconds: Int) -> TypedExpression<Object, Date> {
    start(.startOfDay, seconds)
  }
  /// The first moment of the date's month in a zone that is as many seconds ahead of UTC.
  public func startOfMonth(secondsFromGMT seconds: Int) -> TypedExpression<Object, Date> {
    start(.startOfMonth, seconds)
  }
  /// The first moment of the date's year in a zone that is as many seconds ahead of UTC.
  public func startOfYear(secondsFromGMT seconds: Int) -> TypedExpression<Object, Date> {
    start(.startOfYear, seconds)
  }
  /// The date at which clocks of UTC show the same as those of a time zone at this one. `(\Deal.day).clock(in: rome).hour` is the
  /// hour in Rome.
  ///
  /// The zone's changes between the years 1800 and 2200 are read from the system when the expression is made, and go with it.
  public func clock(in zone: TimeZone) -> TypedExpression<Object, Date> {
    TypedExpression(.zoned(.zoneClock, operandExpression, .data(ZoneOffsets(zone).bytes)))
  }
  /// The first moment of the date's day in a time zone.
  public func startOfDay(in zone: TimeZone) -> TypedExpression<Object, Date> {
    start(.startOfDay, zone)
  }
  /// The first moment of the date's month in a time zone.
  public func startOfMonth(in zone: TimeZone) -> TypedExpression<Object, Date> {
    start(.startOfMonth, zone)
  }
  /// The first moment of the date's year in a time zone.
  public func startOfYear(in zone: TimeZone) -> TypedExpression<Object, Date> {
    start(.startOfYear, zone)
  }
  private func start(
    _ function: FetchFunction, _ zone: TimeZone
  ) -> TypedExpression<Object, Date> {
    let offsets = Value.data(ZoneOffsets(zone).bytes)
    let local = FetchExpression.zoned(.zoneClock, operandExpression, offsets)
    return TypedExpression(.zoned(.zoneMoment, .function(function, [local]), offsets))
  }
  /// The date some seconds later: `(\Deal.day).advanced(by: 7200).hour` is the hour in the zone +02:00.
  public func advanced(by seconds: Double) -> TypedExpression<Object, Date> {
    TypedExpression(.arithmetic(.add, operandExpression, .constant(.double(seconds))))
  }
  private func start(_ function: FetchFunction, _ zone: Int) -> TypedExpression<Object, Date> {
    let local = FetchExpression.function(function, [advanced(by: Double(zone)).operandExpression])
    return TypedExpression(.arithmetic(.subtract, local, .constant(.double(Double(zone)))))
  }
  /// The seconds from another date to this one: `(\Deal.shipped).timeIntervalSince(\.day)`.
  public func timeIntervalSince(
    _ other: KeyPath<Object, some DateAttribute>
  ) -> TypedExpression<Object, Double> {
    .arithmetic(.subtract, operandExpression, FetchExpression(of: other))
  }
  /// The seconds from a date to this one.
  public func timeIntervalSince(_ other: Date) -> TypedExpression<Object, Double> {
    .arithmetic(.subtract, operandExpression, .constant(.date(other)))
  }
}

// Conditions on computed texts. Key paths have functions of the same names.
extension TypedExpression where Result: TextAttribute {
  /// The condition that the text begins with the other text.
  public func hasPrefix(
    _ text: String, _ options: FetchPredicate.TextOptions = []
  ) -> TypedPredicate<Object> { compare(.beginsWith, .constant(.string(text)), options) }
  /// The condition that the text ends with the other text.
  public func hasSuffix(
    _ text: String, _ options: FetchPredicate.TextOptions = []
  ) -> TypedPredicate<Object> { compare(.endsWith, .constant(.string(text)), options) }
  /// The condition that the text contains the other text.
  public func contains(
    _ text: String, _ options: FetchPredicate.TextOptions = []
  ) -> TypedPredicate<Object> { compare(.contains, .constant(.string(text)), options) }
}

extension FetchExpression {
  fileprivate static func zoned(
    _ function: FetchFunction, _ date: FetchExpression, _ zone: Value
  ) -> FetchExpression { .function(function, [date, .constant(zone)]) }
}
