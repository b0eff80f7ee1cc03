// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel
import SporadesModelFiles
import SporadesSQLite
import SporadesStore

// The content that mapping models leave behind.
extension MigrationManager {
  /// Throws if mapping models leave content behind that the options do not let go.
  func refuseLosses(
    _ mappings: [MappingModel], of store: StageGround
  ) throws(StoreError) {
    let problems = try MappingForecast(mappings, self, store).problems
    guard problems.isEmpty else { throw StoreError(cannotMigrate: problems) }
  }
}

/// The content of a store that mapping models leave behind.
struct MappingForecast {
  private(set) var losses: [MigrationForecast.Loss] = []
  private(set) var lossesLeftToCode: [MigrationForecast.Loss] = []
  /// The losses that the options do not allow.
  private(set) var problems: [MigrationProblem] = []

  /// Content that the newer version has a place for goes only where a mapping says so, even if code could see it: most likely
  /// somebody forgot the mapping.
  init(
    _ mappings: [MappingModel], _ manager: MigrationManager, _ store: StageGround
  ) throws(StoreError) {
    let parts = MappingLosses(
      of: mappings, from: manager.sourceModel, to: manager.destinationModel
    ).all
    let counts = try store.counts(
      parts.map { ($0.entity, $0.property) }, manager.sourceModel)
    for (part, count) in zip(parts, counts) {
      guard let count, count > 0 else { continue }
      let loss = MigrationForecast.Loss(
        entity: part.entity, property: part.property, count: count)
      let isLeft = part.isLeftToCode && part.isDeclared
      if isLeft { lossesLeftToCode.append(loss) } else { losses.append(loss) }
      guard !isLeft, !store.options.allowsLosses(isDeclared: part.isDeclared) else { continue }
      problems.append(Self.problem(loss, isDeclared: part.isDeclared))
    }
  }

  private static func problem(
    _ loss: MigrationForecast.Loss, isDeclared: Bool
  ) -> MigrationProblem {
    let count = loss.count
    let entity = loss.entity
    let sentence: String
    switch (loss.property, isDeclared) {
    case (nil, false):
      sentence =
        "\(entity) has \(count) \(count == 1 ? "object" : "objects") and no entity mapping. Add one, or say that the objects "
        + "go: EntityMapping(from: \"\(entity)\", to: nil), of the kind remove."
    case (nil, true):
      sentence =
        "The mapping model removes \(count) \(count == 1 ? "object" : "objects") of \(entity), and migration.losses is .refused. "
        + "Map them, or set migration.losses to .declared."
    case (let property?, false):
      sentence =
        "\(entity).\(property) has \(count) \(count == 1 ? "value" : "values"), and no entity mapping reads them. Add "
        + "PropertyMapping(\"\(property)\"), or say that they go: PropertyMapping(\"\(property)\", nil)."
    case (let property?, true):
      sentence =
        "The mapping model removes \(count) \(count == 1 ? "value" : "values") of \(entity).\(property), and migration.losses is "
        + ".refused. Map them, or set migration.losses to .declared."
    }
    return MigrationProblem(
      .loss, entity: entity, property: loss.property, count: count, sentence)
  }
}
