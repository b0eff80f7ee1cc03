// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Mistakes that change nothing, or not what their author means: a debug build says a line about each.
@Suite struct SilentMistakeTests {
  @Entity final class Chapter: ManagedObject {
    var title: String = ""
    var tale: Tale?
  }
  @Entity final class Tale: ManagedObject {
    @Relationship(inverse: \Chapter.tale) var chapters: [Chapter]
  }
  @Entity final class Renamed: ManagedObject {
    @Attribute(.renamed(from: "b")) var a: Int = 0
    var b: Int = 0
  }

  private func lines(_ result: ExitTest.Result?) -> [Substring] {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      .split(separator: "\n").filter { $0.hasPrefix("Sporades: ") }
  }

  @Test func aChangeAfterADeletionIsNamed() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let stack = try DataStack(inMemory: [Chapter.self, Tale.self])
      try stack.newContext().performAndWait { context in
        let chapter = Chapter.create(in: context)
        try context.save()
        context.delete(chapter)
        chapter.title = "Again"
        chapter.setValue("And again", forKey: "title")
        context.rollback()
      }
    }
    #expect(lines(result).count == 1)
    #expect(
      lines(result).first?.contains("Chapter/p1 was changed after it was deleted") == true,
      "\(lines(result))")
  }

  @Test func deletionsAndChangesBeforeThemGetNoHint() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let stack = try DataStack(inMemory: [Chapter.self, Tale.self])
      try stack.newContext().performAndWait { context in
        let tale = Tale.create(in: context)
        tale.chapters = [Chapter.create(in: context), Chapter.create(in: context)]
        try context.save()
        tale.chapters[0].title = "Once"
        context.delete(tale.chapters[0])
        context.delete(tale)
        try context.save()
      }
    }
    #expect(lines(result) == [])
  }

  @Test func anObjectThatIsTwiceInAnOrderIsNamed() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let stack = try DataStack(inMemory: [Chapter.self, Tale.self])
      stack.newContext().performAndWait { context in
        let (tale, chapter) = (Tale.create(in: context), Chapter.create(in: context))
        tale.chapters = [chapter, chapter]
        tale.chapters = [chapter]
        precondition(tale.chapters.count == 1)
        context.rollback()
      }
    }
    #expect(lines(result).count == 1)
    #expect(lines(result).first?.contains("Tale.chapters was set to a list") == true)
  }

  @Test func aLimitOfZeroAndStoresThatNobodyHasAreNamed() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let stack = try DataStack(inMemory: [Chapter.self, Tale.self])
      try stack.newContext().performAndWait { context in
        var request = FetchRequest("Chapter", limit: 0)
        let none = try context.fetch(request)
        precondition(none.isEmpty)
        request.fetchLimit = nil
        request.affectedStores = [stack.store.identifier]
        _ = try context.fetch(request)
        request.affectedStores = ["nobody"]
        _ = try context.count(request)
      }
    }
    #expect(lines(result).count == 2)
    #expect(lines(result).first?.contains("Write nil for no limit") == true)
    #expect(lines(result).last?.contains("affectedStores that name no store") == true)
  }

  @Test func twoServicesOnOneFileAreNamed() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let folder = try TemporaryFolder()
      for names in [["a", "b"], ["c", "c"]] {
        let services = names.map { RecordingService.at(folder.file("\($0).sqlite")) }
        for service in services { try service.close() }
      }
      for _ in 0..<2 { _ = RecordingService.at(folder.file("d.sqlite")) }
      let options: (inout DALService.Options) -> Void = { $0.durability = .immediate }
      let both = [0, 1].map { _ in RecordingService.at(folder.file("e.sqlite"), options) }
      try withExtendedLifetime(both) { for service in both { try service.close() } }
    }
    #expect(lines(result).count == 1)
    #expect(lines(result).first?.contains("c.sqlite is open in two services") == true)
  }

  @Test func aFormerNameThatTheClassHasIsNamed() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      _ = try ManagedObjectModel([Renamed.self])
    }
    #expect(lines(result).first?.contains("Renamed.a says that it was b") == true)
  }

  @Test func aRelationshipBetweenConfigurationsIsNamed() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let classes: [ManagedObject.Type] = [Chapter.self, Tale.self]
      _ = try ManagedObjectModel(classes, configurations: ["A": classes, "B": [Tale.self]])
      _ = try ManagedObjectModel(
        classes, configurations: ["A": [Chapter.self], "B": [Tale.self]])
    }
    #expect(lines(result).count == 1)
    #expect(
      lines(result).first?.contains("Chapter.tale, Tale.chapters: no configuration") == true,
      "\(lines(result))")
  }

  /// Whoever has closed a service is not told to close it.
  @Test func aServiceThatCouldNotCloseSaysSo() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let store = try StoreDouble()
      let completions = DispatchQueue(label: "completions")
      weak var last: RecordingService?
      do {
        let service = RecordingService.over(store) {
          ($0.reactor, $0.completionQueue) = (nil, completions)
        }
        last = service
        store.play { (call) throws(StoreError) in
          if call == .commit { throw StoreError(.full, "The disk is full.") }
        }
        service.writeSync { Member.create(in: $0) }
        try? service.close()
      }
      // The failures of commits are told on the queue, which may release the service last.
      #expect(eventually { last == nil })
      completions.sync {}
    }
    let ends = lines(result).filter { $0.contains("a service ended") }
    #expect(ends.count == 1)
    #expect(
      ends.first?.contains("a service ended, after its close() had failed") == true,
      "\(lines(result))")
  }
}
