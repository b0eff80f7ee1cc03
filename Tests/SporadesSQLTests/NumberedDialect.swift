// SPDX-License-Identifier: MIT
import SporadesSQL

/// The words of PostgreSQL.
struct NumberedDialect: SQLDialect {
  func quoted(_ name: String) -> String { "\"\(name)\"" }
  func placeholder(_ number: Int) -> String { "$\(number)" }
  func word(for comparison: SQLSameness) -> String {
    switch comparison {
    case .same: "IS NOT DISTINCT FROM"
    case .different: "IS DISTINCT FROM"
    }
  }
}
