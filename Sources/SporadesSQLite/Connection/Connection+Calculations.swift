// SPDX-License-Identifier: MIT
import CSQLite
import FoundationEssentials
import SporadesModel
import SporadesSQL
import SporadesStore

// The functions of the predicate language. Each calls what memory calls, so that both give the same answers.
extension Connection {
  /// Registers the functions before the first statement that may call one of them. Nothing in a file calls them: no
  /// trigger, view or index of ours names one.
  func learnFunctions(of sql: String) throws(StoreError) {
    guard !calculates, SQLFunction.mayBeNamed(in: sql) else { return }
    try registerCalculations()
    try registerCollation()
    calculates = true
  }

  private func registerCalculations() throws(StoreError) {
    for (index, function) in FetchFunction.allCases.enumerated() where function.argumentCount > 0 {
      let name = SQLFunction.name(of: function)
      if function.takesMany {
        unsafe try register(name, -1, number: index) { context, count, arguments in
          let function = unsafe FetchFunction.allCases[Calculation.number(context)]
          unsafe Calculation.answer(
            context, function.value(of: Calculation.values(arguments, 0..<Int(count))))
        }
        unsafe try register(SQLFunction.ofDecimals(function), -1, number: index) {
          context, count, arguments in
          let function = unsafe FetchFunction.allCases[Calculation.number(context)]
          unsafe Calculation.answer(
            context, function.value(of: Calculation.decimals(arguments, 0..<Int(count))))
        }
        try registerCollector(function, index)
      } else {
        unsafe try register(name, Int32(function.argumentCount), number: index) {
          context, count, arguments in
          let function = unsafe FetchFunction.allCases[Calculation.number(context)]
          unsafe Calculation.answer(
            context,
            count == 1
              ? Calculation.apply(function, Calculation.value(arguments?[0]))
              : function.apply(Calculation.values(arguments, 0..<Int(count))))
        }
      }
    }
    try registerOperations()
    try registerTotals()
  }

  private func registerOperations() throws(StoreError) {
    for (index, operation) in ArithmeticOperator.allCases.enumerated() {
      unsafe try register(SQLFunction.name(of: operation), 2, number: index) {
        context, _, arguments in
        let operation = unsafe ArithmeticOperator.allCases[Calculation.number(context)]
        unsafe Calculation.answer(
          context,
          operation.apply(
            Calculation.value(arguments?[0]), Calculation.value(arguments?[1])))
      }
    }
    unsafe try register(SQLFunction.decimal, 3, number: 0) { context, _, arguments in
      unsafe Calculation.answer(context, Calculation.calculate(arguments))
    }
    unsafe try register(SQLFunction.number, 1, number: 0) { context, _, arguments in
      unsafe Calculation.answerNumber(context, arguments?[0])
    }
    unsafe try register(SQLFunction.cast, 3, number: 0) { context, _, arguments in
      unsafe Calculation.answer(context, Calculation.cast(arguments))
    }
  }

  /// Registers the sum and the mean of all rows of a group.
  private func registerTotals() throws(StoreError) {
    unsafe try registerCollector(SQLFunction.total, 1, number: 0) { context in
      unsafe Calculation.answer(
        context, Calculation.taken(TotalBox.self, context)?.total.value ?? .null)
    } step: { context, _, arguments in
      unsafe Calculation.add(context, arguments?[0])
    }
    unsafe try registerCollector(SQLFunction.mean, 1, number: 0) { context in
      unsafe Calculation.answer(
        context, Calculation.taken(TotalBox.self, context)?.total.average ?? .null)
    } step: { context, _, arguments in
      unsafe Calculation.add(context, arguments?[0])
    }
  }

  /// Registers a function of the values of all rows of a group.
  private func registerCollector(
    _ function: FetchFunction, _ number: Int
  ) throws(StoreError) {
    unsafe try registerCollector(SQLFunction.collector(of: function), 2, number: number) {
      context in
      let function = unsafe FetchFunction.allCases[Calculation.number(context)]
      let collected = unsafe Calculation.taken(CollectedValues.self, context)
      unsafe Calculation.answer(context, function.value(of: collected?.values ?? []))
    } step: { context, _, arguments in
      unsafe Calculation.collect(context, arguments)
    }
  }

  /// Registers a function of all rows of a group under its number. `step` takes a row, and `end` answers.
  @unsafe
  private func registerCollector(
    _ name: String, _ arguments: Int32, number: Int,
    end: @convention(c) (OpaquePointer?) -> Void,
    step:
      @convention(c) (
        OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
      ) -> Void
  ) throws(StoreError) {
    let code = unsafe sqlite3_create_function_v2(
      handle, name, arguments, Self.pureFunction, UnsafeMutableRawPointer(bitPattern: number + 1),
      nil, step, end, nil)
    guard code == SQLITE_OK else {
      throw unsafe StoreError.sqlite(code, handle, "SQLite refused the function \(name).")
    }
  }

  private static let pureFunction = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS

  /// Registers a function under its number, with which all functions of a kind share one implementation.
  @unsafe
  private func register(
    _ name: String, _ arguments: Int32, number: Int,
    _ function:
      @convention(c) (
        OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
      ) -> Void
  ) throws(StoreError) {
    let code = unsafe sqlite3_create_function_v2(
      handle, name, arguments, Self.pureFunction,
      UnsafeMutableRawPointer(bitPattern: number + 1), function, nil, nil, nil)
    guard code == SQLITE_OK else {
      throw unsafe StoreError.sqlite(code, handle, "SQLite refused the function \(name).")
    }
  }
}

/// Arguments and results of the functions of the predicate language.
private enum Calculation {
  /// The number under which a function was registered.
  @unsafe
  static func number(_ context: OpaquePointer?) -> Int {
    unsafe Int(bitPattern: sqlite3_user_data(context)) - 1
  }

  @unsafe
  static func value(_ argument: OpaquePointer?) -> Value {
    switch unsafe sqlite3_value_type(argument) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_value_int64(argument))
    case SQLITE_FLOAT: return .double(unsafe sqlite3_value_double(argument))
    case SQLITE_TEXT: return .string(unsafe SQLArgument.text(argument) ?? "")
    case SQLITE_BLOB:
      let start = unsafe sqlite3_value_blob(argument)
      let count = Int(unsafe sqlite3_value_bytes(argument))
      return unsafe .data(
        Data(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
    default: return .null
    }
  }

  @unsafe
  static func values(
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ places: Range<Int>
  ) -> [Value] {
    var values: [Value] = []
    for place in places { unsafe values.append(value(arguments?[place])) }
    return values
  }

  // MARK: - Decimals

  /// The decimal with the digits of a number.
  @unsafe
  private static func decimal(_ argument: OpaquePointer?) -> Value {
    switch unsafe value(argument) {
    case .integer(let number): SQLValue.integer(number).modelValue(.decimal)
    case .double(let number): SQLValue.real(number).modelValue(.decimal)
    case .data(let bytes): SQLValue.blob(Array(bytes)).modelValue(.decimal)
    default: .null
    }
  }

  @unsafe
  static func decimals(
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ places: Range<Int>
  ) -> [Value] {
    var values: [Value] = []
    for place in places { unsafe values.append(decimal(arguments?[place])) }
    return values
  }

  /// Answers the number as which a decimal compares.
  @unsafe
  static func answerNumber(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
    guard unsafe sqlite3_value_type(argument) == SQLITE_BLOB else {
      return unsafe sqlite3_result_value(context, argument)
    }
    unsafe answer(context, SQLValue(decimal(argument)))
  }

  @unsafe
  static func calculate(_ arguments: UnsafeMutablePointer<OpaquePointer?>?) -> Value {
    guard
      let operation = unsafe SQLArgument.text(arguments?[0])
        .flatMap(ArithmeticOperator.init(rawValue:))
    else { return .null }
    return unsafe operation.apply(decimal(arguments?[1]), decimal(arguments?[2]))
  }

  /// Answers a value. A decimal has the form of a column.
  @unsafe
  static func answer(_ context: OpaquePointer?, _ value: Value) {
    unsafe answer(context, SQLValue(content: value))
  }

  @unsafe
  private static func answer(_ context: OpaquePointer?, _ value: SQLValue) {
    switch value {
    case .null: unsafe sqlite3_result_null(context)
    case .integer(let number): unsafe sqlite3_result_int64(context, number)
    case .real(let number): unsafe sqlite3_result_double(context, number)
    case .text(let text): unsafe SQLArgument.answer(context, text)
    case .blob(let bytes):
      unsafe bytes.withUnsafeBytes { unsafe SQLArgument.answer(context, $0) }
    }
  }

  /// A date is a number in a column.
  static func apply(_ function: FetchFunction, _ value: Value) -> Value {
    switch function {
    case .year, .month, .day, .hour, .minute, .second, .weekday, .startOfDay, .startOfMonth,
      .startOfYear:
      switch value {
      case .integer(let number): function.part(of: Double(number))
      case .double(let number): function.part(of: number)
      default: function.apply(value)
      }
    default: function.apply(value)
    }
  }

  @unsafe
  static func cast(_ arguments: UnsafeMutablePointer<OpaquePointer?>?) -> Value {
    guard
      let source = unsafe SQLArgument.text(arguments?[1]).flatMap(CastSource.init(rawValue:)),
      let type = unsafe SQLArgument.text(arguments?[2]).flatMap(CastType.init(rawValue:))
    else { return .null }
    let stored = unsafe value(arguments?[0])
    return switch (source, stored) {
    case (.uuid, .data(let bytes)): type.apply(SQLValue.blob(Array(bytes)).modelValue(.uuid))
    case (.decimal, _): type.apply(unsafe decimal(arguments?[0]))
    default: type.apply(stored)
    }
  }

  // MARK: - Groups

  @unsafe
  static func collect(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let values = unsafe kept(context, CollectedValues.init) else { return }
    let isDecimal = unsafe sqlite3_value_int(arguments?[1]) == 1
    unsafe values.values.append(isDecimal ? decimal(arguments?[0]) : value(arguments?[0]))
  }

  /// Adds a number to the total of the group. Other values have no part in it.
  @unsafe
  static func add(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
    let type = unsafe sqlite3_value_type(argument)
    guard type == SQLITE_FLOAT || type == SQLITE_INTEGER,
      let box = unsafe kept(context, TotalBox.init)
    else { return }
    if type == SQLITE_FLOAT {
      box.total.add(unsafe sqlite3_value_double(argument))
    } else {
      box.total.add(unsafe sqlite3_value_int64(argument))
    }
  }

  /// The object that SQLite keeps for a group. The first row makes it.
  @unsafe
  private static func kept<Kept: AnyObject>(
    _ context: OpaquePointer?, _ make: () -> Kept
  ) -> Kept? {
    guard let place = unsafe box(context, size: MemoryLayout<UnsafeRawPointer?>.size) else {
      unsafe sqlite3_result_error_nomem(context)
      return nil
    }
    if let known = unsafe place.pointee {
      return unsafe Unmanaged<Kept>.fromOpaque(known).takeUnretainedValue()
    }
    let new = make()
    unsafe place.pointee = UnsafeRawPointer(Unmanaged.passRetained(new).toOpaque())
    return new
  }

  /// The object that was kept for a group, which SQLite keeps no longer; nil if there was no row.
  @unsafe
  static func taken<Kept: AnyObject>(_ type: Kept.Type, _ context: OpaquePointer?) -> Kept? {
    guard let place = unsafe box(context, size: 0), let known = unsafe place.pointee else {
      return nil
    }
    unsafe place.pointee = nil
    return unsafe Unmanaged<Kept>.fromOpaque(known).takeRetainedValue()
  }

  /// The memory that SQLite keeps for a group. Without a size, nil if no row has asked for it.
  @unsafe
  private static func box(
    _ context: OpaquePointer?, size: Int
  ) -> UnsafeMutablePointer<UnsafeRawPointer?>? {
    unsafe sqlite3_aggregate_context(context, Int32(size))?
      .assumingMemoryBound(to: UnsafeRawPointer?.self)
  }
}

private final class CollectedValues {
  var values: [Value] = []
}

private final class TotalBox {
  var total = ExactTotal()
}
