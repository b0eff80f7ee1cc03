// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import SporadesCare
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Two readers that take turns. A reader that holds a state lets it go when the other one has begun a later read.
private final class ReaderRelay: Sendable {
  private struct State {
    var begun = [0, 0]
    var isStopped = false
    var failures: [StoreError] = []
  }
  private let state = Guarded(State())
  private let changes = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]

  /// The number of reads.
  var turns: Int { state.withLock { $0.begun[0] + $0.begun[1] } }

  var failures: [StoreError] { state.withLock { $0.failures } }

  func run(_ reader: Int, on store: SQLiteStore) {
    do throws(StoreError) { try takeTurns(reader, on: store) } catch {
      state.withLock { $0.failures.append(error) }
      stop()
    }
  }

  private func takeTurns(_ reader: Int, on store: SQLiteStore) throws(StoreError) {
    while !state.withLock({ $0.isStopped }) {
      let generation = try store.generation()
      let others = state.withLock { state in
        state.begun[reader] += 1
        return state.begun[1 - reader]
      }
      changes[1 - reader].signal()
      _ = try store.count(StoreFetch(Sample.shape("Tag")), in: .generation(generation))
      while state.withLock({ !$0.isStopped && $0.begun[1 - reader] == others }) {
        changes[reader].wait()
      }
    }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    for change in changes { change.signal() }
  }
}

@Suite struct WriteAheadLogTests {
  /// The background never finds a moment in which the log does not grow, and still the log does not
  /// grow for ever.
  @Test(arguments: [Durability.immediate, .eventual])
  func theLogIsBegunAnewWhileOneWritesWithoutRest(_ durability: Durability) throws {
    let path = Sample.temporaryPath()
    var options = SQLiteStoreOptions()
    options.checkpointFrames = 20
    let store = try SQLiteStore(path: path, model: Sample.model, options: options)
    let deadline = ContinuousClock.now + .seconds(3_600)
    var written = 0
    var beginnings: Set<[UInt8]> = []
    while beginnings.count < 5 {
      try #require(ContinuousClock.now < deadline, "The log was begun \(beginnings.count) times.")
      try addTag(to: store, durability)
      written += 1
      beginnings.insert(try beginning(ofLogOf: path))
    }
    #expect(try store.count(StoreFetch(Sample.shape("Tag")), in: .committed) == written)
    try store.close()
    let again = try SQLiteStore(path: path, model: Sample.model)
    #expect(try again.count(StoreFetch(Sample.shape("Tag")), in: .committed) == written)
    #expect(try again.integrityProblems() == [])
  }

  /// There is a reader at every moment, because each holds its state until the other one shows a later state.
  @Test(arguments: [Durability.immediate, .eventual])
  func theLogIsBegunAnewWhileReadersOverlap(_ durability: Durability) throws {
    let path = Sample.temporaryPath()
    var options = SQLiteStoreOptions()
    options.checkpointFrames = 20
    let store = try SQLiteStore(path: path, model: Sample.model, options: options)
    try addTag(to: store, durability)
    let relay = ReaderRelay()
    let threads = DispatchGroup()
    for reader in 0..<2 {
      DispatchQueue(label: "reader").async(group: threads) { relay.run(reader, on: store) }
    }
    let deadline = ContinuousClock.now + .seconds(3_600)
    var beginnings: Set<[UInt8]> = []
    var longest: UInt64 = 0
    while beginnings.count < 5, ContinuousClock.now < deadline {
      try addTag(to: store, durability)
      beginnings.insert(try beginning(ofLogOf: path))
      longest = max(longest, try length(ofLogOf: path))
    }
    relay.stop()
    threads.wait()
    #expect(relay.failures.isEmpty)
    #expect(beginnings.count == 5)
    // A wait that a busy machine makes too long is followed by the next one at twice the length.
    #expect(longest < 4_000 * 4_120)
    #expect(relay.turns > 2, "The readers took no turns.")
    try store.close()
    #expect(try SQLiteStore(path: path, model: Sample.model).integrityProblems() == [])
  }

  private func addTag(to store: SQLiteStore, _ durability: Durability) throws {
    let keys = try store.reserveKeys(1, for: Sample.shape("Tag"))
    try store.execute(ChangeSet(inserted: [Sample.page("Tag", keys.map { ($0, [:]) })]))
    try store.commit(durability)
  }

  private func length(ofLogOf path: String) throws -> UInt64 {
    let log = try FileHandle(forReadingFrom: URL(fileURLWithPath: path + "-wal"))
    defer { try? log.close() }
    return try log.seekToEnd()
  }

  /// The number in the log's header that SQLite raises each time it begins the log anew.
  private func beginning(ofLogOf path: String) throws -> [UInt8] {
    let log = try FileHandle(forReadingFrom: URL(fileURLWithPath: path + "-wal"))
    defer { try? log.close() }
    return Array(try #require(try log.read(upToCount: 16))[12...])
  }
}
