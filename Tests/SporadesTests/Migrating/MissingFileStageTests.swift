// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesXcode
import Testing

/// A stage with code needs a copy of the store, also of its large values.
@Suite final class MissingFileStageTests: StoreOfTwoModels {
  /// A store with three pictures, the second of which has lost its file.
  init() throws {
    try super.init(
      [EntityDescription("Item", attributes: [Self.largePicture])],
      [EntityDescription("Item", attributes: [Self.largePicture, Self.text("name")])])
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
    let problems = try problems(leaving: [".shop_SUPPORT", "shop.sqlite"], body)
    #expect(problems.map(\.kind) == [.unreadableFile])
    #expect(problems.map(\.entity) == ["Item"] && problems.map(\.property) == ["picture"])
    #expect(problems.map(\.keys) == [[2]] && problems.map(\.count) == [1])
  }

  @Test func aStageWithCodeNamesTheRow() throws {
    let stage = MigrationStage.custom(from: old, to: new) { _ in }
    try check { try open(options(stage)) }
  }

  @Test func aMappingNamesTheRow() throws {
    let stage = MigrationStage.mapping(from: old, to: new, .inferred(from: old, to: new))
    try check { try open(options(stage)) }
    try check {
      try MigrationManager(source: old, destination: new)
        .migrateStore(from: url, with: .inferred(from: old, to: new))
    }
  }

  @Test func aCopyOfTheFormerStoreNamesTheRow() throws {
    var options = SQLiteStoreOptions()
    options.migration.keepsCopy = true
    try check { try open(options) }
    options.migration.keepsCopy = false
    try open(options)
  }
}
