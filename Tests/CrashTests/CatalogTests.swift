// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The tests kill the example `Catalog` at random moments while it writes and its search file follows.
///
/// `SPORADES_CATALOG_KILLS` is the number of kills per case, and `SPORADES_CRASH_SEED` chooses the moments. Do not run under
/// Thread Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized, .timeLimit(.minutes(60))) struct CatalogTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let kills = environment["SPORADES_CATALOG_KILLS"].flatMap { Int($0) } ?? 16
  private static let seed = environment["SPORADES_CRASH_SEED"].flatMap { UInt64($0) } ?? 1
  private static let killsPerComparison = 4

  private let folder: URL
  private var store: String { folder.appendingPathComponent("Shop.sqlite").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("catalog-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func index(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func run(_ words: String...) async throws -> [String] {
    try await ExampleProcess.run("Catalog", words)
  }

  /// Brings a search file up to date, and compares each of its items with the products. Returns their number, and the
  /// number of the last re-indexing.
  private func compare(
    _ index: String, _ moment: String
  ) async throws -> (count: Int, edition: String) {
    let edition = try await run("follow", store, index, "--once")
    let lines = try await run("show", index)
    #expect(lines == (try await run("list", store)), "\(moment)")
    #expect(edition.count == 1, "\(moment)")
    return (lines.count, edition.first ?? "")
  }

  /// One process writes and another follows; either is killed.
  @Test(arguments: ["Search", "Search.apart"])
  func aFollowerThatIsKilledMissesNothing(_ name: String) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var random = KillMoments(state: Self.seed)
    let index = index(name)
    var (compared, last) = (0, 0)
    _ = try await run("write", store, "60", "\(Self.seed)")
    for kill in 1...Self.kills {
      let moment = "kill \(kill) of seed \(Self.seed)"
      let writer = try ExampleProcess(
        "Catalog", ["write", store, "40", "\(random.next() % 1_000_000)"])
      let follower = try ExampleProcess("Catalog", ["follow", store, index])
      // A batch has the news of one save or of many, so that a slow machine hears of one batch alone.
      let heard = await follower.lines(Int(random.next() % 2))
      random.wait(microseconds: 20_000)
      follower.kill()
      // One time in three, the writer dies, too.
      if kill.isMultiple(of: 3) { writer.kill() }
      let numbers = (heard + (await follower.rest())).compactMap { Int($0) }
      await follower.status()
      let status = await writer.status()
      #expect(kill.isMultiple(of: 3) || status == 0, "\(moment)")
      #expect(numbers == numbers.sorted() && (numbers.first ?? .max) >= last, "\(moment)")
      last = max(last, numbers.last ?? 0)
      guard kill.isMultiple(of: Self.killsPerComparison) else { continue }
      let found = try await compare(index, moment)
      compared += found.count
      // No kill makes the index begin anew.
      #expect(found.edition == "edition 1", "\(moment)")
    }
    print("\(Self.kills) kills, \(last) transactions, \(compared) items compared")
    #expect(compared > Self.kills)
  }

  /// One process writes and follows. A kill takes the writes that are not committed, which the search file must not show.
  @Test func aFollowerShowsNothingThatAKillTakes() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var random = KillMoments(state: Self.seed &+ 1)
    let index = index("Search")
    var compared = 0
    for kill in 1...Self.kills {
      let moment = "kill \(kill) of seed \(Self.seed &+ 1)"
      let worker = try ExampleProcess(
        "Catalog", ["work", store, index, "100000", "\(random.next() % 1_000_000)"])
      let before = modified(index)
      let end = ContinuousClock.now + .seconds(3_600)
      while modified(index) == before {
        try #require(ContinuousClock.now < end, "\(moment)")
        await Task.yield()
      }
      random.wait(microseconds: 60_000)
      worker.kill()
      await worker.status()
      let found = try await compare(index, moment)
      #expect(found.edition == "edition 1", "\(moment)")
      compared += found.count
    }
    print("\(Self.kills) kills, \(compared) items compared")
    #expect(compared > Self.kills)
  }

  private func modified(_ file: String) -> Date? {
    // `try?`, because there is no file before the first batch.
    try? FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
  }

  /// The search file is filled anew, and a kill meets that, too.
  @Test func aRefillThatIsKilledGoesOn() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var random = KillMoments(state: Self.seed &+ 2)
    let index = index("Search")
    _ = try await run("write", store, "80", "\(Self.seed)")
    #expect(try await compare(index, "first").edition == "edition 1")
    for refill in 1...max(2, Self.kills / 4) {
      let moment = "refill \(refill) of seed \(Self.seed &+ 2)"
      _ = try await run("write", store, "20", "\(random.next() % 1_000_000)")
      let cleaned = try await run("clean", store, "3")
      #expect(cleaned.count == 1 && cleaned != ["deleted 0 transactions"], "\(moment)")
      for attempt in 0..<2 {
        // The follower before may have ended the refill. This one has a save to tell then.
        if attempt > 0 { _ = try await run("write", store, "1", "\(random.next() % 1_000_000)") }
        let follower = try ExampleProcess("Catalog", ["follow", store, index])
        _ = await follower.lines(Int(random.next() % 2))
        random.wait(microseconds: 4_000)
        follower.kill()
        _ = await follower.rest()
        await follower.status()
      }
      let found = try await compare(index, moment)
      #expect(found.edition == "edition \(refill + 1)", "\(moment)")
      #expect(found.count > 10, "\(moment)")
    }
  }
}
