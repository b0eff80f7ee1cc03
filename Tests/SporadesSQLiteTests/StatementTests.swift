// SPDX-License-Identifier: MIT
import SporadesSQL
import Testing

@testable import SporadesSQLite

/// The statements that a connection keeps prepared.
@Suite struct StatementTests {
  @Test func aTextThatIsAskedForWhileItIsSteppedGetsAnotherStatement() throws {
    let connection = try Connection(path: ":memory:", access: .readWrite, busyMilliseconds: 0)
    defer { connection.close() }
    let numbers = SQLStatement("SELECT ? UNION ALL SELECT 2", [.integer(1)])
    let twice: [Int64] = [1, 2, 1, 1, 2, 2]
    for _ in 0..<2 {
      #expect(try all(of: numbers, on: connection, depth: 2) == twice + [1] + twice + [2])
    }
  }

  /// The numbers of the statement, each behind those that a statement of the same text finds meanwhile.
  private func all(
    of numbers: SQLStatement, on connection: Connection, depth: Int
  ) throws -> [Int64] {
    guard depth >= 0 else { return [] }
    var found: [Int64] = []
    let statement = try connection.statement(numbers)
    while try statement.step() {
      found += try all(of: numbers, on: connection, depth: depth - 1)
      found.append(statement.integer(0))
    }
    return found
  }

  /// A connection keeps a few hundred statements. The others make room for new ones, but not below the hands of those
  /// who step them or are about to.
  @Test func statementsInUseOutliveTheirPlace() throws {
    let connection = try Connection(path: ":memory:", access: .readWrite, busyMilliseconds: 0)
    defer { connection.close() }
    let stepped = try connection.statement(SQLStatement("SELECT 1 UNION ALL SELECT 2"))
    #expect(try stepped.step())
    let asked = try connection.statement(SQLStatement("SELECT 3"))
    for number in 0..<2_000 {
      let statement = try connection.statement(SQLStatement("SELECT \(number) + ?", [.integer(1)]))
      #expect(try statement.step() && statement.integer(0) == Int64(number) + 1)
      statement.reset()
      let again = try connection.statement(SQLStatement("SELECT \(number) + ?", [.integer(2)]))
      #expect(again === statement && !again.isBusy)
    }
    #expect(try stepped.step() && stepped.integer(0) == 2)
    #expect(try asked.step() && asked.integer(0) == 3)
    asked.reset()
  }
}
