// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesModelFiles
import SporadesPostgreSQL
import SporadesServerStages
import SporadesXcode
import TestServer
import Testing

private enum NotesV1: VersionedSchema {
  @Entity final class Note: ManagedObject {
    var text: String = ""
  }
  static var entities: [ManagedObject.Type] { [Note.self] }
}

private enum NotesV2: VersionedSchema {
  @Entity final class Note: ManagedObject {
    var text: String = ""
    var words: Int = 0
  }
  static var entities: [ManagedObject.Type] { [Note.self] }
}

/// Services whose stores on a server have plans.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct StagedServiceTests {
  private let place: TestStore

  init() throws { place = try TestStore() }

  @Test func aServiceHasObjectsOfItsClassesInEachStage() throws {
    let first = DALService(
      postgres: place.server.address, entities: NotesV1.entities, storeOptions: place.options)
    try first.writeSync { NotesV1.Note.create(in: $0).text = "two words" }.get()
    try first.close()
    let (address, storeOptions) = (place.server.address, place.options)
    // snippet: postgres-plan
    var options = storeOptions
    options.migrationPlan = MigrationPlan([
      .custom(fromVersion: NotesV1.self, toVersion: NotesV2.self) { context in
        for note in try NotesV2.Note.all(in: context) {
          note.words = note.text.split(separator: " ").count
        }
      }
    ])
    let data = DALService(postgres: address, entities: NotesV2.entities, storeOptions: options)
    // snippet end
    let words = try data.readValue { try NotesV2.Note.all(in: $0).map(\.words) }
    #expect(words == [2])
    try data.close()
  }

  /// The versions of a model file are a plan, too.
  @Test func theVersionsOfAModelFileLeadToTheLast() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).xcdatamodeld")
    let versions = [
      ("Shop", StagedShop.first), ("Shop 2", StagedShop.second), ("Shop 3", StagedShop.third),
    ]
    try ModelFile.write(versions, current: "Shop 3", to: file)
    let shop = try StagedShop()
    try shop.fill()
    let plan = ModelFileMigration(contentsOf: file, mappingModelsIn: [])
    let store = try shop.place.open(StagedShop.third) { $0.migrationPlan = plan }
    #expect(try StagedShop.titles(store) == ["a", "b", "c"])
    try store.close()
    try FileManager.default.removeItem(at: file)
  }
}
