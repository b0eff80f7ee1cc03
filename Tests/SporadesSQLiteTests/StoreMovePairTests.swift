// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesContainers
import SporadesModel
import SporadesMoving
import SporadesStore
import SporadesTesting
import TestServer
import Testing

@testable import SporadesSQLite

/// Moves between files and memory, each call of which fails once.
@Suite struct StoreMovePairTests {
  private func memory(keepsHistory: Bool = false) -> MemoryStore {
    MemoryStore(model: SampleLibrary.model, keepsHistory: keepsHistory)
  }

  private func file() throws -> SQLiteStore {
    try SQLiteStore(path: Sample.temporaryPath(), model: SampleLibrary.model)
  }

  private func fill(_ store: some PersistentStore) throws {
    for part in 0..<UInt64(3) {
      try store.execute(SampleLibrary.rows(seed: 7 + part, behind: Int64(part) * 100))
    }
    try store.setMetadata(try store.metadata().merging(["owner": .string("Ada")]) { $1 })
    try store.commit(.immediate)
  }

  @Test func memoryGoesToAFileAndBack() throws {
    let (source, back) = (memory(), memory(keepsHistory: true))
    try fill(source)
    let file = try file()
    let moved = try StoreMove(from: source, to: file).run()
    #expect(try StoreMove(from: file, to: back).run().links == moved.links)
    let image = try StoreImage(source)
    #expect(image.rowCount == moved.rows && moved.links > 0)
    #expect(image.differences(in: try StoreImage(file)) == [])
    #expect(image.differences(in: try StoreImage(back)) == [])
    let path = try #require(file.path)
    try file.close()
    let opened = try SQLiteStore(path: path, model: SampleLibrary.model)
    #expect(image.differences(in: try StoreImage(opened)) == [])
    #expect(try opened.integrityProblems() == [])
    try opened.close()
  }

  /// The file is opened for reading only, and others write while it is read.
  @Test func aMoveShowsOneCommittedState() throws {
    let path = Sample.temporaryPath()
    let writer = try SQLiteStore(path: path, model: SampleLibrary.model)
    try fill(writer)
    let image = try StoreImage(writer)
    var options = SQLiteStoreOptions()
    options.isReadOnly = true
    let source = try SQLiteStore(path: path, model: SampleLibrary.model, options: options)
    let target = memory()
    var key: Int64 = 5_000
    try StoreMove(from: source, to: target).run { _ in
      key += 1
      do {
        try writer.execute(
          ChangeSet(inserting: [RowDraft("Shelf", key, ["label": "late"])]))
        try writer.commit(.eventual)
      } catch { Issue.record("\(error)") }
    }
    #expect(key > 5_003)
    #expect(image.differences(in: try StoreImage(target)) == [])
    try source.close()
    try writer.close()
  }

  @Test(arguments: FaultyStore.Moment.allCases)
  func aFailureOfAnyCallLeavesTheTargetEmpty(moment: FaultyStore.Moment) throws {
    let source = memory()
    try fill(source)
    let image = try StoreImage(source)
    var ordinal = 0
    while true {
      ordinal += 1
      let base = memory()
      let target = FaultyStore(base, failingCall: ordinal, moment)
      var failure: StoreError?
      do throws(StoreError) { try StoreMove(from: source, to: target).run() } catch {
        failure = error
      }
      guard target.hasFailed else { break }
      #expect(failure?.code == .io, "call \(ordinal)")
      let left = try StoreImage(base)
      #expect(left.rowCount == 0 && left.linkCount == 0, "call \(ordinal)")
      #expect(left.metadata == [:], "call \(ordinal)")
      // A later, healthy move does the work.
      try StoreMove(from: source, to: base).run()
      #expect(image.differences(in: try StoreImage(base)) == [], "call \(ordinal)")
    }
    #expect(ordinal > 20)
  }

  @Test(arguments: FaultyStore.Moment.allCases)
  func aFailureToReadLeavesTheTargetEmpty(moment: FaultyStore.Moment) throws {
    let base = memory()
    try fill(base)
    var ordinal = 0
    while true {
      ordinal += 1
      let source = FaultyStore(base, failingCall: ordinal, moment)
      let target = try file()
      let failure = #expect(throws: StoreError.self) {
        try StoreMove(from: source, to: target).run()
        if !source.hasFailed { throw StoreError(.cancelled, "The walk is over.") }
      }
      if failure?.code == .io { #expect(try StoreImage(target).rowCount == 0, "call \(ordinal)") }
      try target.close()
      guard source.hasFailed else { break }
    }
    #expect(ordinal > 10)
  }

  @Test func aFailedRemovalIsToldWithItsRemedy() throws {
    let (source, target) = (memory(), memory())
    try fill(source)
    let error = #expect(throws: StoreError.self) {
      // `try?`, because the second call finds the store closed.
      try StoreMove(from: source, to: target).run { _ in try? target.close() }
    }
    #expect(error?.code == .closed && error?.detail.contains("removeAllRows()") == true)
  }

  @Test func aTargetWithObjectsStaysAsItIs() throws {
    let (source, target) = (memory(), memory())
    try fill(source)
    try target.execute(SampleLibrary.rows(seed: 3))
    try target.commit(.eventual)
    let before = try StoreImage(target)
    let error = #expect(throws: StoreError.self) {
      try StoreMove(from: source, to: target).run()
    }
    #expect(error?.code == .unsupported)
    #expect(before.differences(in: try StoreImage(target)) == [])
  }

  @Test func aStoreThatIsOnlyReadIsNoTarget() throws {
    let path = Sample.temporaryPath()
    try SQLiteStore(path: path, model: SampleLibrary.model).close()
    var options = SQLiteStoreOptions()
    options.isReadOnly = true
    let target = try SQLiteStore(path: path, model: SampleLibrary.model, options: options)
    let error = #expect(throws: StoreError.self) {
      try StoreMove(from: memory(), to: target).run()
    }
    #expect(error?.code == .readOnly)
    try target.close()
  }

  @Test func aStoreThatIsHalfFilledIsNoSource() throws {
    let source = memory()
    try fill(source)
    try source.setMetadata(["SporadesUnfinishedMove": .string("somewhere 1")])
    let target = memory()
    let error = #expect(throws: StoreError.self) {
      try StoreMove(from: source, to: target).run()
    }
    #expect(error?.code == .unsupported)
    #expect(try StoreImage(target).rowCount == 0)
  }

  /// Somebody who reserved keys before the move began saves an object under one of the source's.
  @Test func anObjectUnderAKeyOfTheSourceIsNotRemoved() throws {
    let source = memory()
    try fill(source)
    let image = try StoreImage(source)
    let target = memory()
    let shelf = RowDraft("Shelf", 1, ["label": "mine"])
    var isSaved = false
    let error = #expect(throws: StoreError.self) {
      try StoreMove(from: source, to: target).run { _ throws(StoreError) in
        guard !isSaved else { return }
        isSaved = true
        try target.execute(ChangeSet(inserting: [shelf]))
        try target.commit(.immediate)
        throw StoreError(.cancelled, "Enough.")
      }
    }
    #expect(isSaved && image.rowCount > 0)
    #expect(error?.detail.contains("Shelf") == true, "\(String(describing: error))")
    let shelves = try target.keys(StoreFetch(SampleLibrary.shape("Shelf")), in: .committed)
    #expect(shelves.contains { $0.primaryKey == 1 })
  }

  @Test func theLastOfAllKeysComesToo() throws {
    let source = memory()
    let key = RowKey.largestPrimaryKey
    try source.execute(ChangeSet(inserting: [RowDraft("Shelf", key, ["label": "last"])]))
    try source.commit(.eventual)
    let target = try file()
    try StoreMove(from: source, to: target).run()
    #expect(try StoreImage(source).differences(in: try StoreImage(target)) == [])
    try target.close()
  }

  @Test func aCoordinatorIsNoSingleStore() throws {
    let source = memory()
    let coordinator = try PersistentStoreCoordinator(model: SampleLibrary.model, source)
    let error = #expect(throws: StoreError.self) {
      try StoreMove(from: coordinator, to: memory())
    }
    #expect(error?.code == .unsupported)
  }
}
