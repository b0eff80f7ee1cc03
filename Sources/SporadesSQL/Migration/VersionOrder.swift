// SPDX-License-Identifier: MIT
package import SporadesModel

/// The order in which a program lists the versions of its model, the oldest first.
package struct VersionOrder {
  /// The version of the store, and the one that it is to get.
  let former: ManagedObjectModel
  let model: ManagedObjectModel
  /// The listed versions before the store's, which count as older than the store.
  let earlier: [ManagedObjectModel]
  /// The number of listed versions.
  let count: Int

  package init(
    former: ManagedObjectModel, model: ManagedObjectModel, earlier: [ManagedObjectModel],
    count: Int
  ) {
    self.former = former
    self.model = model
    self.earlier = earlier
    self.count = count
  }

  /// The remark on the order in the error about content without a place; nil if another order would not help.
  package func remark(on losses: [MigrationForecast.Loss]) -> String? {
    guard !earlier.isEmpty else { return nil }
    let ways =
      [earlier, earlier.reversed()] + (earlier.count > 1 ? earlier.map { [$0] } : [])
    let helps = ways.contains { way in
      let evolution = ModelEvolution(from: former, through: way, to: model)
      return losses.contains { finds($0, evolution) }
    }
    guard helps else { return nil }
    return
      "The order of migration.versions seems to be wrong: the oldest version comes first. The store's version is number "
      + "\(earlier.count + 1) of \(count), so those before it count as older than the store and are not followed, and one of "
      + "them says what became of this content."
  }

  private func finds(_ loss: MigrationForecast.Loss, _ evolution: ModelEvolution) -> Bool {
    guard let successor = evolution.successor(ofEntity: loss.entity) else { return false }
    guard let property = loss.property, let shape = model.shape(named: successor) else {
      return loss.property == nil
    }
    return shape.layout.slots.contains {
      evolution.source(ofAttribute: $0.name, in: successor) == property
    }
      || shape.relationships.contains {
        evolution.source(ofRelationship: $0.name, in: successor) == property
      }
  }
}
