// SPDX-License-Identifier: MIT
import SporadesModel

// Entities come, go, and get other names and parents. Indexes, constraints and counts come and go.
extension ChangedVersion {
  mutating func changeEntity(_ step: ChangeStep) -> String? {
    switch step.kind {
    case .addEntity: addEntity(step)
    case .removeEntity: removeEntity(step)
    case .renameEntity:
      step.pick(0, draft.names).map { name in
        let new = draft.newName(step.numbers[1] % 2 == 0 ? "A" : "Z")
        draft.rename(name, to: new)
        rows.renameEntity(name, to: new)
        return "rename \(name) to \(new)"
      }
    default:
      step.pick(0, draft.names).map { name in
        draft[name].isAbstract.toggle()
        return "\(name) is \(draft[name].isAbstract ? "abstract" : "concrete")"
      }
    }
  }

  private mutating func addEntity(_ step: ChangeStep) -> String? {
    guard draft.names.count < 9 else { return nil }
    let parent = step.numbers[0] % 2 == 0 ? nil : step.pick(1, draft.names)
    // Names before and after those that are there, so that others get other numbers.
    var entity = EntityDescription(
      draft.newName(step.numbers[2] % 2 == 0 ? "A" : "Z"), superentityName: parent)
    entity.attributes = [
      AttributeDescription(draft.newName("a"), .string, isOptional: true)
    ]
    if parent == nil { entity.attributes.append(Self.serial) }
    draft.add(entity)
    return "add \(entity.name)\(parent.map { ": \($0)" } ?? "")"
  }

  static let serial = AttributeDescription("serial", .integer64, defaultValue: 0)

  private mutating func removeEntity(_ step: ChangeStep) -> String? {
    guard draft.names.count > 2, let name = step.pick(0, draft.leaves) else { return nil }
    for place in draft.relationships
    where place.entity == name || draft[relationship: place].destinationEntityName == name {
      if draft[place.entity].relationships.contains(where: { $0.name == place.name }) {
        remove(place)
      }
    }
    rows.removeRows(of: [name])
    draft.remove(name)
    return "remove \(name)"
  }

  /// An entity moves below another one, or becomes a root. It loses what it inherited.
  mutating func moveEntity(_ step: ChangeStep) -> String? {
    // Values that cannot be converted may be those of properties that an entity loses.
    guard inconvertible.isEmpty, let name = step.pick(0, draft.names) else { return nil }
    let family = draft.family(name)
    let former = draft[name].superentityName
    let parents = draft.names.filter { !family.contains($0) && $0 != former }
    let toRoot = step.numbers[1] % 3 == 0
    guard !toRoot || former != nil else { return nil }
    let parent = toRoot ? nil : step.pick(2, parents)
    guard toRoot || parent != nil, changesOnce("the hierarchy") else { return nil }
    setParent(of: name, to: parent)
    return "move \(name) to \(parent ?? "the top")"
  }

  private mutating func setParent(of name: String, to parent: String?) {
    draft[name].attributes.removeAll { $0.name == "serial" }
    draft[name].superentityName = parent
    if parent == nil { draft[name].attributes.append(Self.serial) }
    dropUnreachable()
    for place in draft.relationships { dependent.insert(place.name) }
    for row in rows.rows.values where draft.family(name).contains(row.entity) {
      dependent.formUnion(row.values.keys.filter { $0 != "serial" })
    }
    cutLinks()
    complete()
  }

  /// Indexes, constraints and counts of what an entity no longer inherits.
  private mutating func dropUnreachable() {
    for name in draft.names {
      let known = Set(draft.lineage(name).flatMap(\.propertyNames))
      draft[name].indexes.removeAll { !$0.elements.allSatisfy { known.contains($0.property) } }
      draft[name].uniquenessConstraints.removeAll { !$0.allSatisfy(known.contains) }
      draft[name].attributes.removeAll { attribute in
        attribute.derivationExpression.map { !known.contains(String($0.dropLast(7))) } ?? false
      }
    }
    for place in draft.relationships {
      guard let inverse = draft[relationship: place].inverseName else { continue }
      let relationship = draft[relationship: place]
      let line = draft.lineage(relationship.destinationEntityName)
      let back = line.flatMap(\.relationships).first { $0.name == inverse }
      let isRelated = back.map { back in
        draft.family(back.destinationEntityName).contains(place.entity)
          || draft.family(place.entity).contains(back.destinationEntityName)
      }
      if isRelated != true { draft[relationship: place].inverseName = nil }
    }
    for place in draft.relationships {
      guard draft[relationship: place].inverseName != nil, let inverse = draft.inverse(of: place),
        draft[relationship: inverse].inverseName == nil
      else { continue }
      draft[relationship: place].inverseName = nil
    }
  }

  /// A root gets a new parent, which takes one of its attributes.
  mutating func insertParent(_ step: ChangeStep) -> String? {
    guard draft.names.count < 9, let name = step.pick(0, draft.roots),
      changesOnce("the hierarchy")
    else { return nil }
    var parent = EntityDescription(draft.newName("P"), isAbstract: step.numbers[1] % 2 == 0)
    let moved = draft.attributes.first { $0.entity == name }
    parent.attributes = [Self.serial]
    if let moved {
      parent.attributes.append(draft[attribute: moved])
      draft.removeAttribute(moved)
    }
    draft[name].attributes.removeAll { $0.name == "serial" }
    draft.add(parent)
    draft[name].superentityName = parent.name
    complete()
    return "insert \(parent.name) above \(name)\(moved.map { " with \($0.name)" } ?? "")"
  }

  // MARK: - Upkeep

  mutating func changeUpkeep(_ step: ChangeStep) -> String? {
    if step.kind == .count { return changeCount(step) }
    let places = draft.attributes.filter {
      draft[attribute: $0].type != .composite
        && !draft[attribute: $0].allowsExternalBinaryDataStorage
    }
    guard let place = step.pick(0, places) else { return nil }
    if step.kind == .index {
      let name = "by" + place.name
      let count = draft[place.entity].indexes.count
      draft[place.entity].indexes.removeAll { $0.elements[0].property == place.name }
      if draft[place.entity].indexes.count == count {
        draft[place.entity].indexes.append(FetchIndexDescription(name, on: place.name))
      }
      return "index \(place)"
    }
    if draft[place.entity].uniquenessConstraints.contains([place.name]) {
      draft[place.entity].uniquenessConstraints.removeAll { $0 == [place.name] }
      return "\(place) need not be unique"
    }
    guard [.integer32, .integer64, .double, .string].contains(draft[attribute: place].type) else {
      return nil
    }
    draft[place.entity].uniquenessConstraints.append([place.name])
    return "\(place) is unique"
  }

  private mutating func changeCount(_ step: ChangeStep) -> String? {
    let places = draft.relationships.filter { draft[relationship: $0].isToMany }
    guard let place = step.pick(0, places) else { return nil }
    let gone = draft.forget(relationship: place.name)
    guard gone.isEmpty else {
      complete()
      return "count \(place.name) no longer"
    }
    var attribute = AttributeDescription(
      draft.newName("n"), .integer64, isOptional: true, defaultValue: 0)
    attribute.derivationExpression = "\(place.name).@count"
    draft[place.entity].attributes.append(attribute)
    return "count \(place) as \(attribute.name)"
  }
}
