// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesExplaining
import SporadesGraph
import Testing

/// Reports of slow fetches, each in a process of its own: the process has one threshold.
struct SlowFetchTests {
  private static func stack(_ folder: TemporaryFolder) throws -> DataStack {
    try RecordingService.at(folder.file("store.sqlite")).stack()
  }

  @Test func aSlowFetchIsReportedWithItsPlan() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let reports = Guarded<[SlowFetch]>([])
      SlowFetches.report(over: .zero) { slow in reports.withLock { $0.append(slow) } }
      try Self.stack(folder).main.performAndWait { context in
        _ = try context.fetch(FetchRequest("Member", where: .equals("badge", "slow")))
        _ = try context.count(FetchRequest("Member", where: .equals("lastname", "slow")))
        _ = try context.fetchDictionaries(
          FetchRequest("Member", where: .equals("lastname", "slow")))
        _ = try Member.where(\.lastname == "slow").pluck(\.count, in: context)
        _ = try Member.where(\.lastname == "slow").grouped(by: \.count) { $0.count }
          .fetch(in: context)
      }
      let slow = reports.withLock { $0 }
      #expect(slow.map(\.rows) == [0, 1, 0, 0, 0])
      #expect(slow.map { $0.plan?.isServedByIndexes } == [true, false, false, false, false])
      #expect("\(try #require(slow.first))".hasPrefix("A fetch of Member where "))
    }
  }

  @Test func aFastFetchIsNotReported() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let count = Guarded(0)
      SlowFetches.report(over: .seconds(100_000)) { _ in count.withLock { $0 += 1 } }
      try Self.stack(folder).main.performAndWait { context in
        _ = try context.fetch(FetchRequest("Member", where: .equals("badge", "fast")))
      }
      #expect(count.withLock { $0 } == 0)
    }
  }
}
