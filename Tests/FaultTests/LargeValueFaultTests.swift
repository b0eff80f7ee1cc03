// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import Testing

/// A process or a disk fails while the process writes and removes large values. Each row then has its value, and a
/// row names each file. Do not run under Thread Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized) struct LargeValueFaultTests {
  @Test func aLossOfPowerLeavesEachRowItsLargeValue() async throws {
    let disks = try await PowerLoss.everywhere(in: "largeValues") { store, run, harm in
      try expectValues(store, harm)
      try NoteStore.expectWhole(store, run, harm)
    }
    #expect(disks > 20)
  }

  @Test(arguments: ["kill-before", "kill-after", "tear"])
  func aKillLeavesEachRowItsLargeValueAndNoFileMore(_ kind: String) async throws {
    let runs = try await FaultWalk.walk("largeValues", kind) { store, run, harm in
      let photos = try expectValues(store, harm)
      #expect(files(store).count == photos, "\(harm)")
      try NoteStore.expectWhole(store, run, harm)
    }
    #expect(runs > 3)
  }

  @Test(arguments: ["EIO", "ENOSPC", "EMFILE", "EACCES", "short"])
  func aCallThatFailsLeavesEachRowItsLargeValue(_ kind: String) async throws {
    let runs = try await FaultWalk.walk("largeValues", kind) { store, run, harm in
      try expectValues(store, harm)
      try NoteStore.expectWhole(store, run, harm)
    }
    #expect(runs > 1)
  }

  /// Opens the store, expects one of its own photos in each note, and returns the number of notes with a photo.
  @discardableResult
  private func expectValues(_ store: URL, _ harm: Harm) throws -> Int {
    guard FileManager.default.fileExists(atPath: store.path) else { return 0 }
    let stack: DataStack
    do { stack = try DataStack(sqlite: store, entities: [Note.self]) } catch {
      Issue.record("\(harm): the store cannot be opened: \(error)")
      return 0
    }
    #expect(try stack.store.integrityProblems() == [], "\(harm)")
    let photos: [(Int, Data?)] = try stack.main.performAndWait { context in
      try Note.all(in: context).map { ($0.number, $0.photo) }
    }
    for (number, photo) in photos {
      if number == 3 { #expect(photo == Data(repeating: 3, count: 120_000), "\(harm)") }
      // The scenario removes the photo of the first note at its end.
      guard let photo else {
        #expect(number == 1, "\(harm): the photo of \(number) is gone")
        continue
      }
      let first = photo.first ?? 0
      #expect([UInt8(number), UInt8(number + 10)].contains(first), "\(harm)")
      #expect(photo == Data(repeating: first, count: 120_000), "\(harm)")
    }
    try stack.store.close()
    return photos.count { $0.1 != nil }
  }

  private func files(_ store: URL) -> [String] {
    let folder = store.deletingLastPathComponent()
      .appendingPathComponent(".Notes_SUPPORT/_EXTERNAL_DATA")
    return (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
  }
}
