// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesXcode
import Testing

/// The migration of a file by a mapping model: all or nothing, with large values, identity and metadata.
@Suite final class MigrationFileTests: StoreOfTwoModels {
  init() throws {
    let (name, picture) = (AttributeDescription("name", .string), Self.largePicture)
    try super.init(
      [EntityDescription("Item", attributes: [name, picture])],
      [
        EntityDescription(
          "Item",
          attributes: [name, picture, .init("length", .integer64, defaultValue: 0)]),
        EntityDescription("Aisle", attributes: [.init("number", .integer16)]),
      ])
  }

  private static func picture(_ number: Int) -> Data {
    Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
  }

  private func fill() throws {
    let store = try SQLiteStore(url: url, model: old)
    try withObjects(of: store) { context in
      for number in 1...3 {
        try context.add(
          "Item", ["name": .string("I\(number)"), "picture": .data(Self.picture(number))])
      }
    }
    try store.setMetadata(["shop": .string("open")])
    try store.close()
  }

  private var mapping: MappingModel {
    var model = MappingModel.inferred(from: old, to: new)
    model["IEM_Transform_Item"]?[attribute: "length"] = PropertyMapping(
      "length", "length($source.name)")
    return model
  }

  @Test func aFileIsMigratedInPlaceWithItsLargeValues() throws {
    try fill()
    let before = try SQLiteStore.metadata(ofStoreAt: url)
    let manager = MigrationManager(source: old, destination: new)
    try manager.migrateStore(from: url, with: mapping)
    #expect(manager.migrationProgress.fractionCompleted == 1)
    try withObjects(of: url, new) { (context) throws in
      let items = try context.all("Item")
      #expect(items.map { $0["name"] } == ["I1", "I2", "I3"])
      #expect(items.map { $0["length"] } == [2, 2, 2])
      #expect(items.map { $0["picture"] } == (1...3).map { .data(Self.picture($0)) })
    }
    let after = try SQLiteStore.metadata(ofStoreAt: url)
    #expect(after["NSStoreUUID"] == before["NSStoreUUID"])
    #expect(after["shop"] == .string("open"))
    #expect(after["SporadesModelLineage"] == .list([.string(old.versionChecksum)]))
    #expect(try folder.names == [".shop_SUPPORT", "shop.sqlite"])
    let files = try FileManager.default.contentsOfDirectory(
      atPath: folder.url.appendingPathComponent(".shop_SUPPORT/_EXTERNAL_DATA").path)
    #expect(files.count == 3)
  }

  @Test func anotherFileIsMadeAndTheSourceStays() throws {
    try fill()
    let other = folder.url.appendingPathComponent("new.sqlite")
    let manager = MigrationManager(source: old, destination: new)
    try manager.migrateStore(from: url, to: other, with: mapping)
    try withObjects(of: url, old) { (context) throws in
      #expect(try context.all("Item").count == 3)
    }
    try withObjects(of: other, new) { (context) throws in
      #expect(
        try context.all("Item").map { $0["picture"] } == (1...3).map { .data(Self.picture($0)) })
    }
  }

  @Test func aFailedMigrationLeavesTheFileAsItWas() throws {
    try fill()
    var mapping = mapping
    mapping["IEM_Transform_Item"]?[attribute: "length"] = PropertyMapping("length", "$source.name")
    let manager = MigrationManager(source: old, destination: new)
    #expect(throws: StoreError.self) { try manager.migrateStore(from: url, with: mapping) }
    try withObjects(of: url, old) { (context) throws in
      #expect(
        try context.all("Item").map { $0["picture"] } == (1...3).map { .data(Self.picture($0)) })
    }
    #expect(try folder.names == [".shop_SUPPORT", "shop.sqlite"])
  }

  @Test func theDraftOfAKilledMigrationIsRemoved() throws {
    try fill()
    let draft = folder.url.appendingPathComponent(".shop.sqlite.draft")
    try Data().write(to: draft)
    try MigrationManager(source: old, destination: new).migrateStore(from: url, with: mapping)
    #expect(try folder.names == [".shop_SUPPORT", "shop.sqlite"])
    let store = try SQLiteStore(url: draft, model: old)
    try withObjects(of: store) { try $0.add("Item", ["name": "x"]) }
    try store.close()
    try MigrationManager(source: new, destination: old)
      .migrateStore(from: url, with: .inferred(from: new, to: old))
    try withObjects(of: url, old) { (context) throws in
      #expect(try context.all("Item").count == 3)
    }
    #expect(try folder.names == [".shop_SUPPORT", "shop.sqlite"])
  }

  @Test func aStoreThatIsOpenIsNotReplaced() throws {
    try fill()
    let open = try SQLiteStore(url: url, model: old)
    let error = #expect(throws: StoreError.self) {
      try MigrationManager(source: old, destination: new).migrateStore(from: url, with: mapping)
    }
    #expect(error?.code == .busy)
    try open.close()
    try withObjects(of: url, old) { (context) throws in
      #expect(try context.all("Item").count == 3)
    }
  }

  @Test func aStoreOfAnotherVersionIsRefused() throws {
    try fill()
    let error = #expect(throws: StoreError.self) {
      try MigrationManager(source: new, destination: old)
        .migrateStore(from: url, with: .inferred(from: new, to: old))
    }
    guard case .incompatibleModel? = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
