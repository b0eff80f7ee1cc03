// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import SporadesSQL
import SporadesStore
import Synchronization

/// The condition behind a function of SQL.
private final class ConditionFunction {
  let body: ([SQLValue]) throws -> Bool

  init(_ body: @escaping ([SQLValue]) throws -> Bool) { self.body = body }
}

extension Connection {
  /// Registers a condition on values as a function of SQL, for conditions of another module. Its error fails the statement.
  /// A connection learns a name once, because SQLite prepares all statements again after a second condition.
  fileprivate func learn(
    _ name: String, _ body: @escaping ([SQLValue]) throws -> Bool
  ) throws(StoreError) {
    unsafe try register(
      name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, owner: ConditionFunction(body)
    ) { context, count, arguments in
      guard let owner = unsafe sqlite3_user_data(context) else {
        return unsafe sqlite3_result_error(context, "The function lost its meaning.", -1)
      }
      let function = unsafe Unmanaged<ConditionFunction>.fromOpaque(owner).takeUnretainedValue()
      let values = (0..<Int(count)).map { unsafe SQLArgument.value(arguments?[$0]) }
      do {
        unsafe sqlite3_result_int(context, try function.body(values) ? 1 : 0)
      } catch {
        unsafe sqlite3_result_error(context, "\(error)", -1)
      }
    }
    conditions.insert(name)
  }
}

extension SQLArgument {
  @unsafe
  fileprivate static func value(_ argument: OpaquePointer?) -> SQLValue {
    switch unsafe sqlite3_value_type(argument) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_value_int64(argument))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_value_double(argument))
    case SQLITE_TEXT: return unsafe text(argument).map { .text($0) } ?? .null
    case SQLITE_BLOB:
      let start = unsafe sqlite3_value_blob(argument)
      let count = Int(unsafe sqlite3_value_bytes(argument))
      return .blob(
        unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
    default: return .null
    }
  }
}

/// The functions that conditions of other modules call. Each connection of a store learns them before it answers, because
/// nobody knows which one answers next.
final class TaughtConditions: Sendable {
  typealias Condition = ([SQLValue]) throws -> Bool
  private let makers = Guarded<[String: @Sendable () -> Condition]>([:])
  /// Most stores have none.
  private let isUsed = Atomic<Bool>(false)

  func add(_ name: String, _ make: @escaping @Sendable () -> Condition) {
    makers.withLock { $0[name] = make }
    isUsed.store(true, ordering: .releasing)
  }

  func teach(_ connection: Connection) throws(StoreError) {
    guard isUsed.load(ordering: .acquiring) else { return }
    for (name, make) in makers.withLock(\.self) where !connection.conditions.contains(name) {
      try connection.learn(name, make())
    }
  }
}
