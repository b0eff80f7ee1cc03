// SPDX-License-Identifier: MIT
import Foundation
import SporadesCare
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Stores that Apple's frameworks wrote, changed to the later versions of their apps' models, and compared with plain
/// SQL. Works on copies.
@Suite(.enabled(if: StoreFixture.areThere)) struct LaterVersionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let store: StoreFixture
    let folder: VersionFolder
    let first: Int

    var testDescription: String {
      "\(store.name): version \(first + 1) of \(folder.versions.count)"
    }
  }

  /// The stores that later versions of their models are there for.
  static let cases: [Case] = StoreFixture.all.flatMap { store in
    VersionFolder.all.compactMap { folder in
      folder.place(of: store.model).flatMap { place in
        place + 1 < folder.versions.count ? Case(store: store, folder: folder, first: place) : nil
      }
    }
  }

  @Test(arguments: cases)
  func aStoreTakesEveryLaterVersion(_ item: Case) throws {
    for place in (item.first + 1)..<item.folder.versions.count {
      let path = try item.store.copy()
      let between = item.folder.models(item.first..<place)
      let outcome = try migrate(path, to: item.folder.versions[place].model, through: between)
      #expect((outcome != nil) == Self.needsMapping(item.folder, place), "\(outcome ?? "")")
      guard outcome == nil else { continue }
      try compare(
        item.store.copy(), path, item.store.model, item.folder.versions[place].model,
        through: between)
    }
  }

  /// Whether the way from the first version to another one needs a mapping model, which those folders have.
  ///
  /// CareKit's second version has required attributes without a default, such as a UUID for each object, which its
  /// mapping model computes. Core Data refuses to infer this, too. From its third version on, a sample
  /// requires a link from each post to a colour, and its mapping model makes the colours.
  private static func needsMapping(_ folder: VersionFolder, _ place: Int) -> Bool {
    folder.path.hasPrefix("carekit-apple")
      || folder.path.hasPrefix("wibosco+CoreDataMigration-Example") && place >= 2
  }

  /// Returns the reason of a refusal.
  private func migrate(
    _ path: String, to model: ManagedObjectModel, through versions: [ManagedObjectModel]
  ) throws -> String? {
    var options = SQLiteStoreOptions.losing
    options.migration.versions = versions
    do throws(StoreError) {
      try SQLiteStore.migrate(storeAt: URL(fileURLWithPath: path), to: model, options: options)
      return nil
    } catch {
      guard case .cannotMigrate(let problems) = error.code else { throw error }
      return problems.map(\.sentence).joined(separator: " ")
    }
  }

  private func compare(
    _ before: String, _ after: String, _ old: ManagedObjectModel, _ new: ManagedObjectModel,
    through versions: [ManagedObjectModel] = []
  ) throws {
    let comparison = try PlainComparison(before, after, from: old, to: new, through: versions)
    #expect(comparison.differences == [])
    var options = SQLiteStoreOptions()
    options.migration = .off
    let former = try SQLiteStore(path: before, model: old, options: options)
    let known = Set(try former.integrityProblems())
    try former.close()
    let store = try SQLiteStore(path: after, model: new, options: options)
    #expect(Set(try store.integrityProblems()).subtracting(known) == [])
    try store.close()
  }

  // MARK: - The longest chain

  /// A store of the first version, with objects of every entity, goes to the last one.
  @Test func theLongestChainLosesNothing() throws {
    let folder = try #require(VersionFolder.all.first)
    let first = folder.versions[0].model
    let path = Sample.temporaryPath()
    let store = try SQLiteStore(path: path, model: first)
    try GraphFilling(first).fill(store, count: 12)
    try store.close()
    let atOnce = Sample.temporaryPath()
    try FileManager.default.copyItem(atPath: path, toPath: atOnce)
    for place in folder.versions.indices.dropFirst() {
      let former = Sample.temporaryPath()
      try FileManager.default.copyItem(atPath: path, toPath: former)
      let (old, new) = (folder.versions[place - 1], folder.versions[place])
      let refusal = try migrate(path, to: new.model, through: [])
      #expect(refusal == nil, "\(old.name) → \(new.name)")
      try compare(former, path, old.model, new.model)
    }
    let last = folder.versions[folder.versions.count - 1].model
    #expect(
      try migrate(atOnce, to: last, through: folder.models(0..<folder.versions.count - 1)) == nil)
    let (steps, once) = (try PlainStore(path), try PlainStore(atOnce))
    for entity in last.entities where !entity.isAbstract {
      let sql =
        "SELECT COUNT(*) FROM \(try steps.table(of: entity.name)) WHERE Z_ENT = \(steps.entities[entity.name]?.number ?? 0)"
      #expect(try steps.rows(sql) == once.rows(sql), "\(entity.name)")
    }
  }

  /// Each folder of versions, with a filled store of its first one.
  @Test(arguments: VersionFolder.all)
  func everyFolderOfVersionsIsFollowed(_ folder: VersionFolder) throws {
    let path = Sample.temporaryPath()
    let store = try SQLiteStore(path: path, model: folder.versions[0].model)
    try GraphFilling(folder.versions[0].model).fill(store, count: 5)
    try store.close()
    var present = folder.versions[0].model
    for (place, version) in folder.versions.enumerated().dropFirst() {
      let former = Sample.temporaryPath()
      try FileManager.default.copyItem(atPath: path, toPath: former)
      let refusal = try migrate(path, to: version.model, through: [])
      #expect((refusal != nil) == Self.needsMapping(folder, place), "\(refusal ?? "")")
      guard refusal == nil else { continue }
      try compare(former, path, present, version.model)
      present = version.model
    }
  }
}
