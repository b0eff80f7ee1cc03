// SPDX-License-Identifier: MIT
import Foundation
import SporadesContainers
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@Suite struct StoreUpkeepTests {
  private func failure(_ code: StoreError.Code) -> StoreError { StoreError(code, "It is \(code).") }

  @Test func countsFailuresUntilTheTaskSucceeds() {
    var upkeep = StoreUpkeep()
    upkeep.note(failure(.io), of: .movingLog)
    upkeep.note(failure(.full), of: .movingLog)
    upkeep.note(failure(.io), of: .removingFiles)
    #expect(upkeep.failures[.movingLog] == .init(times: 2, reason: "It is full."))
    #expect(upkeep.failures[.removingFiles] == .init(times: 1, reason: "It is io."))
    upkeep.noteSuccess(of: .movingLog)
    #expect(upkeep.failures.keys.elementsEqual([.removingFiles]))
  }

  @Test(arguments: [StoreError.Code.busy, .moved, .closed])
  func whatOthersDoIsNoFailure(_ code: StoreError.Code) {
    var upkeep = StoreUpkeep()
    upkeep.note(failure(code), of: .movingLog)
    #expect(upkeep == StoreUpkeep())
  }

  /// A store with one large value. A folder stands in place of its file, and the system removes no folder that
  /// way.
  private func storeWithAFileThatStays() throws -> (LargeStore, SQLiteStore, file: URL) {
    let large = LargeStore()
    let store = try large.open()
    try store.insertPhotos(1...1)
    try store.commit(.immediate)
    let file = large.file(try #require(large.files.first))
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    return (large, store, file)
  }

  @Test func tellsThatAFileCannotBeRemovedUntilItCanBe() throws {
    let (large, store, file) = try storeWithAFileThatStays()
    try store.setPhoto(2, of: 1, version: 2)
    try store.commit(.immediate)
    #expect(store.upkeep.failures[.removingFiles]?.times == 1)
    #expect(
      store.upkeep.failures[.removingFiles]?.reason.contains(large.folder.path) == true)
    try FileManager.default.removeItem(at: file)
    try store.setPhoto(3, of: 1, version: 3)
    try store.commit(.immediate)
    #expect(store.upkeep == StoreUpkeep())
    #expect(large.files.count == 1)
    try store.close()
  }

  @Test func aCoordinatorTellsOfAllItsStores() throws {
    let (_, store, _) = try storeWithAFileThatStays()
    let coordinator = PersistentStoreCoordinator(model: Sample.model)
    try coordinator.addPersistentStore(
      try SQLiteStore(path: Sample.temporaryPath(), model: Sample.model))
    try coordinator.addPersistentStore(store)
    #expect(coordinator.upkeep == StoreUpkeep())
    try store.setPhoto(2, of: 1, version: 2)
    try coordinator.commit(.immediate)
    #expect(coordinator.upkeep.failures.keys.elementsEqual([.removingFiles]))
    try coordinator.close()
  }
}
