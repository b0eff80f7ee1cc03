// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades

extension Scenario {
  /// Writes notes while the store can not move its log into the database, and again after it can.
  func playUpkeep(_ store: URL) throws {
    var options = SQLiteStoreOptions()
    options.checkpointFrames = 12
    let service = NoteService(store, options)
    try service.add(1)
    acknowledge(1)
    faults_begin()
    var number = 1
    try write(service, &number) { $0 != nil }
    say("upkeep \(service.metrics.upkeep.failures[.movingLog]?.reason ?? "works")")
    faults_heal()
    try write(service, &number) { $0 == nil }
    say("upkeep works")
    try service.close()
  }

  /// Adds notes until the upkeep satisfies the condition.
  private func write(
    _ service: NoteService, _ number: inout Int, until isDone: (StoreUpkeep.Failure?) -> Bool
  ) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while !isDone(service.metrics.upkeep.failures[.movingLog]) {
      guard ContinuousClock.now < deadline else { throw Late() }
      number += 1
      try service.add(number)
      acknowledge(number)
    }
  }

  private struct Late: Error {}
}
