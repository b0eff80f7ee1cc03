// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// What users of other libraries' observations expect, written anew.
@Suite(.timeLimit(.minutes(60))) struct ObservedSequenceConcurrencyTests {
  private struct Refused: Error {}
  private let service: DALService

  init() throws { service = try League.makeService() }

  private func names(_ request: TypedRequest<Player> = Player.sorted(by: \.name)) -> ObservedValues<
    [String]
  > { service.observe(request, mapping: { $0.map(\.name) }) }

  @Test func anEmptyResultIsAValue() async throws {
    var values = names().makeAsyncIterator()
    #expect(try await values.next() == [])
    try service.add(["a": 1])
    #expect(try await values.next() == ["a"])
    try service.writeSync { Player.deleteAll(in: $0) }.get()
    #expect(try await values.next() == [])
  }

  @Test func anErrorInTheFirstValueIsThrown() async throws {
    let follower = Follower(
      service.observe(Player.request, mapping: { _ throws -> Int in throw Refused() }))
    await follower.wait(for: "the error") { $0.error != nil }
    #expect(follower.values.isEmpty)
  }

  @Test func nothingFollowsAnError() async throws {
    try service.add(["a": 1])
    var values = service.observe(Player.request) { players throws -> Int in
      if players.count == 2 { throw Refused() }
      return players.count
    }.makeAsyncIterator()
    #expect(try await values.next() == 1)
    try service.add(["b": 1])
    await #expect(throws: DALError.self) { try await values.next() }
    try service.add(["c": 1])
    #expect(try await values.next() == nil)
    #expect(service.liveMetrics.observers == 0)
  }

  @Test func aWriteThatIsGivenUpIsNoChange() async throws {
    try service.add(["a": 1])
    let follower = Follower(names())
    await follower.wait(for: ["a"])
    #expect(throws: DALError.self) {
      try service.writeSync { context in
        Player.create(in: context).name = "b"
        throw Refused()
      }.get()
    }
    try service.add(["c": 1])
    await follower.wait(for: ["a", "c"])
    #expect(follower.values == [["a"], ["a", "c"]])
  }

  @Test func aWriteOfManyChangesIsOneStep() async throws {
    let follower = Follower(names())
    await follower.wait(for: [])
    try service.writeSync { context in
      for name in ["a", "b", "c"] { Player.create(in: context).name = name }
      Player.deleteAll(where: \.name == "b", in: context)
    }.get()
    await follower.wait(for: ["a", "c"])
    #expect(follower.values == [[], ["a", "c"]])
  }

  @Test func eachLoopObservesByItself() async throws {
    let values = names()
    let early = Follower(values)
    await early.wait(for: [])
    try service.add(["a": 1])
    await early.wait(for: ["a"])
    let late = Follower(values)
    await late.wait(for: ["a"])
    try service.add(["b": 1])
    await late.wait(for: ["a", "b"])
    await early.wait(for: ["a", "b"])
    #expect(late.values.first == ["a"])
  }

  @Test func theFirstValueHasEveryWriteThatHasReturned() async throws {
    for number in 0..<50 {
      try service.add(["p": number])
      var count = service.observe(count: Player.request).makeAsyncIterator()
      #expect(try await count.next() == number + 1)
    }
  }

  @Test func aConsumerMayWrite() async throws {
    var last = -1
    for try await count in service.observe(count: Player.request) {
      last = count
      if count == 20 { break }
      try service.add(["p": count])
    }
    #expect(last == 20)
  }

  @Test func anObjectThatComesBackIsFollowedAgain() async throws {
    let follower = Follower(
      service.observe(Player.where(\.name == "a").limit(1), mapping: { $0.first?.score }))
    await follower.wait(for: Int?.none)
    try service.add(["a": 1])
    await follower.wait(for: 1)
    try service.change("a") { $0.name = "b" }
    await follower.wait(for: Int?.none)
    try service.change("b") { $0.name = "a" }
    await follower.wait(for: 1)
  }

  @Test func manyWritersLeadToTheEnd() async throws {
    let service = service
    let followers = (0..<10).map { score in
      Follower(service.observe(count: Player.where(\.score == score)))
    }
    await withTaskGroup { group in
      for writer in 0..<10 {
        group.addTask {
          for number in 0..<25 {
            do {
              try await service.write { _ = Player.make("p", (writer + number) % 10, in: $0) }
            } catch {
              Issue.record("\(error)")
            }
          }
        }
      }
    }
    for follower in followers { await follower.wait(for: 25) }
  }

  @Test func aSubentityBelongsToTheResultOfItsSuperentity() async throws {
    let follower = Follower(names(Player.where(\.score == 3)))
    await follower.wait(for: [])
    try service.writeSync { context in
      let keeper = League.Goalkeeper.create(in: context)
      (keeper.name, keeper.score) = ("k", 3)
    }.get()
    await follower.wait(for: ["k"])
  }

  @Test func aFileWithoutHistoryIsAskedAgainAfterCommitsOfOthers() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("observed-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // `try?`, because a folder that stays in the system's temporary folder harms no test.
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("League.sqlite")
    let ours = DALService(sqlite: file, entities: League.entities)
    let theirs = DALService(sqlite: file, entities: League.entities)
    let follower = Follower(
      ours.observe(Player.sorted(by: \.name), mapping: { $0.map(\.name) }).changes)
    await follower.wait(for: "the first value") { $0.last?.value == [] }
    try theirs.writeSync(durability: .immediate) { Player.create(in: $0).name = "a" }.get()
    await follower.wait(for: "a") { $0.last?.value == ["a"] }
    try ours.close()
    try theirs.close()
  }

  @Test func aFileWithoutALogIsAskedForEachValue() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("observed-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // `try?`, because a folder that stays in the system's temporary folder harms no test.
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("League.sqlite")
    try DALService(sqlite: file, entities: League.entities).close()
    // Two bytes of the header name the journal: 2 is a log, and 1 is none.
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: 18)
    try handle.write(contentsOf: Data([1, 1]))
    try handle.close()
    let service = DALService(sqlite: file, entities: League.entities)
    let store = try #require(try service.stack().store as? any GenerationKeepingStore)
    #expect(!store.keepsGenerations)
    try service.add(["a": 1])
    let follower = Follower(
      service.observe(
        Player.where(\.score == 1), mapping: { $0.map { "\($0.name) \($0.team?.name ?? "-")" } }))
    await follower.wait(for: ["a -"])
    try service.writeSync { context in
      let team = Team.create(in: context)
      team.name = "red"
      Player.first(in: context)?.team = team
    }.get()
    await follower.wait(for: ["a red"])
    try service.writeSync { Team.first(in: $0)?.name = "blue" }.get()
    await follower.wait(for: ["a blue"])
    try service.close()
  }
}
