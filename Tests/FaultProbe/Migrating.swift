// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades
import SporadesXcode

extension Scenario {
  /// Opens the store with the model that lies in the compiled file beside the folder of the store. The
  /// opening migrates the store.
  func playMigrating(_ store: URL) throws {
    let model = try ManagedObjectModel(contentsOf: Self.newerModel(store))
    faults_begin()
    let opened = try SQLiteStore(url: store, model: model, options: Self.losing)
    acknowledge(1)
    try opened.close()
  }

  /// The same by a plan whose stage has code on objects, which works on a draft.
  func playPlanning(_ store: URL) throws {
    try play(store) { old, new in .custom(from: old, to: new) { _ in } }
  }

  /// The same by a plan whose stage has code for rows, in place.
  func playReworking(_ store: URL) throws {
    try play(store) { old, new in .rows(from: old, to: new, [RowWork("Person") { _ in }]) }
  }

  private func play(
    _ store: URL, by stage: (ManagedObjectModel, ManagedObjectModel) -> MigrationStage
  ) throws {
    let model = try ManagedObjectModel(contentsOf: Self.newerModel(store))
    guard let old = try ManagedObjectModel.cachedModel(forStoreAt: store) else {
      preconditionFailure("The store at \(store.path) carries no model.")
    }
    var options = Self.losing
    options.migrationPlan = MigrationPlan([stage(old, model)])
    faults_begin()
    let opened = try SQLiteStore(url: store, model: model, options: options)
    acknowledge(1)
    try opened.close()
  }

  /// Cancels the migration when it has done a part of its work.
  func playCancelling(_ store: URL) throws {
    let model = try ManagedObjectModel(contentsOf: Self.newerModel(store))
    var options = Self.losing
    let progress = MigrationProgress()
    options.migration.progress = progress
    progress.observe { if $0 > 0.2 { progress.cancel() } }
    faults_begin()
    try SQLiteStore.migrate(storeAt: store, to: model, options: options)
    acknowledge(1)
  }

  private static var losing: SQLiteStoreOptions {
    var options = SQLiteStoreOptions()
    options.migration.losses = .allowed
    return options
  }

  private static func newerModel(_ store: URL) -> URL {
    store.deletingLastPathComponent().appendingPathExtension("mom")
  }
}
