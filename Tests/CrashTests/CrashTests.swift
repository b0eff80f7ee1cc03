// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The tests stop and kill the example `Journal` at random moments while it reads lines.
///
/// `SPORADES_CRASH_ROUNDS` is the number of rounds per case, and `SPORADES_CRASH_SEED` chooses the moments. Do not
/// run under Thread Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized) struct CrashTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let rounds = environment["SPORADES_CRASH_ROUNDS"].flatMap { Int($0) } ?? 4
  private static let seed = environment["SPORADES_CRASH_SEED"].flatMap { UInt64($0) } ?? 1
  private static let linesPerRound = 2_000

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP], ["eventual", "immediate"])
  func keepsWhatItConfirmedBeforeASignal(_ signal: Int32, _ durability: String) async throws {
    let file = try JournalFile(seed: Self.seed &+ UInt64(signal))
    for round in 0..<Self.rounds {
      let lines = file.lines(Self.linesPerRound, round: round)
      let stop = file.stop(by: signal, of: Self.linesPerRound * 9 / 10)
      let run = try await JournalProcess.run(
        ["--store", file.store.path, "--durability", durability], feeding: lines, stop: stop)
      #expect(run.unexpected == [], "\(stop)")
      #expect(run.errors == "", "\(stop)")
      let kept = try await file.take(lines, stop)
      #expect(kept >= run.confirmed, "\(stop)")
      // The signal came before the program listened.
      if run.flushed == nil, run.confirmed == 0 { continue }
      #expect(run.flushed == run.confirmed, "\(stop)")
      let hasEnded = run.confirmed == lines.count && run.status == 0
      #expect(hasEnded || (run.wasSignalled && run.status == signal), "\(stop)")
    }
    #expect(file.entries.count > Self.rounds)
  }

  @Test func keepsEveryImmediateWriteWhenItIsKilled() async throws {
    let file = try JournalFile(seed: Self.seed &+ 100)
    for round in 0..<Self.rounds {
      let lines = file.lines(Self.linesPerRound, round: round)
      let stop = file.stop(by: SIGKILL, of: Self.linesPerRound)
      let run = try await JournalProcess.run(
        ["--store", file.store.path, "--durability", "immediate"], feeding: lines, stop: stop)
      let kept = try await file.take(lines, stop)
      #expect(kept >= run.confirmed, "\(stop)")
    }
    #expect(file.entries.count > Self.rounds)
  }

  @Test func keepsAPrefixOfTheEventualWritesWhenItIsKilled() async throws {
    let file = try JournalFile(seed: Self.seed &+ 200)
    for round in 0..<Self.rounds {
      let lines = file.lines(Self.linesPerRound, round: round)
      let stop = file.stop(by: SIGKILL, of: Self.linesPerRound)
      _ = try await JournalProcess.run(
        ["--store", file.store.path], feeding: lines, stop: stop)
      // `take` checks that the entries are the first lines.
      _ = try await file.take(lines, stop)
    }
    #expect(file.entries.count > Self.rounds)
  }

  @Test func losesNothingWhenASignalMeetsTheEndOfTheInput() async throws {
    let file = try JournalFile(seed: Self.seed &+ 300)
    for round in 0..<(Self.rounds * 4) {
      let lines = file.lines(40, round: round)
      let stop = file.stop(by: SIGTERM, of: 1)
      let late = Stop(signal: SIGTERM, afterConfirmed: 40, microseconds: stop.microseconds / 2)
      let run = try await JournalProcess.run(
        ["--store", file.store.path], feeding: lines, stop: late)
      #expect(run.confirmed == 40 && run.flushed == 40 && run.unexpected == [], "\(late)")
      #expect(try await file.take(lines, late) == 40, "\(late)")
    }
  }

  @Test func keepsLinesOfEveryKind() async throws {
    let file = try JournalFile(seed: Self.seed)
    let lines = [
      "", " ", "\r", "tab\tand 'quotes'; --", String(repeating: "long ", count: 200_000), "𝄞",
    ]
    let stop = Stop(signal: 0, afterConfirmed: .max, microseconds: 0)
    let run = try await JournalProcess.run(
      ["--store", file.store.path], feeding: lines, stop: stop)
    #expect(run.flushed == lines.count)
    #expect(run.status == 0)
    #expect(!run.wasSignalled)
    #expect(try await file.take(lines, stop) == lines.count)
  }

  @Test(arguments: [
    [], ["--store"], ["--list"], ["--store", "x", "--durability"], ["--store", "x", "extra"],
    ["--store", "x", "--durability", "never"],
  ])
  func explainsWrongUsage(_ arguments: [String]) async throws {
    let run = try await JournalProcess.run(arguments)
    #expect(run.status == 64)
    #expect(run.errors.contains("usage: Journal"))
  }
}
