// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare
import SporadesXcode
import Testing

/// A process or a disk fails while a file is migrated by a mapping model. The place then holds the store as before or as
/// after. Do not run under Thread Sanitizer; see `ProcessLifecycleTests`.
@Suite(.serialized) struct MappingFaultTests {
  @Test(arguments: ["kill-before", "kill-after", "tear"])
  func aKillLeavesTheStoreAsBeforeOrAsAfter(_ kind: String) async throws {
    var migrated = 0
    let runs = try await FaultWalk.walk("mapping", kind, step: FaultWalk.step(17)) {
      store, run, harm in
      migrated += try expectWhole(store, run, harm) ? 1 : 0
    }
    #expect(runs > 3)
    #expect(migrated > 0 && migrated <= runs + 1)
  }

  @Test(arguments: ["EIO", "ENOSPC", "EACCES"])
  func aCallThatFailsLeavesTheStoreAsBeforeOrAsAfter(_ kind: String) async throws {
    let runs = try await FaultWalk.walk("mapping", kind, step: FaultWalk.step(17)) {
      store, run, harm in
      _ = try expectWhole(store, run, harm)
    }
    #expect(runs > 1)
  }

  /// Both stores are larger than the caches of all connections. The contents of the larger one take 48 megabytes more, which
  /// a migration that kept its objects would need.
  @Test func aMigrationNeedsNoMoreMemoryForMoreObjects() async throws {
    let few = try await peakKilobytes(migrating: 12_000)
    let many = try await peakKilobytes(migrating: 24_000)
    #expect(many - few < 12_000, "\(few) and \(many) kilobytes")
  }

  private func peakKilobytes(migrating count: Int) async throws -> Int {
    let folder = try FaultFolder()
    let stack = try DataStack(sqlite: folder.store, entities: [Note.self])
    for start in stride(from: 0, to: count, by: 1_000) {
      try stack.newContext().performAndWait { context in
        for number in start..<start + 1_000 {
          let note = Note.create(in: context)
          note.number = number
          note.photo = Data(repeating: UInt8(truncatingIfNeeded: number), count: 4_000)
        }
        try context.save()
      }
    }
    if let error = stack.root.close() { throw error }
    let run = try await FaultRun.play("mappingMany", folder.store)
    #expect(run.failures == [])
    return try #require(run.peakKilobytes, "\(run.errors)")
  }

  /// Returns whether the store has the newer version.
  private func expectWhole(_ url: URL, _ run: FaultRun, _ harm: Harm) throws -> Bool {
    let old = try ManagedObjectModel([Note.self])
    var entities = old.entities
    entities[0].attributes.append(.init("length", .integer64, defaultValue: 7))
    let new = try ManagedObjectModel(entities: entities)
    let store: SQLiteStore
    var isNew = true
    do { store = try SQLiteStore(url: url, model: new) } catch {
      isNew = false
      store = try SQLiteStore(url: url, model: old)
    }
    #expect(isNew || run.acknowledged.isEmpty, "\(harm)")
    #expect(try store.integrityProblems() == [], "\(harm)")
    try DataStack(store: store).newContext().performAndWait { context in
      let notes = try context.fetch(FetchRequest("Note"))
      #expect(notes.map { $0["number"] } == [1, 2], "\(harm)")
      for (number, note) in notes.enumerated() {
        let photo = Value.data(Data(repeating: UInt8(number + 1), count: 120_000))
        #expect(note["photo"] == photo, "\(harm)")
        if isNew { #expect(note["length"] == 7, "\(harm)") }
      }
    }
    try store.close()
    if !isNew {
      try MigrationManager(source: old, destination: new)
        .migrateStore(from: url, with: .inferred(from: old, to: new))
    }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: url.deletingLastPathComponent().path)
    #expect(isNew || names.allSatisfy { !$0.contains("migrating") }, "\(harm): \(names)")
    return isNew
  }
}
