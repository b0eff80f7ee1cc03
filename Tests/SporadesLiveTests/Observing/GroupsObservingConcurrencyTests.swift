// SPDX-License-Identifier: MIT
import Sporades
import Testing

/// Groups of a service's objects that follow the writes.
@Suite(.timeLimit(.minutes(60))) struct GroupsObservingConcurrencyTests {
  private let service: DALService

  init() throws { service = try League.makeService() }

  private func texts<Key: Sendable, Values: Sendable>(
    _ request: GroupedRequest<Player, Key, Values>
  ) -> Follower<[String]> {
    Follower(service.observe(groups: request).map { $0.map { "\($0.0) \($0.1)" } })
  }

  @Test func countsAndSumsFollowWithoutAQuestion() async throws {
    let groups = texts(Player.request.grouped(by: \.score) { ($0.count, $0.sum(\.score)) })
    await groups.wait(for: [])
    try service.add(["a": 1, "b": 1, "c": 2])
    await groups.wait(for: ["1 (2, 2)", "2 (1, 2)"])
    try service.change("b") { $0.score = 2 }
    await groups.wait(for: ["1 (1, 1)", "2 (2, 4)"])
    try service.writeSync { Player.deleteAll(where: \.score == 1, in: $0) }.get()
    await groups.wait(for: ["2 (2, 4)"])
    #expect(service.liveMetrics.askedAgain == 0)
  }

  @Test func theStoreIsAskedWhenAGreatestValueGoes() async throws {
    try service.add(["a": 1, "b": 5, "c": 3])
    let most = texts(Player.request.grouped(by: \.group) { ($0.max(\.score), $0.min(\.score)) })
    await most.wait(for: ["nil (Optional(5), Optional(1))"])
    try service.add(["d": 9])
    await most.wait(for: ["nil (Optional(9), Optional(1))"])
    try service.change("c") { $0.score = 4 }
    try service.add(["e": 0])
    await most.wait(for: ["nil (Optional(9), Optional(0))"])
    #expect(service.liveMetrics.askedAgain == 0)
    try service.change("d") { $0.score = 2 }
    await most.wait(for: ["nil (Optional(5), Optional(0))"])
    #expect(service.liveMetrics.askedAgain == 1)
  }

  @Test func conditionsOrdersAndLimitsOfGroupsHold() async throws {
    try service.add(["a": 1, "b": 1, "c": 2, "d": 3, "e": 3, "f": 3])
    let large = texts(
      Player.request.grouped(by: \.score) { $0.count }.having { $0.count > 1 }
        .sorted { .descending($0.count) }.limit(1))
    await large.wait(for: ["3 3"])
    try service.add(["g": 1, "h": 1])
    await large.wait(for: ["1 4"])
  }

  @Test func groupsOfRelatedValuesFollowTheOthers() async throws {
    try service.add("a", 1, to: "red")
    let teams = texts(Player.request.grouped(by: \.team?.name) { $0.count })
    await teams.wait(for: ["Optional(\"red\") 1"])
    try service.writeSync { Team.first(in: $0)?.name = "blue" }.get()
    await teams.wait(for: ["Optional(\"blue\") 1"])
  }

  @Test func aMistakeInTheQuestionIsThrown() async throws {
    let follower = texts(Player.request.grouped(by: \.score) { $0.sum(\.score) }.limit(-1))
    await follower.wait(for: "the error") { $0.error != nil }
  }
}
