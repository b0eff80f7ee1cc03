// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import Testing

/// A copy of the journal's entity. The journal's file must fit it.
@Entity final class Entry: ManagedObject {
  var number: Int = 0
  var text: String = ""
}

/// A store in its own folder, with the lines that it holds.
final class JournalFile {
  let folder: URL
  let store: URL
  private(set) var entries: [String] = []
  private var random: SplitMix

  init(seed: UInt64) throws {
    random = SplitMix(state: seed)
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("journal-\(UUID().uuidString)")
    store = folder.appendingPathComponent("Journal.sqlite")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Returns distinct lines of many lengths.
  func lines(_ count: Int, round: Int) -> [String] {
    (0..<count).map { number in
      let length = random.next() % 50 == 0 ? Int(random.next() % 9_000) : Int(random.next() % 60)
      return "\(round).\(number) " + String(repeating: "é", count: length)
    }
  }

  func stop(by signal: Int32, of count: Int) -> Stop {
    Stop(
      signal: signal, afterConfirmed: Int(random.next() % UInt64(count)),
      microseconds: Int(random.next() % 3_000))
  }

  /// Expects a whole store with its former lines and then the first of `lines`. Returns the number of new lines.
  func take(_ lines: [String], _ stop: Stop) async throws -> Int {
    let (found, status) = try await JournalProcess.list(store)
    guard status == 0 else {
      // The process was killed before it made the store, so it has written nothing.
      #expect(status == 74 && entries.isEmpty, "\(stop)")
      return 0
    }
    #expect(Array(found.prefix(entries.count)) == entries, "\(stop)")
    let new = Array(found.dropFirst(entries.count))
    #expect(new == Array(lines.prefix(new.count)), "\(stop)")
    #expect(try problems() == [], "\(stop)")
    entries = found
    return new.count
  }

  private func problems() throws -> [String] {
    let stack = try DataStack(sqlite: store, entities: [Entry.self])
    defer { try? stack.store.close() }
    return try stack.store.integrityProblems()
  }
}

/// Random numbers from a seed, so that a failure can be repeated.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
