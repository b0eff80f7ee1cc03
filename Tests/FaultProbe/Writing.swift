// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades

extension Scenario {
  /// Ten notes, each on the disk before the next, in a store whose log is moved every few of them.
  func playSmallWrites(_ store: URL) throws {
    var options = SQLiteStoreOptions()
    options.checkpointFrames = 12
    try NoteService(store, options).close()
    faults_begin()
    let service = NoteService(store, options)
    for number in 1...10 {
      try service.add(number)
      acknowledge(number)
    }
    try service.close()
  }

  /// The disk fails while notes are committed, recovers, and takes everything that was accepted.
  func playRecovery(_ store: URL) throws {
    let service = NoteService(store)
    try service.add(1)
    acknowledge(1)
    faults_begin()
    for number in 2...8 {
      // What is refused here was not accepted, or is committed later: it is asked for again below.
      try? service.add(number)
    }
    faults_heal()
    for number in 2...8 { try service.add(number) }
    let report = service.flush()
    guard report.isComplete else { throw Incomplete(report: "\(report)") }
    for number in 2...8 { acknowledge(number) }
    try service.close()
  }

  private struct Incomplete: Error { let report: String }
}
