// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import SporadesXcode
import Testing

@testable import Sporades

/// `keepsCopy` with every kind of plan.
@Suite final class KeptCopyTests: StoreOfTwoModels {
  enum Kind: CaseIterable {
    case lightweight, rows, custom, mapping, modelFile, inferred
  }

  init() throws {
    try super.init(
      [EntityDescription("Item", attributes: [Self.text("name")])],
      [EntityDescription("Item", attributes: [Self.text("name"), Self.text("note")])])
    let stack = try DataStack(sqlite: url, model: old)
    try stack.main.performAndWait { context in
      try context.insert(entityNamed: "Item")["name"] = "kept"
      try context.save()
    }
    if let error = stack.root.close() { throw error }
  }

  private var copy: URL { folder.url.appendingPathComponent("shop-before-1.sqlite") }

  private func options(_ kind: Kind) throws -> SQLiteStoreOptions {
    var options = SQLiteStoreOptions()
    options.migration.keepsCopy = true
    options.migration.progress = MigrationProgress()
    options.migrationPlan =
      switch kind {
      case .inferred: nil
      case .lightweight: MigrationPlan([.lightweight(from: old, to: new)])
      case .rows:
        MigrationPlan([.rows(from: old, to: new, [RowWork("Item") { $0["note"] = "x" }])])
      case .custom: MigrationPlan([.custom(from: old, to: new) { _ in }])
      case .mapping:
        MigrationPlan([.mapping(from: old, to: new, MappingModel.inferred(from: old, to: new))])
      case .modelFile: ModelFileMigration(contentsOf: try modelFile(), mappingModelsIn: [])
      }
    return options
  }

  private func modelFile() throws -> URL {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "\(UUID().uuidString).xcdatamodeld")
    try ModelFile.write([("Shop", old), ("Shop 2", new)], current: "Shop 2", to: file)
    return file
  }

  @Test(arguments: Kind.allCases)
  func everyPlanKeepsTheStoreAsItWas(_ kind: Kind) throws {
    let options = try options(kind)
    try open(options)
    #expect(options.migration.progress?.formerStorePath == copy.path)
    let stack = try DataStack(sqlite: copy, model: old, options: SQLiteStoreOptions())
    let names = try stack.main.performAndWait { context in
      try context.fetch(FetchRequest("Item")).map { $0["name"] }
    }
    #expect(names == ["kept"])
    if let error = stack.root.close() { throw error }
  }

  /// Each attempt would leave another copy.
  @Test(arguments: [Kind.rows, .custom])
  func aMigrationThatFailsLeavesNoCopy(_ kind: Kind) throws {
    struct Failure: Error {}
    var options = try options(kind)
    let stage: MigrationStage =
      kind == .rows
      ? .rows(from: old, to: new, [RowWork("Item") { _ in throw Failure() }])
      : .custom(from: old, to: new) { _ in throw Failure() }
    options.migrationPlan = MigrationPlan([stage])
    for _ in 1...2 {
      #expect(throws: StoreError.self) { try open(options) }
      #expect(try folder.names == ["shop.sqlite"])
      #expect(options.migration.progress?.formerStorePath == nil)
    }
  }
}
