// SPDX-License-Identifier: MIT
import CSQLite
import SporadesModel
import Synchronization

/// Reports the statements of all stores, for debugging.
public enum SQLTrace {
  private static let hook = Guarded<(@Sendable (String) -> Void)?>(nil)
  private static let level = Atomic<Int>(
    LaunchArgument.level(of: "-com.apple.CoreData.SQLDebug") ?? 0)

  /// Receives every statement of connections opened after it is set; nil receives none.
  ///
  /// Without a hook, the launch argument `-com.apple.CoreData.SQLDebug 1` prints the statements to standard error. The value 3
  /// also prints the bound values.
  public static func setHook(_ body: (@Sendable (String) -> Void)?) { hook.withLock { $0 = body } }

  static var isOn: Bool {
    level.load(ordering: .relaxed) > 0 || hook.withLock { $0 != nil }
  }

  static var showsValues: Bool { level.load(ordering: .relaxed) >= 3 }

  static func tell(_ text: String) {
    if let hook = hook.withLock({ $0 }) {
      hook(text)
    } else if level.load(ordering: .relaxed) > 0 {
      writeToStandardError("CoreData: sql: \(text)\n")
    }
  }
}

extension Connection {
  /// Registers the hook only if there is a listener, so that a program without one pays nothing.
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
