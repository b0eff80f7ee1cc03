// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import SporadesModel
import SporadesStore
import TestServer
import Testing

/// Every message between a store and its server is the last one of its connection once.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct CutConnectionTests {
  /// A way to cut, and the distances of further cuts, which meet the next connection.
  struct Walk: Sendable, CustomTestStringConvertible {
    let speaker: ServerProxy.Speaker
    var isDelivered = false
    var isHiddenFromServer = false
    var further: [Int] = []

    func cuts(at number: Int) -> [ServerProxy.Cut] {
      ([0] + further).map {
        ServerProxy.Cut(
          speaker, number + $0, isDelivered: isDelivered, isHiddenFromServer: isHiddenFromServer)
      }
    }

    var testDescription: String {
      "\(isDelivered ? "after" : "before") a message of the \(speaker)"
        + (isHiddenFromServer ? ", hidden from the server" : "")
        + (further.isEmpty ? "" : ", and again \(further) later")
    }
  }

  static let walks = [
    Walk(speaker: .client), Walk(speaker: .client, isDelivered: true), Walk(speaker: .server),
    Walk(speaker: .server, isDelivered: true), Walk(speaker: .client, further: [1]),
    Walk(speaker: .server, further: [4]), Walk(speaker: .client, isDelivered: true, further: [8]),
    Walk(speaker: .client, isHiddenFromServer: true), Walk(speaker: .server, further: [30]),
    Walk(speaker: .client, further: [8, 16]),
  ]

  /// The distance between two harmed messages. `SPORADES_FAULT_STEP` sets it for all walks.
  private static let step =
    ProcessInfo.processInfo.environment["SPORADES_FAULT_STEP"].flatMap { Int($0) } ?? 131

  @Test(arguments: walks.indices, CutWork.Setting.allCases)
  func eachWriteIsKeptOnceWhereverTheConnectionIsCut(
    _ index: Int, setting: CutWork.Setting
  ) throws {
    let walk = Self.walks[index]
    let proxy = try ServerProxy(to: try TestServer.shared.get())
    var number = 1 + index * 10 % Self.step
    while true {
      let (report, isOver) = try play(proxy, walk.cuts(at: number), setting)
      #expect(report.faults.isEmpty, "\(walk.cuts(at: number)): \(report)")
      guard isOver, proxy.cutsLeft <= walk.further.count else { break }
      // The setting of a shared connection comes between messages that the other settings harm, too.
      number += setting == .shared ? 3 * Self.step : Self.step
    }
    #expect(number > 200, "The work is over before it is cut.")
  }

  /// Plays the work with cuts. A work that hangs is left to itself, and the report says so.
  private func play(
    _ proxy: ServerProxy, _ cuts: [ServerProxy.Cut], _ setting: CutWork.Setting
  ) throws -> (CutWork.Report, isOver: Bool) {
    let place = try TestStore()
    let result = Guarded<CutWork.Report?>(nil)
    let end = DispatchSemaphore(value: 0)
    proxy.expect(cuts)
    Thread.detachNewThread {
      let work = CutWork(place, through: proxy, setting)
      var report: CutWork.Report
      do {
        try work.run()
        report = work.report
      } catch {
        report = work.report
        report.faults.append("The work ended: \(error)")
      }
      result.withLock { [report] in $0 = report }
      end.signal()
    }
    let isOver = end.wait(timeout: .now() + .seconds(60)) == .success
    let report = result.withLock(\.self) ?? CutWork.Report(faults: ["The work hangs."])
    return (report, isOver)
  }
}
