// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQLite
import SporadesStore

/// Compares a store that no stage of a plan fits with the versions of the plan and of the program, for the error.
struct NearestVersion {
  /// The entities that differ between the store and the program.
  let names: [String]
  /// The differences between the store and the program, in sentences.
  let ofProgram: String
  /// The version of the plan with the fewest differences from the store, and these.
  let ofPlan: String

  init(
    _ stages: [MigrationStage], of store: StageGround, _ metadata: [String: MetadataValue],
    to model: ManagedObjectModel
  ) {
    let configuration = store.configuration
    // `try?`, because the error without the store's own model still names the entities that differ.
    let carried = try? store.carriedModel()
    func comparison(_ version: ManagedObjectModel) -> VersionComparison {
      VersionComparison(of: metadata, carrying: carried ?? nil, with: version, configuration)
    }
    let program = comparison(model)
    names = program.names
    ofProgram = " The store and the program differ: \(program.text)"
    let versions = stages.flatMap { [$0.source, $0.destination] }.compactMap { version in
      // `try?`, because a version that cannot be read is not the nearest one, and is an error of its own when it is needed.
      (try? version.model()).map { (version.name(inConfiguration: configuration), comparison($0)) }
    }
    let nearest = versions.min { left, right in
      (left.1.names.count, left.1.sentences.count) < (right.1.names.count, right.1.sentences.count)
    }
    ofPlan =
      nearest.map { name, comparison in
        " The nearest of them is \(name), from which the store differs: \(comparison.text)"
      } ?? ""
  }
}
