// SPDX-License-Identifier: MIT
import Foundation
import RawStore
import Sporades

/// The versions of a model with one entity.
enum Readings {
  static let first = model()
  /// With another attribute, and a renamed one.
  static let added = model { entity in
    entity.attributes.append(AttributeDescription("remark", .string, isOptional: true))
    entity.attributes[2].name = "title"
    entity.attributes[2].renamingIdentifier = "label"
  }
  /// With texts in the place of whole numbers.
  static let converted = model { $0.attributes[0].type = .string }
  /// With another attribute alone.
  static let computed = model { entity in
    entity.attributes.append(AttributeDescription("remark", .string, isOptional: true))
  }

  private static func model(
    _ change: (inout EntityDescription) -> Void = { _ in }
  ) -> ManagedObjectModel {
    var entity = EntityDescription(
      "Reading",
      attributes: [
        AttributeDescription("number", .integer64, isOptional: true),
        AttributeDescription("value", .double, isOptional: true),
        AttributeDescription("label", .string, isOptional: true),
      ])
    change(&entity)
    do throws(ModelError) { return try ManagedObjectModel(entities: [entity]) } catch {
      preconditionFailure("\(error)")
    }
  }

  /// A version with as many attributes more.
  static func version(_ number: Int, isIndexed: Bool) -> ManagedObjectModel {
    model { entity in
      for place in 0..<number {
        entity.attributes.append(AttributeDescription("remark\(place)", .string, isOptional: true))
      }
      if isIndexed { entity.indexes = [FetchIndexDescription("byNumber", on: "number")] }
    }
  }

  static func make(at path: String, _ count: Int) throws {
    try SQLiteStore(path: path, model: first).close()
    let database = RawDatabase(path)
    database.execute("BEGIN")
    RawMigration.fill(database, count)
    database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}

/// A change of a file from one version of the model to the next, with all that it needs to be safe.
protocol MigrationWorkload: Workload {
  static var version: ManagedObjectModel { get }
  static var columns: [String] { get }
  static var options: SQLiteStoreOptions { get }
  static var byHand: (String, _ donor: String) -> Void { get }
}

extension MigrationWorkload {
  static var options: SQLiteStoreOptions { SQLiteStoreOptions() }

  func raw(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    let donor = try donor(beside: path)
    watch.time { Self.byHand(path, donor) }
    return checksum(path)
  }

  /// The empty store of the next version. The round that does not count makes it, so that both sides begin right behind the
  /// copy of their file, with the same caches.
  private func donor(beside path: String) throws -> String {
    let donor = URL(fileURLWithPath: path).deletingLastPathComponent()
      .appendingPathComponent("\(Self.key).donor").path
    if !FileManager.default.fileExists(atPath: donor) {
      try SQLiteStore(path: donor, model: Self.version).close()
    }
    return donor
  }

  func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
    try watch.time {
      _ = try SQLiteStore.migrate(
        storeAt: URL(fileURLWithPath: path), to: Self.version, options: Self.options)
    }
    return checksum(path)
  }

  private func checksum(_ path: String) -> UInt64 {
    var sum = Checksum()
    for number in RawMigration.contents(RawDatabase(path), Self.columns) { sum.add(Int(number)) }
    return sum.value
  }
}

struct MigrateAdd: MigrationWorkload {
  static let key = "migrate_add"
  static let title = "add an attribute and rename another, a million rows"
  static let start = Template.readings
  static let mostMilliseconds: Double? = 25
  static let version = Readings.added
  static let columns = ["ZNUMBER", "ZVALUE", "ZTITLE"]
  static let byHand = RawMigration.add

  init(_ sample: Sample) {}
}

struct MigrateConvert: MigrationWorkload {
  static let key = "migrate_convert"
  static let title = "whole numbers become texts, a million rows"
  static let start = Template.readings
  static let version = Readings.converted
  static let columns = ["ZNUMBER", "ZVALUE", "ZLABEL"]
  static let byHand = RawMigration.convert

  init(_ sample: Sample) {}
}

struct MigrateCustom: MigrationWorkload {
  static let key = "migrate_custom"
  static let title = "a value computed for each row"
  static let start = Template.fewReadings
  static let version = Readings.computed
  static let columns = ["ZNUMBER", "ZVALUE", "ZLABEL", "ZREMARK"]
  static let byHand = RawMigration.compute

  static var options: SQLiteStoreOptions {
    var options = SQLiteStoreOptions()
    options.migrationPlan = MigrationPlan([
      .rows(
        from: Readings.first, to: Readings.computed,
        [
          RowWork("Reading") { row in
            guard case .string(let label) = row.old["label"],
              case .integer(let number) = row.old["number"]
            else { return }
            row["remark"] = .string("\(label): \(number)")
          }
        ])
    ])
    return options
  }

  init(_ sample: Sample) {}
}
