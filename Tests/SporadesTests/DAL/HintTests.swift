// SPDX-License-Identifier: MIT
import Foundation
import SporadesChain
import SporadesContainers
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

@testable import Sporades

/// Hints for the author of a program are lines on standard error, each once in a process.
@Suite struct HintTests {
  private func lines(_ result: ExitTest.Result?) -> [Substring] {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      .split(separator: "\n").filter { $0.hasPrefix("Sporades: ") }
  }

  @Test func undoWithoutAManagerSaysSo() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let stack = try DataStack(inMemory: [Member.self])
      stack.newContext().performAndWait { context in
        context.undo()
        context.redo()
        context.undoManager = ContextUndoManager()
        context.undo()
      }
    }
    #expect(lines(result).count == 1)
    #expect(lines(result).first?.contains("context.undoManager = ContextUndoManager()") == true)
  }

  @Test func aPatternOfSQLIsTakenWithAHint() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let stack = try DataStack(inMemory: [Member.self])
      try stack.newContext().performAndWait { context in
        Member.create(in: context).firstname = "100%"
        for _ in 0..<2 {
          let count = try Member.count(where: (\Member.firstname).isLike("100%"), in: context)
          precondition(count == 1)
        }
        try context.save()
      }
    }
    #expect(lines(result).count == 1)
    #expect(lines(result).first?.contains("In LIKE, * stands for any text") == true)
  }

  @Test func aCopyOfAnOpenStoreWithoutItsLogIsNamed() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let files = FileManager.default
      let folder = files.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? files.removeItem(at: folder) }  // a folder that stays affects no other test
      let (store, copy) = (folder.appendingPathComponent("a"), folder.appendingPathComponent("b"))
      let service = DALService(sqlite: store, entities: [Member.self])
      try service.writeSync(durability: .immediate) { Member.create(in: $0) }.get()
      try files.copyItem(at: store, to: copy)
      let opened = DALService(sqlite: copy, entities: [Member.self])
      let count = try opened.readValue { try Member.count(in: $0) }
      precondition(count == 0)
      try opened.close()
      try service.close()
    }
    #expect(lines(result).count == 1, "\(lines(result))")
    #expect(lines(result).first?.contains("Copy with service.copy(to:)") == true)
  }

  @Test func patternsOfTheLanguageGetNoHint() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let stack = try DataStack(inMemory: [Member.self])
      try stack.newContext().performAndWait { context in
        _ = try Member.count(where: (\Member.firstname).isLike("a*%"), in: context)
        _ = try Member.count(where: (\Member.firstname).hasPrefix("a%"), in: context)
      }
    }
    #expect(lines(result) == [])
  }

  @Test func changesThatAChildLeftInMainAreNamedWhenTheServiceCloses() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let service = RecordingService.inMemory()
      let stack = try service.stack()
      try stack.newChild(of: stack.main).performAndWait { context in
        Member.create(in: context)
        try context.save()
      }
      try service.close()
      stack.main.performAndWait { _ in }
    }
    #expect(lines(result).count == 1)
    #expect(
      lines(result).first?.contains(
        "A context, main, with objects of Member has unsaved changes while its service closes")
        == true)
  }

  /// A program that keeps its stack in a global, as apps do.
  @Test(arguments: [false, true])
  func changesThatAChildLeftInMainAreNamedWhenTheProcessExits(inABlock: Bool) async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [inABlock] in
      let stack = try DataStack(inMemory: [Member.self])
      try stack.newChild(of: stack.main).performAndWait { context in
        Member.create(in: context)
        try context.save()
      }
      withExtendedLifetime(stack) {
        if inABlock { stack.main.performAndWait { _ in exit(0) } }
        exit(0)
      }
    }
    #expect(lines(result).count == 1)
    #expect(
      lines(result).first?.contains(
        "A context, main, with objects of Member has unsaved changes while the process exits")
        == true)
  }

  @Test func aMemberThatDeletesItsOwnerIsNamed() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      for _ in 0..<2 { _ = try DataStack(inMemory: [Doghouse.self, Hound.self]) }
    }
    #expect(lines(result).count == 1)
    #expect(lines(result).first?.contains("Hound.kennel has the delete rule .cascade") == true)
  }

  @Test func ignoredLaunchArgumentsAreNamed() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      for _ in 0..<2 {
        _ = LaunchSetup.ofProcess(isHonored: false, arguments: ["program", "-InMemory", "1"])
      }
      _ = LaunchSetup.ofProcess(isHonored: true, arguments: ["program", "-InMemory", "1"])
    }
    #expect(lines(result).count == 1)
    #expect(lines(result).first?.contains("honorsLaunchArguments") == true)
  }

  /// One situation, one advice: what was accepted is not written again, what failed is.
  @Test func theAdviceFollowsFromWhatBecameOfTheWrite() {
    let full = StoreError(.full, "The disk is full. Make room.")
    let kept = DALError(.notDurable(full), during: .commit)
    #expect(
      kept.description
        == "A write is accepted, but its commit failed: The disk is full. Make room. The service keeps the "
        + "write and tries the commit again by itself, so do not write it again.")
    let failed = DALError(.store(full), during: .write)
    #expect(
      failed.description
        == "The store failed the write: The disk is full. Make room. Nothing was written. Write again then."
    )
    #expect(!DALError(.store(full), during: .read).description.contains("Write again"))
  }

  /// The id of a new object is the most usual result of a write, and another block cannot find the object by it.
  @Test func aTemporaryIDThatLeftItsBlockIsNamed() async throws {
    let service = RecordingService.inMemory()
    let id = try await service.write { Member.create(in: $0).objectID }
    let error = await #expect(throws: DALError.self) {
      try await service.read { try $0.existingObject(with: id).objectID }
    }
    #expect(error?.description.hasPrefix("Member/t") == true)
    #expect(
      error?.description.contains("obtainPermanentIDs(for:) before the id leaves its block") == true
    )
  }

  @Test func aTransientAttributeInAConditionIsNamed() throws {
    let service = DALService(inMemory: [Draft.self])
    let error = #expect(throws: DALError.self) {
      try service.readValue { try Draft.count(where: \.isOpen, in: $0) }
    }
    #expect(error?.description.contains("isOpen is transient, so no store keeps it") == true)
  }
}

@Entity private final class Doghouse: ManagedObject {
  var name: String = ""
  var hounds: Set<Hound>
}

@Entity private final class Hound: ManagedObject {
  @Relationship(deleteRule: .cascade, inverse: \Doghouse.hounds) var kennel: Doghouse?
}

@Entity private final class Draft: ManagedObject {
  @Transient var isOpen: Bool = false
}
