// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades

extension Scenario {
  /// Adds, changes and removes photos. Some commits wait for the disk, and others do not.
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
    // The store removes dropped files in the background after it has synced the log.
    for error in service.flush(within: .seconds(30)).errors { say("failed \(error)") }
    try service.add(3, Self.photo(3))
    acknowledge(3)
    try service.close()
  }

  /// Returns bytes that contain their number, and are too many for a row.
  private static func photo(_ number: UInt8) -> Data { Data(repeating: number, count: 120_000) }
}

extension NoteService {
  /// Changes the photo of a note, and does not wait for the disk.
  fileprivate func change(_ number: Int, _ photo: Data?) throws {
    try writeSync { context in
      Note.first(where: \.number == number, in: context)?.photo = photo
    }.get()
  }
}
