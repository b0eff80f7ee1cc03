// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades

extension Scenario {
  /// Inserts, changes and removes notes by batches. Each is on the disk before the next.
  func playBatches(_ store: URL) throws {
    let service = NoteService(store)
    try service.execute(batch(1...40), durability: .immediate)
    faults_begin()
    try service.execute(batch(41...80), durability: .immediate)
    acknowledge(1)
    try service.execute(
      Note.request.update(\.number, to: \.number + 1_000), durability: .immediate)
    acknowledge(2)
    try service.execute(Note.where(\.number > 1_040).delete(), durability: .immediate)
    acknowledge(3)
    try service.close()
  }

  /// Notes of which every fourth has a photo that is too large for a row.
  private func batch(_ numbers: ClosedRange<Int>) -> BatchInsertRequest<Note> {
    BatchInsertRequest(Note.self, from: numbers) { note, number in
      note.number = number
      if number % 4 == 0 { note.photo = Data(repeating: UInt8(number), count: 120_000) }
    }
  }
}
