// SPDX-License-Identifier: MIT
public import Sporades
import SporadesGraph
import SporadesModel
public import SporadesModelFiles

// The stages of mapping models as they are written in a plan.
extension MigrationStage {
  /// A stage that a mapping model describes. `policies` are the classes that the mapping model names, and
  /// `manager` carries it out.
  public static func mapping(
    from source: some ModelVersion, to destination: some ModelVersion, label: String = "",
    _ mapping: MappingModel, policies: [String: EntityMigrationPolicy.Type] = [:],
    manager: MigrationManager.Type = MigrationManager.self
  ) -> MigrationStage {
    MigrationStage(
      label, from: Version(source), to: Version(destination),
      MappingWork(mappings: [mapping], policies: policies, manager: manager))
  }

  /// A stage between the versions of classes that a mapping model describes. Policies see objects of these classes.
  public static func mapping(
    fromVersion source: any VersionedSchema.Type, toVersion destination: any VersionedSchema.Type,
    label: String = "", _ mapping: MappingModel,
    policies: [String: EntityMigrationPolicy.Type] = [:],
    manager: MigrationManager.Type = MigrationManager.self
  ) -> MigrationStage {
    MigrationStage(
      label, from: Version(source), to: Version(destination),
      MappingWork(mappings: [mapping], policies: policies, manager: manager))
  }
}
