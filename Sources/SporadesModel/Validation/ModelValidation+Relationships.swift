// SPDX-License-Identifier: MIT

extension ModelValidation {
  mutating func check(_ relationship: RelationshipDescription, of entity: EntityDescription) {
    checkCounts(of: relationship, entity)
    guard let destination = lookup.entity(relationship.destinationEntityName) else {
      report(
        .missingDestination, entity, relationship.name,
        "leads to \(relationship.destinationEntityName), which the model does not have; add it or"
          + " correct the destination.",
        hint: { $0.hint(forEntity: relationship.destinationEntityName) })
      return
    }
    guard let inverse = relationship.inverseName else { return }
    checkInverse(inverse, of: relationship, entity, destination)
  }

  private mutating func checkCounts(
    of relationship: RelationshipDescription, _ entity: EntityDescription
  ) {
    if relationship.minCount < 0 {
      report(
        .invalidCount, entity, relationship.name, "has a negative minimum count; use 0 for none.")
    }
    if relationship.maxCount > 0, relationship.minCount > relationship.maxCount {
      report(
        .invalidCount, entity, relationship.name,
        "has a minimum count above its maximum, so no object satisfies both; swap them.")
    }
    let largest = Int(Int32.max)
    if relationship.minCount > largest || relationship.maxCount > largest {
      report(
        .invalidCount, entity, relationship.name,
        "has a count above \(largest); use 0 as the maximum to set no bound.")
    }
  }

  /// Checks that two relationships are inverses: each names the other, and each leads to the entity of
  /// the other or to a relative of that entity.
  mutating func checkInverse(
    _ name: String, of relationship: RelationshipDescription, _ entity: EntityDescription,
    _ destination: EntityDescription
  ) {
    guard let (owner, inverse) = lookup.relationship(name, of: destination) else {
      report(
        .missingInverse, entity, relationship.name,
        "names \(destination.name).\(name) as its inverse, which is not a relationship of"
          + " \(destination.name); add it or correct the inverse.",
        hint: { $0.hint(forInverse: name, destination) })
      return
    }
    let there = "\(owner.name).\(name)"
    if inverse.inverseName != relationship.name {
      let answer = inverse.inverseName.map { "names \($0)" } ?? "names no inverse"
      report(
        .inverseMismatch, entity, relationship.name,
        "names \(there) as its inverse, but that relationship \(answer); make each name the other.")
    } else if let back = lookup.entity(inverse.destinationEntityName),
      !lookup.areRelated(back, entity)
    {
      report(
        .inverseMismatch, entity, relationship.name,
        "names \(there) as its inverse, but that relationship leads to \(back.name); make it lead to"
          + " \(entity.name).")
    }
  }
}
