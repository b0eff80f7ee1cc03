// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesPlans
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesPostgreSQL

/// What a store on a server says of the way in which it finds rows.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct ServerPlanTests {
  private let place: TestStore
  private let store: PostgreSQLStore

  private static let model: ManagedObjectModel = {
    do {
      return try ManagedObjectModel(entities: [
        EntityDescription(
          "Player",
          attributes: [
            AttributeDescription("name", .string), AttributeDescription("score", .integer32),
            AttributeDescription("level", .integer16),
          ], relationships: [.toOne("team", "Team", inverse: "players")],
          indexes: [FetchIndexDescription("byScore", on: "score")]),
        EntityDescription(
          "Team", attributes: [AttributeDescription("title", .string)],
          relationships: [.toMany("players", "Player", inverse: "team")],
          uniquenessConstraints: [["title"]]),
      ])
    } catch {
      preconditionFailure("The model of players is not valid: \(error)")
    }
  }()

  /// A server reads a small table as a whole, so that there are many rows.
  init() throws {
    place = try TestStore()
    store = try place.open(Self.model)
    _ = try place.lines(
      """
      INSERT INTO team (row_id, row_entity, row_version, title) SELECT n, 'Team', 1, 'Team ' || n \
      FROM generate_series(1, 500) n; INSERT INTO player (row_id, row_entity, row_version, name, score, level, team_id) \
      SELECT n, 'Player', 1, 'Player ' || n, n, n % 7, 1 + n % 500 FROM generate_series(1, 20000) n; ANALYZE player; ANALYZE team
      """)
  }

  private var player: EntityShape { Self.model.shapes[0] }

  private func plan(_ question: ExplainedQuestion) throws -> FetchPlan {
    try store.explain(question, in: .committed)
  }

  private func players(
    _ name: String, _ comparator: FetchPredicate.Comparator, _ value: Value,
    options: FetchPredicate.TextOptions = []
  ) -> StoreFetch {
    StoreFetch(
      player,
      where: .comparison(
        .init(
          .keyPath(name.split(separator: ".").map(String.init)), comparator, .constant(value),
          options: options)))
  }

  @Test func aFetchOfAllRowsReadsTheTable() throws {
    let plan = try plan(.rows(StoreFetch(player)))
    // Memory has the order of the keys for less than their index.
    #expect(plan.steps.map(\.work) == [.readAll, .sort])
    #expect(plan.steps[0].estimatedRows == 20_000)
    let count = try self.plan(.table(TableQuestion(StoreFetch(player), [.objectCount])))
    #expect(count.statement?.hasPrefix("SELECT COUNT(*) FROM player") == true)
    try store.close()
  }

  @Test func anIndexFindsAFewRows() throws {
    let plan = try plan(.rows(players("score", .greater, .integer(19_990))))
    let index = try #require(plan.indexes.first)
    #expect(index.contains("score"))
    #expect(
      plan.steps.map(\.sentence) == [
        "Finds rows of Player by the index \(index), where score > a value.",
        "Puts the rows in the order of their keys in memory.",
      ])
    #expect(plan.isServedByIndexes)
    #expect(try 1...100 ~= #require(plan.steps[0].estimatedRows))
    #expect("\(plan)".contains(" It expects "))
    #expect(!"\(plan.steps)".contains("19990"))
    try store.close()
  }

  @Test func aConditionWithoutAnIndexReadsEveryRow() throws {
    let plan = try plan(.keys(players("name", .equal, "Player 17 > (score = 1)")))
    #expect(plan.steps.map(\.work) == [.readAll, .sort])
    #expect(
      plan.steps.map(\.sentence) == [
        "Reads every row of Player.", "Puts the rows in the order of their keys in memory.",
      ])
    #expect(!plan.isServedByIndexes)
    try store.close()
  }

  @Test func anOrderIsReadFromItsIndex() throws {
    let fetch = StoreFetch(player, sortedBy: [SortTerm("score")], limit: 10)
    let plan = try plan(.rows(fetch))
    let index = try #require(plan.indexes.first)
    #expect(plan.steps[0].work == .readInOrder(index: index))
    #expect(plan.steps.map(\.work).last == .sort)
    #expect(
      plan.steps.last?.sentence
        == "Sorts the rows that an index leaves in one place of the order.")
    let back = StoreFetch(player, sortedBy: [SortTerm("score", ascending: false)], limit: 10)
    #expect(try self.plan(.rows(back)).steps[0].work == .readInOrder(index: index))
    let level = try self.plan(.rows(StoreFetch(player, sortedBy: [SortTerm("level")])))
    #expect(level.steps.map(\.work) == [.readAll, .sort])
    try store.close()
  }

  @Test func aUniqueValueAndALinkAreFoundByTheirIndexes() throws {
    let plan = try plan(.keys(players("team.title", .equal, "Team 3")))
    let sentences = plan.steps.map(\.sentence).joined(separator: "\n")
    #expect(
      sentences.contains("Finds rows of Team by the index team_title_key, where title = a value."))
    #expect(sentences.contains("Finds rows of Player by the index "))
    #expect(sentences.contains("where team = a value."))
    #expect(plan.isServedByIndexes)
    try store.close()
  }

  @Test func aQuestionAboutMembersIsAPartOfAnother() throws {
    let fetch = StoreFetch(
      player,
      where: .comparison(.init(.count(["team", "players"]), .greater, .constant(.integer(50)))))
    let plan = try plan(.rows(fetch))
    let part = try #require(
      plan.steps.firstIndex { $0.sentence == "Does for each of these rows:" })
    #expect(plan.steps[part + 1].depth == 1)
    #expect(plan.steps[part + 1].sentence.hasPrefix("Finds rows of "))
    try store.close()
  }

  @Test func groupsAreMadeByTheServer() throws {
    var question = TableQuestion(
      StoreFetch(player), [.keyPath("level"), .objectCount, .sum(of: "score")])
    question.groups = [.keyPath("level")]
    let plan = try plan(.table(question))
    #expect(plan.statement?.contains(" GROUP BY 1") == true)
    #expect(
      plan.steps.map(\.sentence) == [
        "Reads every row of Player.", "Collects the rows in groups, in no order.",
      ])
    try store.close()
  }

  @Test func whatMemoryDoesIsTold() throws {
    let folded = players("name", .equal, "PLAYER 17", options: .caseInsensitive)
    let plan = try plan(.rows(folded))
    #expect(
      plan.steps.map(\.sentence) == [
        "Reads every row of Player.",
        "Decides in memory about these rows what the server does not.",
      ])
    var computed = TableQuestion(
      StoreFetch(player), [.keyPath("level"), .function(.median, [.keyPath("score")])])
    computed.groups = [.keyPath("level")]
    #expect(
      try self.plan(.table(computed)).steps.last?.sentence
        == "Computes the values in memory from the rows.")
    try store.close()
  }
}
