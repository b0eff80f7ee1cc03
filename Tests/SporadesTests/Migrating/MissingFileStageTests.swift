// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Testing

/// A stage with code needs a copy of the store, also of its large values.
@Suite struct MissingFileStageTests {
  private let folder: MigrationFolder
  private let url: URL
  private let old: ManagedObjectModel
  private let new: ManagedObjectModel

  /// A store with three pictures, the second of which has lost its file.
  init() throws {
    folder = try MigrationFolder()
    url = folder.url.appendingPathComponent("shop.sqlite")
    var picture = AttributeDescription("picture", .binary, isOptional: true)
    picture.allowsExternalBinaryDataStorage = true
    let name = AttributeDescription("name", .string, isOptional: true)
    old = try ManagedObjectModel(entities: [EntityDescription("Item", attributes: [picture])])
    new = try ManagedObjectModel(entities: [EntityDescription("Item", attributes: [picture, name])])
    let values = folder.url.appendingPathComponent(".shop_SUPPORT/_EXTERNAL_DATA")
    let manager = FileManager.default
    var names: [Set<String>] = []
    for number in 1...3 {
      try withObjects(of: url, old) { context in
        try context.add(
          "Item", ["picture": .data(Data(repeating: UInt8(number), count: 200_000))])
      }
      names.append(Set(try manager.contentsOfDirectory(atPath: values.path)))
    }
    let lost = try #require(names[1].subtracting(names[0]).first)
    try manager.removeItem(at: values.appendingPathComponent(lost))
  }

  private func check(_ body: () throws -> Void) throws {
    let error = #expect(throws: StoreError.self, performing: body)
    guard case .cannotMigrate(let problems)? = error?.code else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(problems.map(\.kind) == [.unreadableFile])
    #expect(problems.map(\.entity) == ["Item"] && problems.map(\.property) == ["picture"])
    #expect(problems.map(\.keys) == [[2]] && problems.map(\.count) == [1])
    #expect(error?.isRetryable == false)
    #expect(try folder.names == [".shop_SUPPORT", "shop.sqlite"])
  }

  private func options(_ stage: MigrationStage) -> SQLiteStoreOptions {
    var options = SQLiteStoreOptions()
    options.migrationPlan = MigrationPlan([stage])
    return options
  }

  @Test func aStageWithCodeNamesTheRow() throws {
    let stage = MigrationStage.custom(from: old, to: new) { _ in }
    try check { try SQLiteStore(url: url, model: new, options: options(stage)).close() }
  }

  @Test func aMappingNamesTheRow() throws {
    let stage = MigrationStage.mapping(from: old, to: new, .inferred(from: old, to: new))
    try check { try SQLiteStore(url: url, model: new, options: options(stage)).close() }
    try check {
      try MigrationManager(source: old, destination: new)
        .migrateStore(from: url, with: .inferred(from: old, to: new))
    }
  }

  @Test func aCopyOfTheFormerStoreNamesTheRow() throws {
    var options = SQLiteStoreOptions()
    options.migration.keepsCopy = true
    try check { try SQLiteStore(url: url, model: new, options: options).close() }
    options.migration.keepsCopy = false
    try SQLiteStore(url: url, model: new, options: options).close()
  }
}
