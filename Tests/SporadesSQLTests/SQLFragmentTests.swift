// SPDX-License-Identifier: MIT
import SporadesSQL
import Testing

/// Pieces of SQL.
@Suite struct SQLFragmentTests {
  private func sql(_ fragment: SQLFragment) -> SQLStatement {
    fragment.rendered(in: NumberedDialect())
  }

  @Test func valuesAreBoundInTheirOrder() {
    let statement = sql("\(name: "a b") = \(.integer(1)) AND \(sql: "c") = \(.text("x"))")
    #expect(statement == SQLStatement("\"a b\" = $1 AND c = $2", [.integer(1), .text("x")]))
  }

  @Test func listsHaveCommasBetweenTheirMembers() {
    #expect(
      sql(.insert(into: "t", ["a", "b"])).sql == "INSERT INTO \"t\" (\"a\", \"b\") VALUES ($1, $2)")
    #expect(sql("\(names: [])\(.parameters(0))").sql == "")
    #expect(sql(["a", "b", "c"].joined(by: " OR ")).sql == "a OR b OR c")
  }

  @Test func aStatementWithBothValuesAndParametersTraps() async {
    await #expect(processExitsWith: .failure) {
      let mixed: SQLFragment = "a = \(.parameter) AND b = \(.integer(1))"
      _ = mixed.rendered(in: NumberedDialect())
    }
  }
}
