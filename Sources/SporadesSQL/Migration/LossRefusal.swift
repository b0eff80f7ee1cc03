// SPDX-License-Identifier: MIT
package import SporadesModel

/// Refuses to remove content that the newer version of the model has no place for.
package struct LossRefusal {
  let evolution: ModelEvolution
  let losses: MigrationOptions.Losses

  package init(evolution: ModelEvolution, losses: MigrationOptions.Losses) {
    self.evolution = evolution
    self.losses = losses
  }

  package func problem(_ loss: MigrationForecast.Loss) -> MigrationProblem {
    guard let property = loss.property else {
      return MigrationProblem(
        .loss, entity: loss.entity, count: loss.count,
        "The model has no entity \(loss.entity), and the store has \(number(loss.count, "object")) of it, which would be "
          + "removed. Add the entity to the model, or the former name to its new one with @Entity(renamedFrom:). To make objects "
          + "of another entity of them, use a custom stage or a mapping model. To use the other entities and leave these as they "
          + "are, open the store with openingStoreAt: of SporadesXcode and the classes that you have. \(remedy)"
      )
    }
    return MigrationProblem(
      .loss, entity: loss.entity, property: property, count: loss.count,
      "\(reason(loss, property)) \(remedy)")
  }

  private var remedy: String {
    losses == .refused
      ? "migration.losses is .refused. To remove them, set it to .declared, and name both versions in migration.versions or in a "
        + "plan, or to .allowed."
      : "To remove them, name both versions in migration.versions or in a plan, or set migration.losses to .allowed."
  }

  private func number(_ count: Int, _ thing: String) -> String {
    count == 1 ? "1 \(thing)" : "\(count) \(thing)s"
  }

  /// A property of the same name may be there, and be another one.
  private func reason(_ loss: MigrationForecast.Loss, _ property: String) -> String {
    let name = "\(loss.entity).\(property)"
    let former = evolution.old.shape(named: loss.entity)?[property]
    let successor = evolution.successor(ofEntity: loss.entity)
    switch (former, successor.flatMap { evolution.new.shape(named: $0)?[property] }) {
    case (.relationship(let old), .relationship(let new)):
      let (before, after) = (old.description, new.description)
      let links = number(loss.count, "link")
      guard before.destinationEntityName != after.destinationEntityName else {
        return
          "The store has \(links) of \(name) to objects that are no \(after.destinationEntityName) in the model, which would be "
          + "removed. To link other objects in their place, use a custom stage."
      }
      return
        "\(name) leads to \(after.destinationEntityName) now, and led to \(before.destinationEntityName). The store has \(links) "
        + "of it, which would be removed. To link other objects in their place, use a custom stage."
    case (.attribute, .relationship):
      return
        "\(name) is a relationship now, and was an attribute. The store has \(number(loss.count, "value")) of it, which would be "
        + "removed. To make objects of them, use a custom stage or a mapping model."
    case (.relationship, .attribute):
      return
        "\(name) is an attribute now, and was a relationship. The store has \(number(loss.count, "link")) of it, which would be "
        + "removed. To make values of them, use a custom stage or a mapping model."
    case (let former, _):
      let isLink = if case .relationship? = former { true } else { false }
      return
        "The model has no \(name), and the store has \(number(loss.count, isLink ? "link" : "value")) of it, which would be "
        + "removed. Add the property to the model, or the former name to its new one with renamed(from:)."
    }
  }
}
