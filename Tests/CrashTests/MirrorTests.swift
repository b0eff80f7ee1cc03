// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The tests kill the example `Mirror` at random moments while one process writes and another follows the history.
///
/// `SPORADES_MIRROR_KILLS` is the number of kills, and `SPORADES_CRASH_SEED` chooses the moments. Do not run under Thread
/// Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized, .timeLimit(.minutes(60))) struct MirrorTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let kills = environment["SPORADES_MIRROR_KILLS"].flatMap { Int($0) } ?? 20
  private static let seed = environment["SPORADES_CRASH_SEED"].flatMap { UInt64($0) } ?? 1
  private static let killsPerComparison = 4

  private let folder: URL
  private var store: String { folder.appendingPathComponent("Notes.sqlite").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("mirror-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func text(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// The number of the last save that a text file shows, and its lines.
  private func page(_ name: String) throws -> (transaction: Int, lines: [String]) {
    let all = try String(contentsOfFile: text(name), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // A file that was written in part has no line feed at its end.
    #expect(all.last == "")
    let number = try #require(all.first.flatMap { Int($0.dropFirst("transaction ".count)) })
    return (number, Array(all.dropFirst().dropLast()))
  }

  /// Brings a text file up to date, and compares each of its lines with the notes.
  private func compare(_ name: String, _ moment: String) async throws -> [String] {
    let said = try await ExampleProcess.run("Mirror", ["follow", store, text(name), "--once"])
    let lines = try page(name).lines
    #expect(lines == (try await ExampleProcess.run("Mirror", ["list", store])), "\(moment)")
    return said
  }

  @Test func aMirrorThatIsKilledMissesNothingAndDoesNothingTwice() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var random = KillMoments(state: Self.seed)
    var (compared, last) = (0, 0)
    _ = try await ExampleProcess.run("Mirror", ["write", store, "30", "\(Self.seed)"])
    // The reader that stays away is known to the store.
    _ = try await compare("Away.txt", "first")
    for kill in 1...Self.kills {
      let moment = "kill \(kill) of seed \(Self.seed)"
      let writer = try ExampleProcess(
        "Mirror", ["write", store, "60", "\(random.next() % 1_000_000)"])
      let mirror = try ExampleProcess("Mirror", ["follow", store, text("Mirror.txt")])
      let heard = await mirror.lines(Int(random.next() % 12))
      random.wait(microseconds: 3_000)
      mirror.kill()
      // One time in three, the writer dies, too.
      if kill.isMultiple(of: 3) { writer.kill() }
      let numbers = (heard + (await mirror.rest())).compactMap { Int($0) }
      await mirror.status()
      let status = await writer.status()
      #expect(kill.isMultiple(of: 3) || status == 0, "\(moment)")
      #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count, "\(moment)")
      #expect((numbers.first ?? .max) > last, "\(moment)")
      // A program that said a number has replaced the file before.
      if FileManager.default.fileExists(atPath: text("Mirror.txt")) {
        let shown = try page("Mirror.txt").transaction
        #expect(shown >= max(last, numbers.last ?? 0), "\(moment)")
        last = shown
      }
      guard kill.isMultiple(of: Self.killsPerComparison) || kill == Self.kills else { continue }
      let said = try await compare("Mirror.txt", moment)
      #expect(!said.contains { $0.hasPrefix("read anew") }, "\(moment)")
      last = try page("Mirror.txt").transaction
      compared += try page("Mirror.txt").lines.count
      if kill == Self.kills / 2 / 4 * 4 { try await clean(moment) }
    }
    print("\(Self.kills) kills, \(last) transactions, \(compared) lines compared")
    #expect(compared > Self.kills)
  }

  /// Deletes what the reader has not seen that is away. It comes back, and reads all notes anew.
  private func clean(_ moment: String) async throws {
    let cleaned = try await ExampleProcess.run("Mirror", ["clean", store, "3"])
    #expect(cleaned.count == 1 && cleaned != ["deleted 0 transactions"], "\(moment)")
    let said = try await compare("Away.txt", moment)
    #expect(said.contains { $0.hasPrefix("read anew") }, "\(moment)")
  }
}
