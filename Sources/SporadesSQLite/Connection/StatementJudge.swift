// SPDX-License-Identifier: MIT
import CSQLite
import SporadesSQL

/// Decides what a statement may do that a program wrote. SQLite asks it through the connection's authorizer
/// (https://sqlite.org/c3ref/set_authorizer.html), for each table and function, and for those inside views too.
///
/// Rules:
/// 1. Reading is allowed, and noted by table.
/// 2. A function is allowed if SQLite knows it as one without effects.
/// 3. Everything else is refused. The text of the statement decides nothing.
final class StatementJudge {
  /// The tables that the statement reads.
  private(set) var tables: Set<String> = []
  /// The first thing that was refused.
  private(set) var refusal: StatementRefusal?
  /// The names of the functions that may have effects, in small letters.
  private let refusedFunctions: Set<String>
  private var reads = false

  init(refusing functions: Set<String>) { refusedFunctions = functions }

  /// SQLite's answer to one question of the authorizer.
  func verdict(on action: Int32, _ first: String?, _ second: String?) -> Int32 {
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE: reads = true
    case SQLITE_READ: if let first { tables.insert(first) }
    case SQLITE_FUNCTION where !refusedFunctions.contains((second ?? "").lowercased()): break
    case SQLITE_FUNCTION: return refuse(.function(second ?? "a function"))
    // SQLite asks so when it declares the columns of a function that is a table. The connection is defensive, and refuses
    // each statement that writes this table.
    case SQLITE_UPDATE where reads && first == "sqlite_master": break
    // A full-text index asks so whether its file was changed.
    case SQLITE_PRAGMA where reads && first == "data_version": break
    default: return refuse(.acts(Self.words(action, first)))
    }
    return SQLITE_OK
  }

  private func refuse(_ reason: StatementRefusal) -> Int32 {
    if refusal == nil { refusal = reason }
    return SQLITE_DENY
  }

  private static func words(_ action: Int32, _ name: String?) -> String {
    let word =
      switch action {
      case SQLITE_INSERT: "INSERT"
      case SQLITE_UPDATE: "UPDATE"
      case SQLITE_DELETE: "DELETE"
      case SQLITE_PRAGMA: "PRAGMA"
      case SQLITE_ATTACH: "ATTACH"
      case SQLITE_DETACH: "DETACH"
      case SQLITE_TRANSACTION: "a transaction"
      case SQLITE_SAVEPOINT: "a savepoint"
      case SQLITE_ANALYZE: "ANALYZE"
      case SQLITE_REINDEX: "REINDEX"
      case SQLITE_ALTER_TABLE: "ALTER TABLE"
      default: "a change of tables"
      }
    return name.map { $0.isEmpty ? word : "\(word) (\($0))" } ?? word
  }
}
