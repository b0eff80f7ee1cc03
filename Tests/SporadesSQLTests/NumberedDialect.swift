// SPDX-License-Identifier: MIT
import SporadesSQL

/// A dialect with quotes around all names, and with numbers at parameters.
struct NumberedDialect: SQLDialect {
  func quoted(_ name: String) -> String { "\"\(name)\"" }
  func placeholder(_ number: Int) -> String { "$\(number)" }
  func word(for comparison: SQLSameness) -> String {
    switch comparison {
    case .same: "IS NOT DISTINCT FROM"
    case .different: "IS DISTINCT FROM"
    }
  }
  func read(_ column: String, isDecimal: Bool) -> String { column }
  func unindexed(_ condition: String) -> String { "+\(condition)" }
}
