// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades

extension Scenario {
  /// Ten notes, each on the disk before the next, in a store whose log is moved every few of them.
  func playSmallWrites(_ store: URL) throws {
    try writeNotes(store, through: 10) { _ in nil }
  }

  /// Six notes with photos of 150,000 bytes and more; every other one gets another photo, and the third
  /// loses its own.
  func playLargeValues(_ store: URL) throws {
    let service = try writeNotes(store, through: 6) { Self.photo($0, 0) }
    for number in 1...6 where number % 2 == 0 {
      try service.setPhoto(of: number, Self.photo(number, 1))
    }
    try service.setPhoto(of: 3, nil)
    try service.close()
  }

  private static func photo(_ number: Int, _ edition: Int) -> Data {
    Data(repeating: UInt8(number * 16 + edition), count: 150_000 + number)
  }

  @discardableResult
  private func writeNotes(
    _ store: URL, through last: Int, _ photo: (Int) -> Data?
  ) throws -> NoteService {
    var options = SQLiteStoreOptions()
    options.checkpointFrames = 12
    try NoteService(store, options).close()
    faults_begin()
    let service = NoteService(store, options)
    for number in 1...last {
      try service.add(number, photo(number))
      acknowledge(number)
    }
    return service
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
