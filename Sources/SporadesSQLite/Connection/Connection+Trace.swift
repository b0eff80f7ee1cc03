// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import Synchronization

/// Where the statements of all stores are told, for finding out what a program asks of them.
public enum SQLTrace {
  private static let hook = Guarded<(@Sendable (String) -> Void)?>(nil)
  private static let level = Atomic<Int>(argumentLevel())

  /// Hears every statement of the connections opened from now on; nil hears none.
  ///
  /// Without a hook, `-com.apple.CoreData.SQLDebug 1` among the launch arguments prints the
  /// statements, and 3 prints the values bound to them too.
  public static func setHook(_ body: (@Sendable (String) -> Void)?) { hook.withLock { $0 = body } }

  static var isOn: Bool {
    level.load(ordering: .relaxed) > 0 || hook.withLock { $0 != nil }
  }

  static var showsValues: Bool { level.load(ordering: .relaxed) >= 3 }

  static func tell(_ text: String) {
    if let hook = hook.withLock({ $0 }) {
      hook(text)
    } else if level.load(ordering: .relaxed) > 0 {
      print("CoreData: sql: \(text)")
    }
  }

  private static func argumentLevel() -> Int {
    let arguments = CommandLine.arguments
    guard let place = arguments.firstIndex(of: "-com.apple.CoreData.SQLDebug"),
      place + 1 < arguments.count
    else { return 0 }
    return Int(arguments[place + 1]) ?? 0
  }
}

extension Connection {
  /// Costs nothing where nobody listens: SQLite is told only then.
  func traceIfAsked() {
    guard SQLTrace.isOn else { return }
    unsafe sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_STMT),
      { _, _, statement, _ in
        let statement = OpaquePointer(statement)
        if SQLTrace.showsValues, let text = unsafe sqlite3_expanded_sql(statement) {
          SQLTrace.tell(unsafe String(cString: text))
          unsafe sqlite3_free(text)
        } else if let text = unsafe sqlite3_sql(statement) {
          SQLTrace.tell(unsafe String(cString: text))
        }
        return 0
      }, nil)
  }
}
