// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore
import Testing

@testable import SporadesSQLite

/// The states that the cache knows, and the rows that each may take and leave.
@Suite struct RowCacheTests {
  private let cache = RowCache(byteCount: 1 << 20)
  private let file = SharedItems()

  /// The states of a file after so many commits.
  private func states(_ count: Int) throws -> [LogState] {
    let store = try file.filled(10)
    let states = try (0..<count).map { number in
      try store.put(SharedItems.Item(key: 1, version: Int64(number) + 2))
      return try #require(store.writer.state.withLock { LogState(of: $0.connection) })
    }
    try store.close()
    return states
  }

  private func keep(_ keys: [Int64], _ number: Int) -> Bool {
    let page = SharedItems.page(keys.map { SharedItems.Item(key: $0) })
    return cache.keep([page], from: number) != nil
  }

  private func has(_ key: Int64, _ number: Int) -> Bool {
    var builder = RowPageBuilder(layout: SharedItems.shape.layout)
    return cache.take([SharedItems.key(key)], in: number, into: &builder).isEmpty
  }

  @Test func anAnnouncedCommitTakesItsRowsOut() throws {
    let states = try states(2)
    let first = try #require(cache.number(of: states[0]) { true })
    #expect(keep([1, 2], first))
    cache.willCommit(from: states[0], changing: [1])
    // The readers of the state before still have their number, and leave nothing any more.
    #expect(cache.number(of: states[0]) { true } == first)
    #expect(cache.number(of: states[1]) { true } == nil)
    #expect(!keep([1], first))
    #expect(!has(1, first) && has(2, first))
    cache.didCommit(states[1])
    let second = try #require(cache.number(of: states[1]) { true })
    #expect(second > first)
    #expect(!has(1, second) && has(2, second))
    #expect(keep([1], second))
    #expect(has(1, second) && !has(1, first))
  }

  @Test func anUnknownCommitEmptiesTheCache() throws {
    let states = try states(3)
    for (former, keys) in [(states[1], [] as [Int64]?), (states[0], nil), (nil, [])] {
      let first = try #require(cache.number(of: states[0]) { true })
      #expect(keep([1, 2], first))
      cache.willCommit(from: former, changing: keys)
      // Nobody knows yet whether the state is still the newest.
      #expect(cache.number(of: states[0]) { true } == nil)
      #expect(!keep([1], first) && !has(2, first))
      cache.didCommit(states[2])
      #expect(!has(2, try #require(cache.number(of: states[2]) { true })))
    }
  }

  @Test func aCommitWithUnknownOutcomeEmptiesTheCache() throws {
    let states = try states(2)
    let first = try #require(cache.number(of: states[0]) { true })
    #expect(keep([2], first))
    cache.willCommit(from: states[0], changing: [1])
    cache.didCommit(nil)
    let second = try #require(cache.number(of: states[0]) { true })
    #expect(second > first && !has(2, second) && !has(2, first))
  }

  @Test func onlyANewerStateTakesTheCacheOver() throws {
    let states = try states(2)
    let second = try #require(cache.number(of: states[1]) { true })
    #expect(keep([2], second))
    #expect(cache.number(of: states[0]) { false } == nil)
    #expect(has(2, second))
    #expect(cache.number(of: states[0]) { true } ?? 0 > second)
    #expect(!has(2, second))
  }

  @Test func aStateFollowsTheOneThatItsCommitBeganFrom() throws {
    let store = try file.filled(10)
    func state() throws -> LogState {
      try #require(store.writer.state.withLock { LogState(of: $0.connection) })
    }
    func frames() -> Int { store.writer.state.withLock { $0.connection.framesInLog } }
    let first = try state()
    #expect(try state() == first)
    try store.put(SharedItems.Item(key: 1, version: 2))
    let (second, count) = (try state(), frames())
    #expect(second.follows(first, byCommitting: count))
    #expect(!second.follows(first, byCommitting: count + 1))
    #expect(!second.follows(second, byCommitting: count))
    try file.run("UPDATE ZITEM SET ZVALUE = 1")
    #expect(try !state().follows(second, byCommitting: count))
    // The log begins anew, and may have as many frames as before.
    try file.run("PRAGMA wal_checkpoint(TRUNCATE); UPDATE ZITEM SET ZVALUE = 2")
    for frames in 0...count + 9 {
      #expect(try !state().follows(first, byCommitting: frames))
    }
    try store.close()
  }
}
