// SPDX-License-Identifier: MIT
import CFaults
import Foundation
import Sporades

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
