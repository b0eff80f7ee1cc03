// SPDX-License-Identifier: MIT
import Foundation
import Sporades

extension Scenario {
  /// Writes without a pause until all `writers`, this process among them, have done their share. A failed write ends
  /// the scenario for all processes.
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

  /// A share is about twenty transactions of a hundred writes.
  private static let share = 2_000
}

/// The files in the store's folder with which a process announces that it is done.
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
