// SPDX-License-Identifier: MIT
import Sporades
import Testing

@Suite(.timeLimit(.minutes(60))) struct ObservedValuesConcurrencyTests {
  private let service: DALService

  init() throws { service = try League.makeService() }

  private func names(_ request: TypedRequest<Player>) -> ObservedValues<[String]> {
    service.observe(request, mapping: { $0.map(\.name) })
  }

  @Test func theFirstValueComesAtOnce() async throws {
    try service.add(["a": 1, "b": 2])
    var values = names(Player.sorted(by: \.score)).makeAsyncIterator()
    #expect(try await values.next() == ["a", "b"])
  }

  @Test func aFilterAndAnOrderFollowWrites() async throws {
    try service.add(["a": 1, "b": 5, "c": 9])
    let follower = Follower(names(Player.where(\.score > 3).sorted(by: \.score)))
    await follower.wait(for: ["b", "c"])
    try service.change("a") { $0.score = 7 }
    await follower.wait(for: ["b", "a", "c"])
    try service.change("b") { $0.score = 100 }
    await follower.wait(for: ["a", "c", "b"])
    try service.writeSync { Player.deleteAll(where: \.name == "c", in: $0) }.get()
    await follower.wait(for: ["a", "b"])
    try service.change("b") { $0.name = "d" }
    await follower.wait(for: ["a", "d"])
    #expect(service.liveMetrics.askedAgain == 0)
  }

  @Test func aWriteThatDoesNotConcernARequestMakesNoValue() async throws {
    try service.add(["a": 1, "b": 5])
    let follower = Follower(names(Player.where(\.score == 1)))
    await follower.wait(for: ["a"])
    try service.change("b") { $0.score = 6 }
    try service.change("b") { $0.name = "c" }
    try service.change("a") { $0.name = "z" }
    await follower.wait(for: ["z"])
    #expect(follower.values == [["a"], ["z"]])
    #expect(service.liveMetrics.concerned == 1)
  }

  @Test func aLimitHoldsAMarginAndAsksOnlyBehindIt() async throws {
    try service.writeSync { context in
      for score in 0..<100 { _ = Player.make("p\(score)", score, in: context.managedObjectContext) }
    }.get()
    let follower = Follower(names(Player.sorted(by: \.score).limit(3)))
    await follower.wait(for: ["p0", "p1", "p2"])
    for score in 0..<10 {
      try service.change("p\(score)") { $0.score = 1_000 }
      await follower.wait(for: (score + 1..<score + 4).map { "p\($0)" })
    }
    #expect(service.liveMetrics.askedAgain == 0)
    for score in 10..<40 { try service.change("p\(score)") { $0.score = 1_000 } }
    await follower.wait(for: ["p40", "p41", "p42"])
    #expect((1...3).contains(service.liveMetrics.askedAgain))
  }

  @Test func aCountFollows() async throws {
    try service.add(["a": 1, "b": 5])
    let all = Follower(service.observe(count: Player.request))
    let some = Follower(service.observe(count: Player.where(\.score > 3)))
    await all.wait(for: 2)
    await some.wait(for: 1)
    try service.add(["c": 7])
    await all.wait(for: 3)
    await some.wait(for: 2)
    try service.change("b") { $0.score = 0 }
    await some.wait(for: 1)
    #expect(all.values == [2, 3])
    try service.reset()
    await all.wait(for: 0)
    await some.wait(for: 0)
  }

  @Test func anObjectIsFollowedUntilItIsGone() async throws {
    try service.add(["a": 1, "b": 2])
    let id = try #require(
      try service.readValue { try Player.first(where: \.name == "a", in: $0)?.objectID })
    let follower = Follower(service.observe(object: id, as: Player.self, mapping: \.score))
    await follower.wait(for: 1)
    try service.change("b") { $0.score = 9 }
    try service.change("a") { $0.score = 3 }
    await follower.wait(for: 3)
    try service.writeSync { Player.deleteAll(where: \.name == "a", in: $0) }.get()
    await follower.wait(for: Int?.none)
    #expect(follower.values == [1, 3, Int?.none])
  }

  @Test func aMappingIsToldOfEverythingThatItReads() async throws {
    try service.add("a", 1, to: "red")
    let teams = Follower(
      service.observe(Player.request, mapping: { $0.map { $0.team?.name ?? "-" } }))
    let sizes = Follower(service.observe(Team.request, mapping: { $0.map(\.players.count) }))
    await teams.wait(for: ["red"])
    await sizes.wait(for: [1])
    try service.writeSync { Team.first(in: $0)?.name = "blue" }.get()
    await teams.wait(for: ["blue"])
    try service.writeSync { context in
      Player.make("b", 2, in: context.managedObjectContext).team = Team.first(in: context)
    }.get()
    await sizes.wait(for: [2])
    await teams.wait(for: ["blue", "blue"])
  }

  @Test func severalRequestsAreOfOnePoint() async throws {
    try service.add(["a": 0])
    let both = Follower(
      service.observe(
        Player.where(\.score == 0), Player.where(\.score == 1), Team.request,
        mapping: { $0.count + $1.count + $2.count }))
    await both.wait(for: 1)
    for number in 1...200 { try service.change("a") { $0.score = number % 2 } }
    try service.writeSync { _ = Team.create(in: $0) }.get()
    await both.wait(for: 2)
    // The player is in exactly one of the results at each point of the order of writes.
    #expect(Set(both.values) == [1, 2])
  }

  @Test func aSlowConsumerGetsTheNewestValue() async throws {
    try service.add(["a": 0])
    var scores = service.observe(Player.request, mapping: { $0.map(\.score) }).makeAsyncIterator()
    #expect(try await scores.next() == [0])
    for number in 1...1_000 { try service.change("a") { $0.score = number } }
    var seen: [Int] = []
    while seen.last != 1_000 { seen += try await scores.next() ?? [] }
    #expect(seen.count < 1_000)
    #expect(seen == seen.sorted())
  }

  @Test func originsNameAuthorsAndContexts() async throws {
    try service.add(["a": 1])
    var changes = names(Player.request).changes.makeAsyncIterator()
    let first = try await changes.next()
    #expect(first?.origin == nil)
    try service.writeSync { context in
      context.managedObjectContext.transactionAuthor = "importer"
      Player.first(in: context)?.name = "b"
    }.get()
    let second = try await changes.next()
    #expect(second?.value == ["b"])
    #expect(second?.origin?.authors == ["importer"])
    #expect(second?.origin?.isOfAnotherProcess == false)
  }

  @Test func differencesLeadFromValueToValue() async throws {
    try service.add(["a": 1, "b": 2])
    var steps = names(Player.sorted(by: \.score)).differences.makeAsyncIterator()
    var shown: [String] = []
    while shown != ["a", "b"] {
      let step = try #require(try await steps.next())
      shown = try #require(shown.applying(step.difference))
    }
    try service.change("a") { $0.score = 3 }
    let step = try #require(try await steps.next())
    #expect(shown.applying(step.difference) == ["b", "a"])
    #expect(step.difference.count == 2)
  }

  @Test func duplicatesCanBeLeftOut() async throws {
    try service.add(["a": 1, "b": 2])
    let follower = Follower(
      service.observe(Player.sorted(by: \.name), mapping: { $0.map(\.name) }).removingDuplicates())
    await follower.wait(for: ["a", "b"])
    for score in 3...10 { try service.change("a") { $0.score = score } }
    try service.change("a") { $0.name = "c" }
    await follower.wait(for: ["b", "c"])
    #expect(follower.values == [["a", "b"], ["b", "c"]])
  }

  // MARK: - Ends

  @Test func itEndsWithTheService() async throws {
    let closed = Follower(names(Player.request))
    await closed.wait(for: "a value") { !$0.values.isEmpty }
    try service.close()
    await closed.wait(for: "the end") { $0.hasEnded }
    #expect(closed.error == nil)

    var dropped: DALService? = try League.makeService()
    let follower = Follower(try #require(dropped).observe(count: Player.request))
    await follower.wait(for: 0)
    dropped = nil
    await follower.wait(for: "the end") { $0.hasEnded }
    #expect(follower.error == nil)
  }

  @Test func aCancelledTaskEndsItsLoop() async throws {
    let follower = Follower(names(Player.request))
    await follower.wait(for: "a value") { !$0.values.isEmpty }
    follower.cancel()
    await follower.wait(for: "the end") { $0.hasEnded }
    #expect(follower.error == nil)
    let service = service
    await follower.wait(for: "no observer") { _ in service.liveMetrics.observers == 0 }
  }

  @Test func leavingTheLoopEndsTheObservation() async throws {
    for try await _ in names(Player.request) { break }
    let service = service
    let other = Follower(service.observe(count: Player.request))
    await other.wait(for: "one observer") { _ in service.liveMetrics.observers == 1 }
  }

  // MARK: - Errors

  @Test func aMistakeIsThrownByName() async throws {
    let random = Player.request.sorted(by: "random()")
    await expect(names(random)) {
      if case .observation(.randomOrder("Player")) = $0 { true } else { false }
    }
    await expect(names(Player.where("nonsense = 1"))) {
      if case .predicate = $0 { true } else { false }
    }
    await expect(names(Player.limit(-1))) { if case .context = $0 { true } else { false } }
    let other = try League.makeService()
    try other.add(["a": 1])
    let foreign = try #require(try other.readValue { try Player.first(in: $0)?.objectID })
    await expect(service.observe(object: foreign, as: Player.self, mapping: \.name)) {
      if case .observation(.foreignObject(foreign)) = $0 { true } else { false }
    }
    await expect(other.observe(object: foreign, as: Team.self, mapping: \.name)) {
      if case .observation(.wrongClass(foreign, "Team")) = $0 { true } else { false }
    }
    var unsaved: ManagedObjectID?
    try service.writeSync { unsaved = Player.create(in: $0).objectID }.get()
    let id = try #require(unsaved)
    await expect(service.observe(object: id, as: Player.self, mapping: \.name)) {
      if case .observation(.unsavedObject(id)) = $0 { true } else { false }
    }
  }

  @Test func anErrorOfTheMappingEndsTheSequence() async throws {
    struct Refused: Error {}
    try service.add(["a": 1])
    let follower = Follower(
      service.observe(Player.request) { players in
        if players.contains(where: { $0.score > 5 }) { throw Refused() }
        return players.count
      })
    await follower.wait(for: 1)
    try service.change("a") { $0.score = 6 }
    await follower.wait(for: "the error") { $0.error != nil }
    #expect(follower.error?.blockError is Refused)
    #expect(follower.values == [1])
  }

  @Test func aMappingMustNotChangeObjects() async throws {
    try service.add(["a": 1])
    let wrong = service.observe(Player.request) { for player in $0 { player.score = 2 } }
    await expect(wrong) { if case .mutationInRead = $0 { true } else { false } }
  }

  @Test func aClosedServiceRefuses() async throws {
    try service.close()
    await expect(names(Player.request)) { if case .closed = $0 { true } else { false } }
  }

  private func expect<Value>(
    _ values: ObservedValues<Value>, _ location: SourceLocation = #_sourceLocation,
    _ isExpected: (DALError.Code) -> Bool
  ) async {
    var iterator = values.makeAsyncIterator()
    do throws(DALError) {
      let value = try await iterator.next()
      Issue.record("There was \(String(describing: value)).", sourceLocation: location)
    } catch {
      #expect(isExpected(error.code), "\(error)", sourceLocation: location)
    }
  }
}
