// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers

/// Saves notes with one title in each of two stores until the input ends. Prints `ok` for each save that is on the disk.
func playSharing(_ store: URL, number: Int) throws {
  let coordinator = PersistentStoreCoordinator(model: try ManagedObjectModel(Bank.classes))
  let second = store.deletingLastPathComponent().appendingPathComponent("Second.sqlite")
  for file in [store, second] {
    try coordinator.addPersistentStore(SQLiteStore(url: file, model: coordinator.model))
  }
  let stack = DataStack(store: coordinator, classes: Bank.classes)
  waitForWord()
  let stop = Stop()
  var count = 0
  while !stop.isSet {
    count += 1
    do {
      try stack.newContext().performAndWait { context in
        for store in coordinator.persistentStores {
          let note = Bank.Note.create(in: context)
          note.title = "\(number).\(count)"
          try context.assign(note, to: store)
        }
        context.durability = count % 3 == 0 ? .eventual : .immediate
        try context.save()
      }
      if count % 3 != 0 { say("ok") }
    } catch let error as StoreError where error.code == .busy {
      continue
    }
  }
  try coordinator.close()
  say("done")
}
