// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades

extension Scenario {
  /// Writes ten notes, each on the disk before the next. The store moves its log after every few notes.
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

  /// Writes notes while the disk fails. The disk then recovers and gets every accepted note.
  func playRecovery(_ store: URL) throws {
    let service = NoteService(store)
    try service.add(1)
    acknowledge(1)
    faults_begin()
    for number in 2...8 {
      // try? because the loop below repeats a refused write, and an accepted one is committed later.
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
