// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades

extension Scenario {
  /// Photos are added, changed and taken away, some with commits that wait for the disk and some with
  /// commits that do not.
  func playLargeValues(_ store: URL) throws {
    faults_begin()
    let service = NoteService(store)
    try service.add(1, Self.photo(1))
    acknowledge(1)
    try service.change(1, Self.photo(11))
    try service.add(2, Self.photo(2))
    acknowledge(2)
    try service.change(2, Self.photo(12))
    try service.change(1, nil)
    // In the background, dropped files go once the log is synced.
    for error in service.flush(within: .seconds(30)).errors { say("failed \(error)") }
    try service.add(3, Self.photo(3))
    acknowledge(3)
    try service.close()
  }

  /// Bytes that tell their number, too many for a row.
  private static func photo(_ number: UInt8) -> Data { Data(repeating: number, count: 120_000) }
}

extension NoteService {
  /// Gives a note another photo, and does not wait for the disk.
  fileprivate func change(_ number: Int, _ photo: Data?) throws {
    try writeSync { context in
      Note.first(where: \.number == number, in: context)?.photo = photo
    }.get()
  }
}
