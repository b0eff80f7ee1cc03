// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

extension StoreContents {
  init(
    _ connection: Connection, _ model: ManagedObjectModel, _ configuration: String?
  ) throws(StoreError) {
    let scheme = CoreDataLayout(
      model, holding: try StoreConfiguration(configuration, of: model).entities)
    self.init(MigrationSide(scheme, try ExistingLayout(connection, scheme).layout()))
  }
}

extension StoreError {
  /// The problem behind a failed copy of a store: the rows whose files are missing. The error itself if no file is.
  func namingMissingFiles(
    ofStoreAt path: String, _ connection: Connection, _ model: ManagedObjectModel,
    _ configuration: String?
  ) throws(StoreError) -> StoreError {
    guard code == .io else { return self }
    try connection.registerLargeValues(LargeValueMigration(storePath: path))
    let contents = try StoreContents(connection, model, configuration)
    var problems: [MigrationProblem] = []
    for check in contents.unreadableFiles {
      if let problem = try check.problem(connection) { problems.append(problem) }
    }
    return problems.isEmpty ? self : StoreError(cannotMigrate: problems)
  }
}
