// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesContainers
import SporadesSQLite
import SporadesStore
import SporadesTesting

/// The kinds of store under a service.
enum StoreKind: CaseIterable, Sendable {
  case file, sqliteInMemory, memory, coordinator

  func service(_ folder: TemporaryFolder) throws -> RecordingService {
    let model = try ManagedObjectModel.members
    switch self {
    case .file: return .at(folder.file("store.sqlite"))
    case .sqliteInMemory: return .over(try SQLiteStore(inMemory: model))
    case .memory: return .over(MemoryStore(model: model))
    case .coordinator:
      let coordinator = PersistentStoreCoordinator(model: model)
      try coordinator.addPersistentStore(
        SQLiteStore(path: folder.file("first.sqlite").path, model: model))
      try coordinator.addPersistentStore(MemoryStore(model: model))
      return .over(coordinator)
    }
  }
}
