// SPDX-License-Identifier: MIT
import SporadesModel

// Relationships come, go, and get other names, forms, inverses and destinations.
extension ChangedVersion {
  mutating func addRelationship(_ step: ChangeStep) -> String? {
    guard let owner = step.pick(0, draft.names), let destination = step.pick(1, draft.names),
      draft.relationships.count < 10
    else { return nil }
    let name = draft.newName("r")
    let form = step.numbers[2] % 6
    let isOrdered = step.numbers[3] % 3 == 0
    // One relationship of the same entity leads back by itself.
    let inverse = form < 2 ? nil : form == 2 && owner == destination ? name : draft.newName("r")
    let isToOne = form == 0 || form == 5
    draft[owner].relationships.append(
      isToOne
        ? .toOne(name, destination, inverse: inverse)
        : .toMany(name, destination, inverse: inverse, isOrdered: isOrdered && inverse != name))
    if let inverse, inverse != name {
      draft[destination].relationships.append(
        form == 3
          ? .toMany(inverse, owner, inverse: name, isOrdered: step.numbers[3] % 2 == 0)
          : .toOne(inverse, owner, inverse: name))
    }
    complete()
    return "add \(describe(Place(entity: owner, name: name)))"
  }

  private func describe(_ place: Place) -> String {
    let relationship = draft[relationship: place]
    let form =
      relationship.isToMany ? relationship.isOrdered ? "ordered to-many" : "to-many" : "to-one"
    let back = draft.inverse(of: place).map { inverse in
      let form = draft[relationship: inverse].isToMany ? "to-many" : "to-one"
      return ", inverse \(inverse) \(form)"
    }
    return "\(place): \(form) \(relationship.destinationEntityName)\(back ?? "")"
  }

  mutating func removeRelationship(_ step: ChangeStep) -> String? {
    guard let place = step.pick(0, draft.relationships) else { return nil }
    let text = "remove \(describe(place))"
    remove(place)
    return text
  }

  mutating func remove(_ place: Place) {
    if let inverse = draft.inverse(of: place) {
      draft[relationship: inverse].inverseName = nil
      dependent.insert(inverse.name)
    }
    rows.removeLinks(place.name, from: draft.family(place.entity))
    draft[place.entity].relationships.removeAll { $0.name == place.name }
    _ = draft.forget(relationship: place.name)
    complete()
  }

  mutating func renameRelationship(_ step: ChangeStep) -> String? {
    guard let place = step.pick(0, draft.relationships) else { return nil }
    let name = draft.newName("r")
    if let inverse = draft.inverse(of: place) { draft[relationship: inverse].inverseName = name }
    draft.renameUses(place.name, to: name)
    draft[relationship: place].name = name
    rows.renameLinks([place.name: name])
    if unordered.remove(place.name) != nil { unordered.insert(name) }
    if dependent.contains(place.name) { dependent.insert(name) }
    return "rename \(place) to \(name)"
  }

  mutating func changeForm(_ step: ChangeStep) -> String? {
    guard let place = step.pick(0, draft.relationships) else { return nil }
    let former = describe(place)
    var relationship = draft[relationship: place]
    dependent.insert(place.name)
    if let inverse = draft.inverse(of: place) { dependent.insert(inverse.name) }
    if step.kind == .order {
      guard relationship.isToMany, relationship.inverseName != relationship.name else { return nil }
      relationship.isOrdered.toggle()
      if relationship.isOrdered { unordered.insert(place.name) } else { rows.sortLinks(place.name) }
    } else {
      guard relationship.inverseName != relationship.name else { return nil }
      relationship.maxCount = relationship.isToMany ? 1 : 0
      relationship.isOrdered = relationship.isToMany && step.numbers[1] % 3 == 0
      if relationship.isOrdered { unordered.insert(place.name) } else { rows.sortLinks(place.name) }
      if !relationship.isToMany { _ = draft.forget(relationship: place.name) }
    }
    draft[relationship: place] = relationship
    complete()
    return "change \(former) to \(describe(place))"
  }

  mutating func addInverse(_ step: ChangeStep) -> String? {
    let places = draft.relationships.filter { draft[relationship: $0].inverseName == nil }
    guard let place = step.pick(0, places) else { return nil }
    let destination = draft[relationship: place].destinationEntityName
    let name = draft.newName("r")
    draft[relationship: place].inverseName = name
    let isOrdered = step.numbers[2] % 3 == 0
    let isToMany = step.numbers[1] % 2 == 0
    draft[destination].relationships.append(
      isToMany
        ? .toMany(name, place.entity, inverse: place.name, isOrdered: isOrdered)
        : .toOne(name, place.entity, inverse: place.name))
    rows.addInverse(name, of: place.name, to: draft.family(destination))
    if isToMany, isOrdered { unordered.insert(name) }
    dependent.formUnion([place.name, name])
    return "give \(place) an inverse: \(describe(Place(entity: destination, name: name)))"
  }

  /// The inverse goes, and the relationship stays. One that is its own inverse stays alone.
  mutating func removeInverse(_ step: ChangeStep) -> String? {
    let places = draft.relationships.filter { draft[relationship: $0].inverseName != nil }
    guard let place = step.pick(0, places) else { return nil }
    let text = "remove the inverse of \(describe(place))"
    if let inverse = draft.inverse(of: place), inverse != place { remove(inverse) }
    draft[relationship: place].inverseName = nil
    dependent.insert(place.name)
    return text
  }

  /// A relationship without inverse leads to the parent of its destination, or to a child.
  mutating func widenDestination(_ step: ChangeStep) -> String? {
    let places = draft.relationships.filter { draft[relationship: $0].inverseName == nil }
    guard let place = step.pick(0, places) else { return nil }
    let destination = draft[relationship: place].destinationEntityName
    let parents = draft[destination].superentityName.map { [$0] } ?? []
    let children = draft.names.filter { draft[$0].superentityName == destination }
    guard let other = step.pick(1, parents + children), changesOnce("the hierarchy") else {
      return nil
    }
    draft[relationship: place].destinationEntityName = other
    if children.contains(other) { dependent.insert(place.name) }
    cutLinks()
    return "lead \(place) to \(other), not \(destination)"
  }
}
