// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesStatements
import Testing

/// The code in the documentation of statements.
@Suite struct StatementDocumentationTests {
  // snippet: statement-decodable
  struct Ranked: Decodable {
    var name: String
    var rank: Int
  }
  // snippet end

  private func organization<Output>(
    _ body: (ManagedObjectContext) throws -> Output
  ) throws -> Output {
    let stack = try makeStack()
    try stack.fillOrganization()
    return try stack.main.performAndWait { try body($0) }
  }

  @Test func windowsGiveTuples() throws {
    let ranks = try organization { context in
      // snippet: statement-tuples
      let age = 18
      let ranks = try context.rows(
        """
        SELECT \(\Person.name), rank() OVER (ORDER BY \(\Person.age) DESC)
        FROM \(Person.self) WHERE \(\Person.age) < \(age)
        """, as: (String, Int).self)
      for (name, rank) in ranks { print(rank, name) }
      // snippet end
      return ranks
    }
    #expect(ranks.count == 7)
  }

  @Test func rowsDecodeThemselves() throws {
    let rows = try organization { context in
      // snippet: statement-rows
      let rows = try context.rows(
        """
        SELECT \(\Person.name), rank() OVER (ORDER BY \(\Person.name)) AS rank FROM \(Person.self)
        """, as: Ranked.self)
      // snippet end
      return rows
    }
    #expect(rows.map(\.rank) == [1, 2, 3, 4, 5, 6, 7])
  }

  @Test func recursionGivesObjects() throws {
    let people = try organization { context in
      let boss = try #require(try Person.first(where: \.name == "Alice", in: context))
      // snippet: statement-recursion
      let people = try context.rows(
        """
        WITH RECURSIVE under(key, level) AS (
          SELECT \(boss), 0
          UNION ALL
          SELECT p.\(\Person.objectID), level + 1
          FROM \(Person.self, as: "p") JOIN under ON p.\(\Person.boss) = under.key)
        SELECT key, level FROM under
        """, as: (Person, Int).self)
      // snippet end
      return people.map { ($0.0.name, $0.1) }
    }
    #expect(people.map(\.1) == [0, 1, 1, 2, 2, 2, 2])
    #expect(people.first?.0 == "Alice")
  }

  @Test func statementsAreParts() throws {
    let names = try organization { context in
      // snippet: statement-parts
      let leaders: SQLQuery = "SELECT \(\Person.boss) FROM \(Person.self)"
      let names = try context.rows(
        """
        SELECT \(\Person.name) FROM \(Person.self)
        WHERE \(\Person.objectID) IN (\(leaders)) AND \(\Person.name) NOT IN \(["Bob", "Eve"])
        ORDER BY 1
        """, as: String.self)
      // snippet end
      return names
    }
    #expect(names == ["Alice", "Cindy"])
  }
}
