// SPDX-License-Identifier: MIT
public import Foundation
import Sporades
import SporadesModel
import SporadesModelFiles
import SporadesSQLite
import SporadesStore

/// The stages by which stores of older versions become stores of the program's version. All of them succeed, or none.
open class NSStagedMigrationManager: NSObject, @unchecked Sendable {
  // @unchecked: one thread migrates, and the handlers run there.

  /// The stages, the oldest first.
  public let stages: [NSMigrationStage]
  /// A container over the store, in the version at which the stage has come, while a handler runs.
  public internal(set) var container: NSPersistentContainer?

  /// Makes a manager.
  public init(_ stages: [NSMigrationStage]) {
    self.stages = stages
    super.init()
  }

  /// The stages as the library has them, for a store that is to have a model.
  func plan(forStoreAt url: URL, to model: ManagedObjectModel) -> MigrationPlan {
    let references = stages.compactMap { $0 as? NSCustomMigrationStage }
      .flatMap { [$0.currentModel.reference, $0.nextModel.reference] }
    let known = KnownVersions(model: model, references: references, store: url)
    var steps: [MigrationStage] = []
    var last: String?
    /// Infers the changes to a version.
    func lead(to checksum: String, _ label: String?) {
      if let last, last != checksum {
        steps.append(
          .lightweight(
            from: known.reference(last), to: known.reference(checksum), label: label ?? ""))
      }
      last = checksum
    }
    for stage in stages {
      switch stage {
      case let stage as NSLightweightMigrationStage:
        for checksum in stage.versionChecksums { lead(to: checksum, stage.label) }
      case let stage as NSCustomMigrationStage:
        lead(to: stage.currentModel.versionChecksum, nil)
        steps.append(
          MigrationStage(
            stage.label ?? "", from: .init(stage.currentModel.reference),
            to: .init(stage.nextModel.reference), StageHandlers(manager: self, stage: stage)))
        last = stage.nextModel.versionChecksum
      default:
        trap(
          "\(stage) is no stage that a store can go through. Use NSLightweightMigrationStage or NSCustomMigrationStage."
        )
      }
    }
    return MigrationPlan(steps)
  }
}

/// The versions of which stages name the checksums alone: in the program, in its model files, and in the store.
private struct KnownVersions: Sendable {
  let model: ManagedObjectModel
  let references: [ManagedObjectModelReference]
  let store: URL

  func reference(_ checksum: String) -> ManagedObjectModelReference {
    ManagedObjectModelReference(versionChecksum: checksum) { () throws(ModelError) in
      let found = self.find(checksum).map { [$0] } ?? []
      guard !found.isEmpty else {
        throw ModelError([
          .init(
            .unreadableFile,
            "No model with the checksum \(checksum) of a stage is known. Add the version to a model file of the program, or "
              + "name it by an NSManagedObjectModelReference of another stage.")
        ])
      }
      return .init(found, in: "A model of the program")
    }
  }

  private func find(_ checksum: String) -> ManagedObjectModel? {
    if model.versionChecksum == checksum { return model }
    // `try?`: what cannot be read is not the version, and the search says so if it finds none.
    if let reference = references.first(where: { $0.versionChecksum == checksum }),
      let model = try? reference.resolvedModel
    {
      return model
    }
    if let carried = try? ManagedObjectModel.cachedModel(forStoreAt: store),
      carried.versionChecksum == checksum
    {
      return carried
    }
    return NSManagedObjectModel.versions(in: [Bundle.main]).first { $0.versionChecksum == checksum }
  }
}
