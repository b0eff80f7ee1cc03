// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades
import SporadesContainers

extension Scenario {
  /// Commits to two and three stores. Each commit leaves a state that `SeveralStoresFaultTests` knows.
  func playSeveralStores(_ store: URL) throws {
    let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel([Note.self]))
    for number in 1...3 {
      let file = store.deletingLastPathComponent().appendingPathComponent("Notes\(number).sqlite")
      try coordinator.addPersistentStore(SQLiteStore(url: file, model: coordinator.model))
    }
    let stores = coordinator.persistentStores
    let service = NoteService { DataStack(store: coordinator, classes: [Note.self]) }
    func write(_ durability: Durability, _ body: (ReportingContext) throws -> Void) throws {
      try service.writeSync(durability: durability) { try body($0) }.get()
    }
    func add(_ number: Int, to places: Int..., in context: ReportingContext) throws {
      for place in places {
        let note = Note.create(in: context)
        note.number = number
        note.photo =
          place == 1 ? Data(repeating: UInt8(number), count: 120_000 + number) : nil
        try context.managedObjectContext.assign(note, to: stores[place])
      }
    }
    faults_begin()
    // 1: two stores, for the first time.
    try write(.immediate) { try add(1, to: 0, 1, in: $0) }
    acknowledge(1)
    // 2: all stores, a commit behind a write to the second alone.
    try write(.eventual) { try add(20, to: 1, in: $0) }
    try write(.immediate) { try add(2, to: 0, 1, 2, in: $0) }
    acknowledge(2)
    // 3: an eventual write that a flush commits. The first store has no part.
    try write(.eventual) { try add(3, to: 1, 2, in: $0) }
    let report = service.flush()
    if report.errors.isEmpty && report.lostCount == 0 { acknowledge(3) }
    // 4: changes and deletions in all stores.
    try write(.immediate) { context in
      for note in Note.all(in: context) {
        if note.number == 2 { note.delete(in: context) } else { note.number += 100 }
      }
    }
    acknowledge(4)
    try service.close()
  }
}
