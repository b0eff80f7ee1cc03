// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesXcode
import Testing

// snippet: migration-schemas
enum PeopleV1: VersionedSchema {
  @Entity final class Contact: ManagedObject {
    var firstname: String?
    var lastname: String?
  }
  static var entities: [ManagedObject.Type] { [Contact.self] }
}

enum PeopleV2: VersionedSchema {
  @Entity final class Contact: ManagedObject {
    var firstname: String?
    var lastname: String?
    var name: String?
  }
  static var entities: [ManagedObject.Type] { [Contact.self] }
}
// snippet end

enum PeopleV3: VersionedSchema {
  @Entity final class Contact: ManagedObject {
    var name: String?
  }
  static var entities: [ManagedObject.Type] { [Contact.self] }
}

// snippet: migration-stages
enum PeoplePlan: SchemaMigrationPlan {
  static var stages: [MigrationStage] {
    [
      .custom(fromVersion: PeopleV1.self, toVersion: PeopleV2.self, label: "full names") {
        for contact in try PeopleV2.Contact.all(in: $0) {
          contact.name = "\(contact.firstname ?? "") \(contact.lastname ?? "")"
        }
      },
      .lightweight(fromVersion: PeopleV2.self, toVersion: PeopleV3.self),
    ]
  }
}
// snippet end

// snippet: migration-composites
enum AddressV1: VersionedSchema {
  @Entity final class Contact: ManagedObject {
    var street: String?
    var town: String?
  }
  static var entities: [ManagedObject.Type] { [Contact.self] }
}

enum AddressV2: VersionedSchema {
  @Composite struct Address {
    @Attribute(.renamed(from: "street")) var street: String?
    @Attribute(.renamed(from: "town")) var city: String?
  }
  @Entity final class Contact: ManagedObject {
    var address: Address?
  }
  static var entities: [ManagedObject.Type] { [Contact.self] }
}

enum AddressV3: VersionedSchema {
  @Entity final class Contact: ManagedObject {
    @Attribute(.renamed(from: "address.street")) var street: String?
    @Attribute(.renamed(from: "address.city")) var city: String?
  }
  static var entities: [ManagedObject.Type] { [Contact.self] }
}
// snippet end

/// The code in the article about migration.
@Suite struct MigrationDocumentationTests {
  private typealias Contact = PeopleV2.Contact

  private func makeFile() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sporades-migration-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("People.sqlite")
    let stack = try DataStack(sqlite: file, entities: PeopleV1.entities)
    try stack.newContext().performAndWait { context in
      let contact = PeopleV1.Contact.create(in: context)
      (contact.firstname, contact.lastname) = ("Jane", "Austen")
      try context.save()
    }
    try stack.store.close()
    return file
  }

  @Test func inAdvance() throws {
    let file = try makeFile()
    let model = try PeopleV2.model
    // snippet: migration-forecast
    let forecast = try SQLiteStore.migrationForecast(forStoreAt: file, to: model)
    print(forecast)
    if !forecast.problems.isEmpty { print("The store would be refused, and stay as it is.") }
    if !forecast.losses.isEmpty { print("These values would be gone.") }
    // snippet end
    #expect(!forecast.steps.isEmpty)
    #expect(forecast.losses.isEmpty && forecast.problems.isEmpty)
  }

  @Test func inAdvanceWithAPlan() throws {
    let file = try makeFile()
    let plan = MigrationPlan(PeoplePlan.self)
    // snippet: migration-plan-forecast
    let forecast = try SQLiteStore.migrationForecast(
      forStoreAt: file, to: PeopleV2.model, plan: plan)
    if forecast.problems.isEmpty { print("\(forecast.problemsLeftToCode.count) things to repair") }
    // snippet end
    #expect(!forecast.steps.isEmpty && forecast.problems.isEmpty)
  }

  @Test func severalStages() throws {
    let file = try makeFile()
    // snippet: migration-progress
    let progress = MigrationProgress()
    progress.observe { fraction in print("\(Int(fraction * 100)) %") }
    var options = SQLiteStoreOptions()
    options.migration.progress = progress
    // snippet end
    options.migrationPlan = MigrationPlan(PeoplePlan.self)
    let data = DALService(sqlite: file, entities: PeopleV3.entities, storeOptions: options)
    #expect(try data.readValue { try PeopleV3.Contact.first(in: $0)?.name } == "Jane Austen")
    try data.close()
    #expect(progress.fractionCompleted == 1)
  }

  @Test func settings() throws {
    let file = try makeFile()
    let progress = MigrationProgress()
    // snippet: migration-options
    var options = SQLiteStoreOptions()
    options.migration.keepsCopy = true
    options.migration.progress = progress
    let data = DALService(sqlite: file, entities: [Contact.self], storeOptions: options)
    // snippet end
    #expect(try data.readValue { try Contact.first(in: $0)?.firstname } == "Jane")
    try data.close()
    #expect(progress.fractionCompleted == 1)
    let former = try DataStack(
      sqlite: URL(fileURLWithPath: try #require(progress.formerStorePath)),
      entities: PeopleV1.entities)
    #expect(try former.main.performAndWait { try PeopleV1.Contact.count(in: $0) } == 1)
    try former.store.close()
  }

  @Test func codeBetweenVersions() throws {
    let file = try makeFile()
    // snippet: migration-plan
    let plan = MigrationPlan([
      .custom(fromVersion: PeopleV1.self, toVersion: PeopleV2.self) { context in
        for contact in try PeopleV2.Contact.all(in: context) {
          contact.name = "\(contact.firstname ?? "") \(contact.lastname ?? "")"
        }
      }
    ])
    var options = SQLiteStoreOptions()
    options.migrationPlan = plan
    let data = DALService(sqlite: file, entities: PeopleV2.entities, storeOptions: options)
    // snippet end
    #expect(try data.readValue { try Contact.first(in: $0)?.name } == "Jane Austen")
    try data.close()
  }

  @Test func valuesThatCross() throws {
    let file = try makeFile()
    // snippet: migration-carrying
    let plan = MigrationPlan([
      .custom(
        fromVersion: PeopleV1.self, toVersion: PeopleV3.self,
        willMigrate: { context in
          try PeopleV1.Contact.all(in: context).map { contact in
            (contact.objectID, "\(contact.firstname ?? "") \(contact.lastname ?? "")")
          }
        },
        didMigrate: { context, names in
          for (id, name) in names {
            try context.object(PeopleV3.Contact.self, migratedFrom: id)?.name = name
          }
        })
    ])
    // snippet end
    var options = SQLiteStoreOptions()
    options.migrationPlan = plan
    let data = DALService(sqlite: file, entities: PeopleV3.entities, storeOptions: options)
    #expect(try data.readValue { try PeopleV3.Contact.first(in: $0)?.name } == "Jane Austen")
    try data.close()
  }

  @Test func codeForRows() throws {
    let file = try makeFile()
    // snippet: migration-rows
    let plan = MigrationPlan([
      .rows(
        fromVersion: PeopleV1.self, toVersion: PeopleV2.self,
        [
          RowWork("Contact") { row in
            guard case .string(let first) = row.old["firstname"] else { return }
            row["name"] = .string(first)
          }
        ])
    ])
    // snippet end
    var options = SQLiteStoreOptions()
    options.migrationPlan = plan
    let data = DALService(sqlite: file, entities: PeopleV2.entities, storeOptions: options)
    #expect(try data.readValue { try Contact.first(in: $0)?.name } == "Jane")
    try data.close()
  }

  @Test func membersOfComposites() throws {
    let file = try makeFile().deletingLastPathComponent().appendingPathComponent("Addresses.sqlite")
    let first = try DataStack(sqlite: file, entities: AddressV1.entities)
    try first.newContext().performAndWait { context in
      let contact = AddressV1.Contact.create(in: context)
      (contact.street, contact.town) = ("Main St", "Bath")
      try context.save()
    }
    try first.store.close()
    let second = try DataStack(sqlite: file, entities: AddressV2.entities)
    try second.newContext().performAndWait { context in
      let address = try AddressV2.Contact.first(in: context)?.address
      #expect(address?.street == "Main St" && address?.city == "Bath")
    }
    try second.store.close()
    let third = try DataStack(sqlite: file, entities: AddressV3.entities)
    try third.newContext().performAndWait { context in
      let contact = try AddressV3.Contact.first(in: context)
      #expect(contact?.street == "Main St" && contact?.city == "Bath")
    }
    try third.store.close()
  }

  @Test func versionsInAModelFile() throws {
    let folder = try makeFile().deletingLastPathComponent()
    let file = folder.appendingPathComponent("Notes.sqlite")
    let models = folder.appendingPathComponent("People.xcdatamodeld")
    let model = try PeopleV2.model
    try ModelFile.write(
      [("People", try PeopleV1.model), ("People 2", model)], current: "People 2", to: models)
    // snippet: migration-model-file
    var options = SQLiteStoreOptions()
    options.migrationPlan = ModelFileMigration(contentsOf: models)
    let stack = try DataStack(sqlite: file, model: model, options: options)
    // snippet end
    try stack.store.close()
  }
}
