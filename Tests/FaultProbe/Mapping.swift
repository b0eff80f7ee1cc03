// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades

extension Scenario {
  /// Migrates a store of two notes by a mapping model, in place.
  func playMapping(_ store: URL) throws {
    let service = NoteService(store)
    for number in 1...2 {
      try service.add(number, Data(repeating: UInt8(number), count: 120_000))
    }
    try service.close()
    let old = try ManagedObjectModel([Note.self])
    var entities = old.entities
    entities[0].attributes.append(.init("length", .integer64, defaultValue: 7))
    let new = try ManagedObjectModel(entities: entities)
    faults_begin()
    try MigrationManager(source: old, destination: new)
      .migrateStore(from: store, with: .inferred(from: old, to: new))
    acknowledge(1)
  }
}
