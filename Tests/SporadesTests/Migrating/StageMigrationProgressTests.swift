// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// What a program sees of a migration with code while it runs.
@Suite struct StageMigrationProgressTests {
  private let folder: TemporaryFolder
  private let file: URL
  private static let count = 3_000

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("Contacts.sqlite")
    let stack = try DataStack(sqlite: file, entities: ContactsV1.entities)
    try stack.main.performAndWait { context in
      for number in 0..<Self.count {
        ContactsV1.Contact.create(in: context).firstname = "\(number)"
      }
      try context.save()
    }
    if let error = stack.root.close() { throw error }
  }

  /// Migrates, and returns the fractions that an observer heard.
  private func fractions(
    _ progress: MigrationProgress, _ stages: MigrationStage...
  ) throws -> [Double] {
    let heard = Guarded<[Double]>([])
    progress.observe { fraction in heard.withLock { $0.append(fraction) } }
    var options = SQLiteStoreOptions()
    options.migrationPlan = MigrationPlan(stages)
    options.migration.progress = progress
    let stack = try DataStack(sqlite: file, entities: ContactsV2.entities, options: options)
    if let error = stack.root.close() { throw error }
    return heard.withLock(\.self)
  }

  @Test func codeOnObjectsAdvancesIt() throws {
    let progress = MigrationProgress()
    let (before, after) = (Guarded(-1.0), Guarded(-1.0))
    let heard = try fractions(
      progress,
      .custom(
        fromVersion: ContactsV1.self, toVersion: ContactsV2.self,
        willMigrate: { context in
          #expect(progress.fractionCompleted == 0)
          let contacts = try ContactsV1.Contact.all(in: context)
          #expect(contacts.count == Self.count)
          before.withLock { $0 = progress.fractionCompleted }
        },
        didMigrate: { context in
          let begun = progress.fractionCompleted
          #expect(begun > before.withLock(\.self))
          let contacts = try ContactsV2.Contact.all(in: context)
          #expect(contacts.count == Self.count)
          after.withLock { $0 = progress.fractionCompleted - begun }
        }))
    #expect(before.withLock(\.self) > 0.05)
    #expect(after.withLock(\.self) > 0.05)
    #expect(heard == heard.sorted() && heard.last == 1)
    #expect("\(progress)" == "100 %")
  }

  @Test func codeForRowsAdvancesIt() throws {
    let progress = MigrationProgress()
    let seen = Guarded<Set<Double>>([])
    let heard = try fractions(
      progress,
      .rows(
        fromVersion: ContactsV1.self, toVersion: ContactsV2.self,
        [
          RowWork("Contact") { row in
            row["name"] = row.old["firstname"]
            seen.withLock { _ = $0.insert(progress.fractionCompleted) }
          }
        ]))
    #expect(seen.withLock(\.count) > 2)
    #expect(heard == heard.sorted() && heard.last == 1)
  }

  @Test func codeForRowsIsCancelled() throws {
    let progress = MigrationProgress()
    let error = #expect(throws: StoreError.self) {
      _ = try fractions(
        progress,
        .rows(
          fromVersion: ContactsV1.self, toVersion: ContactsV2.self,
          [RowWork("Contact") { _ in progress.cancel() }]))
    }
    #expect(error?.code == .cancelled)
    let stack = try DataStack(sqlite: file, entities: ContactsV1.entities)
    #expect(try stack.main.performAndWait { try ContactsV1.Contact.count(in: $0) } == Self.count)
    if let error = stack.root.close() { throw error }
  }
}
