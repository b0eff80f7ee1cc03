// SPDX-License-Identifier: MIT
import SporadesContainers
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesTesting
import Testing

/// The kinds of stores that a coordinator is tested with.
enum StoreMix: CaseIterable, Sendable, CustomTestStringConvertible {
  case memory, sqlite, file, memoryAndFile, fileAndMemory

  var testDescription: String { "\(self)" }

  private var makes: (StoreMix, StoreMix) {
    switch self {
    case .memory, .sqlite, .file: (self, self)
    case .memoryAndFile: (.memory, .file)
    case .fileAndMemory: (.file, .memory)
    }
  }

  private static func store(
    _ make: StoreMix, _ model: ManagedObjectModel, _ configuration: String?
  ) throws -> any PersistentStore {
    var options = SQLiteStoreOptions()
    options.configuration = configuration
    return switch make {
    case .memory: try MemoryStore(model: model, configuration: configuration)
    case .sqlite: try SQLiteStore(inMemory: model, options: options)
    default: try SQLiteStore(path: Sample.temporaryPath(), model: model, options: options)
    }
  }

  func stores(
    _ model: ManagedObjectModel, _ first: String? = nil, _ second: String? = nil
  ) throws -> (first: any PersistentStore, second: any PersistentStore) {
    (try Self.store(makes.0, model, first), try Self.store(makes.1, model, second))
  }

  func coordinator(_ model: ManagedObjectModel) throws -> PersistentStoreCoordinator {
    let (first, second) = try stores(model)
    return try PersistentStoreCoordinator(model: model, first, second)
  }
}

extension PersistentStoreCoordinator {
  convenience init(model: ManagedObjectModel, _ stores: [any PersistentStore]) throws {
    self.init(model: model)
    for store in stores { try addPersistentStore(store) }
  }

  convenience init(model: ManagedObjectModel, _ stores: any PersistentStore...) throws {
    try self.init(model: model, stores)
  }

  func refusal(_ changes: ChangeSet) -> StoreError? {
    do throws(StoreError) {
      try execute(changes)
      return nil
    } catch {
      return error
    }
  }
}

extension ChangeSet {
  /// The same changes, of rows in the store with the number.
  func inStore(_ number: Int) -> ChangeSet {
    ChangeSet(
      inserted: inserted.map { $0.moved(toStore: number) },
      updated: updated.map {
        UpdatedRows(page: $0.page.moved(toStore: number), changedSlots: $0.changedSlots)
      },
      deleted: deleted.map { DeletedRow(key: $0.key.inStore(number), version: $0.version) },
      links: links.map { link in
        LinkChange(
          join: link.join, isFirst: link.isFirst, owner: link.owner.inStore(number),
          added: link.added.map {
            .init(
              other: $0.other.inStore(number), position: $0.position,
              ownerPosition: $0.ownerPosition)
          }, removed: link.removed.map { $0.inStore(number) })
      })
  }

  /// The changes of both.
  static func + (left: ChangeSet, right: ChangeSet) -> ChangeSet {
    ChangeSet(
      inserted: left.inserted + right.inserted, updated: left.updated + right.updated,
      deleted: left.deleted + right.deleted, links: left.links + right.links)
  }
}
