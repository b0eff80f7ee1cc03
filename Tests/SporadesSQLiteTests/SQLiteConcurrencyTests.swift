// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesSQLite
import SporadesStore
import Synchronization
import Testing

@Suite struct SQLiteConcurrencyTests {
  @Test func readersSeeWholeCommitsWhileOneThreadWrites() throws {
    var options = SQLiteStoreOptions()
    options.checkpointFrames = 20
    options.readerCount = 2
    let store = try SQLiteStore(
      path: Sample.temporaryPath(), model: Sample.model, options: options)
    let failures = Atomic<Int>(0)
    let fetch = StoreFetch(Sample.shape("Pet"))
    DispatchQueue.concurrentPerform(iterations: 5) { worker in
      do {
        var last = 0
        for round in 0..<60 {
          guard worker > 0 else {
            try writeTen(store)
            if round % 2 == 1 { try store.commit(round % 3 == 0 ? .immediate : .eventual) }
            continue
          }
          let view: StoreView = worker % 2 == 0 ? .accepted : .committed
          let count = try store.rows(fetch, in: view).reduce(0) { $0 + $1.count }
          // Commits take twenty rows, change sets ten.
          if count < last || count % (view == .committed ? 20 : 10) != 0 {
            failures.add(1, ordering: .relaxed)
          }
          last = count
        }
      } catch { failures.add(1, ordering: .relaxed) }
    }
    #expect(failures.load(ordering: .relaxed) == 0)
    #expect(try store.count(fetch, in: .committed) == 600)
    try store.close()
  }

  private func writeTen(_ store: SQLiteStore) throws {
    let keys = try store.reserveKeys(10, for: Sample.shape("Pet"))
    let page = Sample.page("Pet", keys.map { ($0, ["name": .string("Rex \($0)")]) })
    try store.execute(ChangeSet(inserted: [page]))
  }

  @Test func threadsNeverReserveAKeyTwice() throws {
    let store = try SQLiteStore(path: Sample.temporaryPath(), model: Sample.model)
    let seen = Guarded<Set<Int64>>([])
    let total = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for count in 1...40 {
        guard let keys = try? store.reserveKeys(count, for: Sample.shape("Pet")) else { continue }
        total.add(keys.count, ordering: .relaxed)
        seen.withLock { $0.formUnion(keys) }
      }
    }
    #expect(seen.withLock { $0.count } == total.load(ordering: .relaxed))
    #expect(total.load(ordering: .relaxed) == 4 * 820)
  }
}
