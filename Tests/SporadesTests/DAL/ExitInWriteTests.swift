// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import Testing

/// An object that ends the process in a hook, and says in which one.
@Entity final class Leaver: ManagedObject {
  var leavesBefore: Bool = false
  override func willSave() { if leavesBefore { exit(5) } }
  override func didSave() { exit(6) }
}

/// A program that calls `exit()` inside a write block ends at once: the write can not end, so nothing
/// waits for it.
@Suite struct ExitInWriteTests {
  private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test func theWriteIsNamedAndEarlierOnesAreCommitted() async {
    let result = await #expect(
      processExitsWith: .exitCode(3), observing: [\.standardErrorContent]
    ) {
      let service = RecordingService.inMemory { $0.reactor = .shared }
      service.writeSync { Member.create(in: $0) }
      service.writeSync { _ in exit(3) }
    }
    #expect(
      text(result).contains(
        "Sporades: exit() was called inside a write block of RecordingService. That write is discarded"
      ))
    #expect(!text(result).contains("did not finish in time"))
  }

  /// A write whose save the store has accepted is committed by the flush.
  @Test func anExitInDidSaveSaysThatTheWriteIsSaved() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("left.sqlite").path
    let result = await #expect(
      processExitsWith: .exitCode(6), observing: [\.standardErrorContent]
    ) { [path = path as String] in
      let service = DALService(
        sqlite: URL(fileURLWithPath: path), entities: [Leaver.self], options: .init())
      service.writeSync { Leaver.create(in: $0) }
    }
    #expect(text(result).contains("That write is saved"))
    #expect(!text(result).contains("discarded"))
    let service = DALService(sqlite: folder.file("left.sqlite"), entities: [Leaver.self])
    #expect(try service.readValue { try Leaver.count(in: $0) } == 1)
    try service.close()
  }

  @Test func whatAClosedStoreTookIsNotReportedAtTheExit() async {
    let result = await #expect(
      processExitsWith: .exitCode(0), observing: [\.standardErrorContent]
    ) {
      let stack = try DataStack(inMemory: [Member.self])
      try stack.newContext().performAndWait { context in
        Member.create(in: context)
        try context.save()
      }
      try stack.store.close()
      exit(0)
    }
    #expect(!text(result).contains("Sporades:"), "\(text(result))")
  }

  @Test func aStackWhoseCommitsFailIsReportedAtTheExit() async {
    let result = await #expect(
      processExitsWith: .exitCode(0), observing: [\.standardErrorContent]
    ) {
      let double = try StoreDouble()
      double.play { (call) throws(StoreError) in
        if call == .commit { throw StoreError(.full, "Scripted.") }
      }
      let stack = DataStack(store: double, classes: [Member.self])
      try stack.newContext().performAndWait { context in
        Member.create(in: context)
        try context.save()
      }
      exit(0)
    }
    #expect(text(result).contains("the last saves of a stack could not be committed. "))
  }

  @Test func anExitInWillSaveSaysThatTheWriteIsDiscarded() async throws {
    let result = await #expect(
      processExitsWith: .exitCode(5), observing: [\.standardErrorContent]
    ) {
      let service = DALService(inMemory: [Leaver.self])
      service.writeSync { Leaver.create(in: $0).leavesBefore = true }
    }
    #expect(text(result).contains("That write is discarded"))
  }

  /// A save inside the block is part of the write, which the store has not accepted yet.
  @Test func anExitInDidSaveOfASaveInTheBlockSaysThatTheWriteIsDiscarded() async throws {
    let result = await #expect(
      processExitsWith: .exitCode(6), observing: [\.standardErrorContent]
    ) {
      let service = DALService(inMemory: [Leaver.self])
      service.writeSync { context in
        Leaver.create(in: context)
        try context.managedObjectContext.save()
      }
    }
    #expect(text(result).contains("That write is discarded"))
  }

  @Test func theWriteOfAQueueIsNamedToo() async {
    let result = await #expect(
      processExitsWith: .exitCode(4), observing: [\.standardErrorContent]
    ) {
      let service = RecordingService.inMemory { $0.reactor = .shared }
      service.writeAsync { _ in exit(4) }
      DispatchSemaphore(value: 0).wait()
    }
    #expect(text(result).contains("exit() was called inside a write block"))
    #expect(!text(result).contains("did not finish in time"))
  }

  @Test func anExitInANestedWriteEndsAtOnceToo() async {
    let result = await #expect(
      processExitsWith: .exitCode(3), observing: [\.standardErrorContent]
    ) {
      let outer = RecordingService.inMemory { $0.reactor = .shared }
      let inner = RecordingService.inMemory { $0.reactor = .shared }
      outer.writeSync { _ in outer.writeSync { _ in inner.writeSync { _ in exit(3) } } }
    }
    #expect(text(result).components(separatedBy: "exit() was called").count == 3)
    #expect(!text(result).contains("did not finish in time"))
  }

  @Test func anExitOutsideOfWritesSaysNothing() async {
    let read = await #expect(
      processExitsWith: .exitCode(3), observing: [\.standardErrorContent]
    ) {
      let service = RecordingService.inMemory { $0.reactor = .shared }
      service.writeSync { Member.create(in: $0) }
      service.read { _ in exit(3) }
    }
    #expect(!text(read).contains("Sporades:"))
    let failed = await #expect(
      processExitsWith: .exitCode(3), observing: [\.standardErrorContent]
    ) {
      struct NoStore: Error {}
      var options = DALService.Options()
      options.reactor = .shared
      _ = RecordingService(options: options) { throw NoStore() }
      exit(3)
    }
    #expect(!text(failed).contains("Sporades:"))
  }

  /// Where an exit flushes nothing, nobody promises that earlier writes are committed.
  @Test func anExitThatFlushesNothingPromisesNothing() async {
    let result = await #expect(
      processExitsWith: .exitCode(3), observing: [\.standardErrorContent]
    ) {
      AppStateReactor.shared.configure { $0.flushesAtExit = false }
      let service = RecordingService.inMemory { $0.reactor = .shared }
      service.writeSync { _ in exit(3) }
    }
    #expect(!text(result).contains("are committed"))
  }

  @Test func theFileHasTheEarlierWrites() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("exit.sqlite").path
    await #expect(processExitsWith: .exitCode(3)) { [path = path as String] in
      let url = URL(fileURLWithPath: path)
      let service = RecordingService.at(url) { $0.reactor = .shared }
      service.writeSync { Member.create(in: $0) }
      service.writeSync { context in
        Member.create(in: context)
        exit(3)
      }
    }
    let service = RecordingService.at(folder.file("exit.sqlite"))
    #expect(service.memberCount == 1)
  }
}
