// SPDX-License-Identifier: MIT
import Foundation
import Sporades

extension Scenario {
  /// Writes without rest until as many as `writers` have done their share, this process among them. A
  /// write that fails ends the scenario, for all.
  func playContention(_ store: URL, among writers: Int) throws {
    let meeting = Meeting(store, writers)
    let service = NoteService(store)
    do {
      var count = 0
      while !meeting.isOver {
        count += 1
        try service.writeSync { Note.create(in: $0).number = count }.get()
        if count == Self.share { try meeting.leaveMark("done") }
      }
      acknowledge(count)
      try service.close()
    } catch {
      try meeting.leaveMark("failed")
      throw error
    }
  }

  /// Some twenty transactions, at a hundred writes each.
  private static let share = 2_000
}

/// Files in the folder of the store, by which processes tell each other that they are done.
private struct Meeting {
  private let folder: URL
  private let writers: Int

  init(_ store: URL, _ writers: Int) {
    folder = store.deletingLastPathComponent()
    self.writers = writers
  }

  var isOver: Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.contains { $0.hasSuffix(".failed") }
      || names.filter { $0.hasSuffix(".done") }.count >= writers
  }

  func leaveMark(_ kind: String) throws {
    try Data().write(to: folder.appendingPathComponent("\(getpid()).\(kind)"))
  }
}
