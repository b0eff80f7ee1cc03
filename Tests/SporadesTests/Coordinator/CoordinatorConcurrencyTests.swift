// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesContainers
import SporadesGraph
import Testing

/// Stores migrate and are removed while other threads read and write.
@Suite struct CoordinatorConcurrencyTests {
  typealias Track = Archive.Track
  typealias Remark = Archive.Remark

  @Test func savesAndFetchesContinueWhileAStoreMigrates() throws {
    let archive = try Archive.Stack(.fileAndMemory)
    let (stack, coordinator) = (archive.stack, archive.coordinator)
    let stores = Guarded((archive.first, archive.second))
    inParallel(5) { number in
      do {
        if number == 4 {
          for round in 0..<4 {
            let (first, second) = stores.withLock { $0 }
            let url = archive.folder.file("Moved\(round).sqlite")
            let moved = try coordinator.migratePersistentStore(first, to: url)
            let other = try coordinator.migratePersistentStore(second, type: .inMemory)
            stores.withLock { $0 = (moved, other) }
          }
          return
        }
        for _ in 0..<20 {
          try stack.newContext().performAndWait { context in
            let (track, remark) = (Track.create(in: context), Remark.create(in: context))
            track.plays = 1
            if let second = coordinator.persistentStores.last {
              do {
                try context.assign(remark, to: second)
              } catch ContextError.foreignStore {
                // The store migrated meanwhile, and the remark belongs to the store of its track.
              }
            }
            try context.save()
            #expect(try context.existingObject(with: track.objectID) === track)
          }
          try stack.main.performAndWait { context in
            let tracks = try Track.all(sortedBy: \.title, in: context)
            #expect(tracks.allSatisfy { $0.plays == 1 })
          }
        }
      } catch {
        Issue.record("\(number): \(error)")
      }
    }
    try stack.main.performAndWait { context throws in
      #expect(try Track.count(in: context) == 80)
      #expect(try Remark.count(in: context) == 80)
    }
    #expect(try coordinator.integrityProblems() == [])
  }

  @Test func readersSeeAllOrNothingOfAStore() throws {
    let archive = try Archive.Stack(.files)
    try archive.add("abc", to: archive.first)
    try archive.add("def", to: archive.second)
    let url = archive.folder.file("2.sqlite")
    inParallel(4) { number in
      do {
        if number == 0 {
          for _ in 0..<10 {
            guard let store = archive.coordinator.persistentStore(for: url) else { return }
            try archive.coordinator.remove(store)
            try archive.coordinator.addPersistentStore(type: .sqlite, at: url)
          }
          return
        }
        for _ in 0..<30 {
          try archive.stack.newContext().performAndWait { context in
            let titles = try Track.all(sortedBy: \.title, in: context).titles
            #expect(titles == "abc" || titles == "abcdef")
          }
        }
      } catch {
        Issue.record("\(number): \(error)")
      }
    }
    try archive.stack.newContext().performAndWait { context throws in
      #expect(try Track.all(sortedBy: \.title, in: context).titles == "abcdef")
    }
  }
}
