// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

enum StaffV1: VersionedSchema {
  @Entity final class Person: ManagedObject {
    var name: String = ""
    var mail: String?
    var age: String = ""
  }
  static var entities: [ManagedObject.Type] { [Person.self] }
}

enum StaffV2: VersionedSchema {
  @Entity final class Person: ManagedObject {
    var first: String
    @Attribute(.unique, .renamed(from: "mail")) var email: String?
    var age: Int = 0
  }
  static var entities: [ManagedObject.Type] { [Person.self] }
}

/// What the forecast of a plan says of that which the plan's code may repair or carry over.
@Suite struct PlanForecastMigrationTests {
  private let folder: TemporaryFolder
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.file("Staff.sqlite")
    let stack = try DataStack(sqlite: file, entities: StaffV1.entities)
    try stack.main.performAndWait { context in
      for (name, age) in [("Ada", "36"), ("Alan", "unknown")] {
        let person = StaffV1.Person.create(in: context)
        (person.name, person.mail, person.age) = (name, "same", age)
      }
      try context.save()
    }
    if let error = stack.root.close() { throw error }
  }

  private func forecast(_ stages: MigrationStage...) throws -> MigrationForecast {
    try SQLiteStore.migrationForecast(
      forStoreAt: file, to: StaffV2.model, plan: MigrationPlan(stages))
  }

  private func open(_ stages: MigrationStage...) throws -> [String] {
    var options = SQLiteStoreOptions()
    options.migrationPlan = MigrationPlan(stages)
    let stack = try DataStack(sqlite: file, entities: StaffV2.entities, options: options)
    let people = try stack.main.performAndWait { context in
      try StaffV2.Person.all(sortedBy: \.first, in: context).map {
        "\($0.first) \($0.email ?? "-") \($0.age)"
      }
    }
    if let error = stack.root.close() { throw error }
    return people
  }

  private static func repair(_ context: ManagedObjectContext) throws -> [ManagedObjectID: String] {
    var names: [ManagedObjectID: String] = [:]
    for person in try StaffV1.Person.all(in: context) {
      if person.age == "unknown" { person.age = "41" }
      if person.name == "Alan" { person.mail = nil }
      names[person.objectID] = person.name
    }
    return names
  }

  private static func name(
    _ context: ManagedObjectContext, _ names: [ManagedObjectID: String]
  ) throws {
    for (id, name) in names {
      try context.object(StaffV2.Person.self, migratedFrom: id)?.first = name
    }
  }

  @Test func codeOnObjectsMayRepairAndCarry() throws {
    let stage = MigrationStage.custom(
      fromVersion: StaffV1.self, toVersion: StaffV2.self,
      willMigrate: { try Self.repair($0) }, didMigrate: { try Self.name($0, $1) })
    let forecast = try forecast(stage)
    #expect(forecast.problems == [] && forecast.losses == [])
    #expect(
      forecast.problemsLeftToCode.map(\.kind) == [
        .missingValue, .inconvertibleValue, .duplicates,
      ])
    #expect(forecast.problemsLeftToCode.allSatisfy { $0.isLeftToCode })
    #expect(
      forecast.lossesLeftToCode == [.init(entity: "Person", property: "name", count: 2)])
    let text = forecast.description
    #expect(text.contains("The code of the plan has to repair:\n  2 objects have no value"))
    #expect(text.contains("may carry over, and the rest is lost:\n  Person.name: 2"))
    #expect(try open(stage) == ["Ada same 36", "Alan - 41"])
  }

  /// Objects of the newer version have no values that did not come over, and no duplicates.
  @Test func codeAfterTheChangesMayOnlyFill() throws {
    let forecast = try forecast(
      .custom(fromVersion: StaffV1.self, toVersion: StaffV2.self) { _ in })
    #expect(forecast.problems.map(\.kind) == [.inconvertibleValue, .duplicates])
    #expect(!forecast.problems.contains { $0.isLeftToCode })
    #expect(forecast.problemsLeftToCode.map(\.kind) == [.missingValue])
    #expect(forecast.losses.map(\.property) == ["name"] && forecast.lossesLeftToCode == [])
  }

  /// Nobody can fill an attribute that the older version lacks.
  @Test func codeBeforeTheChangesDoesNotFillWhatIsNew() throws {
    let stage = MigrationStage.custom(
      fromVersion: StaffV1.self, toVersion: StaffV2.self,
      willMigrate: { _ = try Self.repair($0) }, didMigrate: nil)
    let forecast = try forecast(stage)
    #expect(forecast.problems.map(\.kind) == [.missingValue])
    #expect(forecast.problemsLeftToCode.map(\.kind) == [.inconvertibleValue, .duplicates])
    #expect(throws: StoreError.self) { try open(stage) }
  }

  @Test func codeForRowsMayRepairAndCarry() throws {
    let stage = MigrationStage.rows(
      fromVersion: StaffV1.self, toVersion: StaffV2.self,
      [
        RowWork("Person") { row in
          row["first"] = row.old["name"]
          if row.old["name"] == .string("Alan") {
            (row["age"], row["email"]) = (.integer(41), .null)
          } else {
            row["age"] = .integer(36)
          }
        }
      ])
    let forecast = try forecast(stage)
    #expect(forecast.problems == [] && forecast.losses == [])
    #expect(forecast.problemsLeftToCode.count == 3)
    #expect(forecast.lossesLeftToCode.map(\.property) == ["name"])
    #expect(try open(stage) == ["Ada same 36", "Alan - 41"])
  }

  @Test func withoutCodeEverythingIsFinal() throws {
    let forecast = try forecast(
      .lightweight(fromVersion: StaffV1.self, toVersion: StaffV2.self))
    #expect(forecast.problems.count == 3 && forecast.problemsLeftToCode == [])
    #expect(forecast.losses.count == 1 && forecast.lossesLeftToCode == [])
    let same = try MigrationPlan([
      .lightweight(fromVersion: StaffV1.self, toVersion: StaffV2.self)
    ]).forecast(forStoreAt: file, to: StaffV2.model)
    #expect(same == forecast)
  }
}
