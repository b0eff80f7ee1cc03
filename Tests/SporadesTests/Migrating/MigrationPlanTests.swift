// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

@testable import Sporades

/// A plan takes stores of its versions to the program's, all stages or none.
@Suite struct MigrationPlanTests {
  private let folder: TemporaryFolder
  private let file: URL
  private let photo = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("Contacts.sqlite")
  }

  /// Makes a store of the first version with two contacts.
  private func makeFirst() throws {
    let stack = try DataStack(sqlite: file, entities: ContactsV1.entities)
    try stack.main.performAndWait { context in
      for (first, last) in [("Ada", "Lovelace"), ("Alan", "Turing")] {
        let contact = ContactsV1.Contact.create(in: context)
        (contact.firstname, contact.lastname, contact.photo) = (first, last, photo)
      }
      try context.save()
    }
    if let error = stack.root.close() { throw error }
  }

  private func options(_ plan: MigrationPlan) -> SQLiteStoreOptions {
    var options = SQLiteStoreOptions()
    options.migrationPlan = plan
    return options
  }

  /// The names in the store, opened with the last version.
  private func names(_ options: SQLiteStoreOptions) throws -> [String?] {
    let stack = try DataStack(sqlite: file, entities: ContactsV3.entities, options: options)
    let names = try stack.main.performAndWait { context in
      let contacts = try ContactsV3.Contact.all(sortedBy: \.name, in: context)
      #expect(contacts.allSatisfy { $0.photo == photo })
      return contacts.map(\.name)
    }
    if let error = stack.root.close() { throw error }
    return names
  }

  private func firstNames() throws -> [String?] {
    let stack = try DataStack(sqlite: file, entities: ContactsV1.entities)
    let names = try stack.main.performAndWait { context in
      let contacts = try ContactsV1.Contact.all(sortedBy: \.firstname, in: context)
      #expect(contacts.allSatisfy { $0.photo == photo })
      return contacts.map(\.firstname)
    }
    if let error = stack.root.close() { throw error }
    return names
  }

  /// What lies in the folder besides the store: the files of large values, and nothing else.
  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter {
      !$0.hasPrefix("Contacts.sqlite") && $0 != ".Contacts_SUPPORT"
    }
  }

  @Test func allStagesRunInTheirOrder() throws {
    try makeFirst()
    let identifier = try SQLiteStore.metadata(ofStoreAt: file)["NSStoreUUID"]
    let names = try names(options(MigrationPlan(ContactsPlan.self)))
    #expect(names == ["Ada Lovelace", "Alan Turing"])
    #expect(try SQLiteStore.metadata(ofStoreAt: file)["NSStoreUUID"] == identifier)
    #expect(try self.names(SQLiteStoreOptions()) == names)
    #expect(try leftovers() == [])
  }

  @Test func codeBeforeTheChangesSeesTheOlderObjects() throws {
    try makeFirst()
    let plan = MigrationPlan([
      .custom(
        fromVersion: ContactsV1.self, toVersion: ContactsV2.self,
        willMigrate: { context in
          for contact in try ContactsV1.Contact.all(in: context) { contact.lastname = "Unknown" }
        },
        didMigrate: { context in
          for contact in try ContactsV2.Contact.all(in: context) {
            contact.name = "\(contact.firstname ?? "") \(contact.lastname ?? "")"
          }
        }),
      .lightweight(fromVersion: ContactsV2.self, toVersion: ContactsV3.self),
    ])
    #expect(try names(options(plan)) == ["Ada Unknown", "Alan Unknown"])
  }

  @Test func aStageThatFailsLeavesTheStoreAsItWas() throws {
    struct Mishap: Error {}
    try makeFirst()
    let plan = MigrationPlan([
      .custom(
        fromVersion: ContactsV1.self, toVersion: ContactsV2.self, label: "half",
        didMigrate: { context in
          for contact in try ContactsV2.Contact.all(in: context) { contact.delete(in: context) }
          try context.save()
          throw Mishap()
        }),
      .lightweight(fromVersion: ContactsV2.self, toVersion: ContactsV3.self),
    ])
    let error = try #require(throws: StoreError.self) { try names(options(plan)) }
    #expect(error.description.contains("The stage \"half\""))
    #expect(error.underlying is Mishap)
    #expect(try firstNames() == ["Ada", "Alan"])
    #expect(try leftovers() == [])
  }

  @Test func aCancelledPlanLeavesTheStoreAsItWas() throws {
    try makeFirst()
    let progress = MigrationProgress()
    progress.observe { _ in progress.cancel() }
    var options = options(MigrationPlan(ContactsPlan.self))
    options.migration.progress = progress
    let error = try #require(throws: StoreError.self) { try names(options) }
    #expect(error.code == .cancelled)
    #expect(try firstNames() == ["Ada", "Alan"])
    #expect(try leftovers() == [])
  }

  @Test func twoStagesForOneStepAreRefused() throws {
    try makeFirst()
    let plan = MigrationPlan([
      .lightweight(fromVersion: ContactsV1.self, toVersion: ContactsV2.self),
      .custom(
        fromVersion: ContactsV1.self, toVersion: ContactsV2.self,
        didMigrate: { _ in Issue.record("The store was migrated.") }),
      .lightweight(fromVersion: ContactsV2.self, toVersion: ContactsV3.self),
    ])
    let error = #expect(throws: StoreError.self) { try names(options(plan)) }
    #expect(
      error?.description.contains(
        "Two stages of the migration plan lead from ContactsV1 to ContactsV2") == true)
    #expect(try firstNames() == ["Ada", "Alan"])
  }

  @Test func aVersionThatThePlanDoesNotKnowIsRefused() throws {
    try makeFirst()
    let plan = MigrationPlan([
      .lightweight(fromVersion: ContactsV2.self, toVersion: ContactsV3.self)
    ])
    let error = try #require(throws: StoreError.self) { try names(options(plan)) }
    let checksum = try ContactsV1.model.versionChecksum
    #expect(error.description.contains("does not know the store's version"))
    #expect(error.description.contains(checksum))
    for part in [
      "It knows ContactsV2, ContactsV3.", "The nearest of them is ContactsV2",
      "both differ in Contact.", "Contact.name is new",
    ] { #expect(error.description.contains(part), "\(error)") }
    #expect(error.code == .incompatibleModel(["Contact"]))
    #expect(try firstNames() == ["Ada", "Alan"])
  }

  @Test func theWayBackIsRefusedUnlessAStageLeadsThere() throws {
    try makeFirst()
    let plan = MigrationPlan(ContactsPlan.self)
    #expect(try names(options(plan)).count == 2)
    let error = try #require(throws: StoreError.self) {
      _ = try DataStack(sqlite: file, entities: ContactsV1.entities, options: options(plan))
    }
    for part in [
      "use a newer one", "leads from the store's version, ContactsV3,",
      "Contact.firstname is new",
    ] { #expect(error.description.contains(part), "\(error)") }
    let back = MigrationPlan([
      .custom(
        fromVersion: ContactsV3.self, toVersion: ContactsV1.self,
        didMigrate: { context in
          for contact in try ContactsV1.Contact.all(in: context) { contact.firstname = "Back" }
        })
    ])
    let stack = try DataStack(
      sqlite: file, entities: ContactsV1.entities, options: options(back))
    if let error = stack.root.close() { throw error }
    #expect(try firstNames() == ["Back", "Back"])
  }

  @Test func aStoreThatIsOpenIsNotMigratedWithCode() throws {
    try makeFirst()
    let open = try DataStack(sqlite: file, entities: ContactsV1.entities)
    let error = try #require(throws: StoreError.self) {
      try names(options(MigrationPlan(ContactsPlan.self)))
    }
    #expect(error.code == .busy)
    if let error = open.root.close() { throw error }
    #expect(try names(options(MigrationPlan(ContactsPlan.self))).count == 2)
  }

  /// A process ended during a migration, and left its draft.
  @Test func anOldDraftIsNoObstacle() throws {
    try makeFirst()
    for end in ["", "-wal", "-shm"] {
      try Data("old".utf8).write(to: folder.file(".Contacts.sqlite.draft\(end)"))
    }
    #expect(
      try names(options(MigrationPlan(ContactsPlan.self))) == ["Ada Lovelace", "Alan Turing"])
    #expect(try leftovers() == [])
  }

  @Test func theForecastChangesNothing() throws {
    try makeFirst()
    let before = try Data(contentsOf: file)
    let forecast = try SQLiteStore.migrationForecast(
      forStoreAt: file, to: ContactsV3.model, options: options(MigrationPlan(ContactsPlan.self)))
    #expect(
      forecast.steps.map(\.text) == [
        "copy the store to a draft beside it", "add the column ZNAME to ZCONTACT",
        "run the code of the stage \"full names\" on objects", "change one version in place",
      ])
    #expect(forecast.bytes >= before.count)
    #expect(forecast.notes.contains { $0.contains("the first of 2 parts") })
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func theForecastOfInferredStagesIsThatOfOneChange() throws {
    try makeFirst()
    let plan = MigrationPlan([
      .lightweight(fromVersion: ContactsV1.self, toVersion: ContactsV2.self),
      .lightweight(fromVersion: ContactsV2.self, toVersion: ContactsV3.self),
    ])
    let forecast = try SQLiteStore.migrationForecast(
      forStoreAt: file, to: ContactsV3.model, options: options(plan))
    let lost = forecast.losses.compactMap(\.property)
    #expect(lost.sorted() == ["firstname", "lastname"])
    #expect(forecast.losses.allSatisfy { $0.count == 2 })
  }

  // MARK: - Openings

  /// A plan that notes its calls, and changes nothing.
  private final class IdlePlan: StoreMigrationPlan {
    let calls = Guarded(0)

    func migrate(
      storeAt url: URL, to model: ManagedObjectModel, options: SQLiteStoreOptions
    ) throws(StoreError) {
      calls.withLock { $0 += 1 }
    }

    func forecast(
      forStoreAt url: URL, to model: ManagedObjectModel, options: SQLiteStoreOptions
    ) throws(StoreError) -> MigrationForecast { MigrationForecast() }
  }

  @Test func aPlanRunsOnceAndOnlyForAnotherVersion() throws {
    try makeFirst()
    let plan = IdlePlan()
    var options = SQLiteStoreOptions()
    options.migrationPlan = plan
    let stack = try DataStack(sqlite: file, entities: ContactsV1.entities, options: options)
    if let error = stack.root.close() { throw error }
    #expect(plan.calls.withLock { $0 } == 0)
    let error = try #require(throws: StoreError.self) { try names(options) }
    #expect(error.code == .busy)
    #expect(plan.calls.withLock { $0 } == 1)
    #expect(try firstNames() == ["Ada", "Alan"])
  }
}
