// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import Testing

/// A process or a disk fails while a service copies its store. The place of the copy then holds nothing, the former
/// copy or the new one, and each of them whole. Do not run under Thread Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized) struct CopyingFaultTests {
  @Test func aLossOfPowerLeavesAWholeCopyOrNone() async throws {
    let disks = try await PowerLoss.everywhere(in: "copying") { store, run, harm in
      try expectCopy(store, run, harm)
    }
    #expect(disks > 20)
  }

  @Test(arguments: ["kill-before", "kill-after", "tear"])
  func aKillLeavesAWholeCopyOrNone(_ kind: String) async throws {
    let runs = try await FaultWalk.walk("copying", kind, step: FaultWalk.step(13)) {
      store, run, harm in
      try expectCopy(store, run, harm)
      try NoteStore.expectWhole(store, run, harm)
    }
    #expect(runs > 3)
  }

  @Test(arguments: ["EIO", "ENOSPC", "EMFILE", "EACCES", "short"])
  func aCallThatFailsLeavesAWholeCopyOrNone(_ kind: String) async throws {
    let runs = try await FaultWalk.walk("copying", kind, step: FaultWalk.step(13)) {
      store, run, harm in
      try expectCopy(store, run, harm)
      try NoteStore.expectWhole(store, run, harm)
      let names = try FileManager.default.contentsOfDirectory(
        atPath: store.deletingLastPathComponent().path)
      let drafts = names.filter { $0.hasPrefix("Copy.sqlite.") }
      #expect(drafts.isEmpty, "\(harm): \(names)")
    }
    #expect(runs > 1)
  }

  private func expectCopy(_ store: URL, _ run: FaultRun, _ harm: Harm) throws {
    let copy = store.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
    guard FileManager.default.fileExists(atPath: copy.path) else {
      #expect(run.acknowledged.isEmpty, "\(harm): the copy is gone")
      return
    }
    let stack: DataStack
    do { stack = try DataStack(sqlite: copy, entities: [Note.self]) } catch {
      Issue.record("\(harm): the copy cannot be opened: \(error)")
      return
    }
    #expect(try stack.store.integrityProblems() == [], "\(harm)")
    let numbers = try stack.main.performAndWait { context in
      try Note.all(sortedBy: \.number, in: context).map { note in
        #expect(
          note.photo == Data(repeating: UInt8(note.number), count: 120_000), "\(harm)")
        return note.number
      }
    }
    #expect([[1, 2], [1, 2, 3]].contains(numbers), "\(harm): \(numbers)")
    #expect(numbers.count >= run.acknowledged.last ?? 0, "\(harm): \(numbers)")
    try stack.store.close()
  }
}
