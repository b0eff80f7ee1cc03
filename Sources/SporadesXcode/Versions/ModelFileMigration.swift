// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import Sporades
import SporadesGraph
import SporadesModel
public import SporadesModelFiles
import SporadesSQLite
import SporadesStore

/// A migration through the versions in an `.xcdatamodeld` or `.momd`, in the order of their names: `Pets`, `Pets 2`,
/// `Pets 10`. Where the names have no such order, as `Pets` and `Animals 2`, the change from the store's version to the
/// program's is one step.
///
/// Between two versions the changes are inferred, unless a mapping model in the folders is made for them. A store of a
/// version that the file lacks is migrated with the model that it carries. The files are read when a store needs them.
public final class ModelFileMigration: StagedPlan {
  public let actions: PlanActions

  private init(_ actions: PlanActions) { self.actions = actions }

  /// Reads the versions of a model file, and mapping models in folders. `policies` are the classes that the mapping
  /// models name, and `manager` carries the mapping models out.
  public convenience init(
    contentsOf url: URL, mappingModelsIn folders: [URL] = ModelFile.searchFolders,
    policies: [String: EntityMigrationPolicy.Type] = [:],
    manager: MigrationManager.Type = MigrationManager.self
  ) {
    self.init(
      ModelFileVersions(
        file: { () throws(ModelError) in url }, folders: folders, policies: policies,
        manager: manager
      ).actions)
  }

  /// Reads the versions of the model that `ManagedObjectModel(named:in:)` finds.
  public convenience init(
    modelNamed name: String, in folders: [URL] = ModelFile.searchFolders,
    policies: [String: EntityMigrationPolicy.Type] = [:],
    manager: MigrationManager.Type = MigrationManager.self
  ) {
    self.init(
      ModelFileVersions(
        file: { () throws(ModelError) in
          try ManagedObjectModel.findFile(named: name, in: folders)
        }, folders: folders, policies: policies, manager: manager
      ).actions)
  }
}
