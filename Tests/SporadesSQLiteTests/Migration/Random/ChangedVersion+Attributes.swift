// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

// Attributes come, go, and get other names, rules and places.
extension ChangedVersion {
  static let types: [AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
    .binary,
    .uuid, .uri,
  ]

  mutating func changeAttribute(_ step: ChangeStep) -> String? {
    if step.kind == .addAttribute { return addAttribute(step) }
    guard let place = step.pick(0, draft.attributes) else { return nil }
    switch step.kind {
    case .removeAttribute:
      // Nobody asks for the values of what goes, whatever else was to become of them.
      guard changesOnce(draft.origin(of: place) ?? place.name) else { return nil }
      for path in path(draft[attribute: place]) {
        rows.removeValue(path, from: draft.family(place.entity))
      }
      draft.removeAttribute(place)
      return "remove \(place)"
    case .renameAttribute:
      // The identifier would be the name of one attribute in the last version, and the identifier of another there.
      guard !exchanged.contains(where: { $0.contains(place.name) }) else { return nil }
      let name = draft.newName("a")
      rename([place.name: name])
      return "rename \(place) to \(name)"
    case .swapAttributes: return swap(place, step)
    case .makeOptional:
      guard !draft[attribute: place].isOptional, changesOnce(draft.origin(of: place) ?? place.name)
      else { return nil }
      draft[attribute: place].isOptional = true
      return "make \(place) optional"
    case .makeRequired: return makeRequired(place, step)
    default:
      guard draft[attribute: place].type == .binary else { return nil }
      draft[attribute: place].allowsExternalBinaryDataStorage.toggle()
      draft.forget(attribute: place.name)
      return "external storage of \(place)"
    }
  }

  private mutating func addAttribute(_ step: ChangeStep) -> String? {
    guard let entity = step.pick(0, draft.names) else { return nil }
    let type = Self.types[step.numbers[1] % Self.types.count]
    var attribute = AttributeDescription(
      draft.newName("a"), type, isOptional: step.numbers[2] % 3 > 0)
    if !attribute.isOptional || step.numbers[2] % 2 == 0 {
      attribute.defaultValue = PlainRows.Cell.sample(type, step.numbers[3] % 3).value
    }
    if type == .binary { attribute.allowsExternalBinaryDataStorage = step.numbers[3] % 2 == 0 }
    draft[entity].attributes.append(attribute)
    complete()
    return
      "add \(entity).\(attribute.name): \(type)\(attribute.isOptional ? "?" : "") = \(attribute.defaultValue)"
  }

  mutating func rename(_ names: [String: String]) {
    var paths: [String: String] = [:]
    for attribute in draft.entities.flatMap(\.attributes) {
      guard let name = names[attribute.name] else { continue }
      var renamed = attribute
      renamed.name = name
      for (old, new) in zip(path(attribute), path(renamed)) { paths[old] = new }
    }
    for place in draft.attributes {
      guard let name = names[place.name] else { continue }
      draft.renameUses(place.name, to: name + "'")
      draft[attribute: place].name = name + "'"
    }
    for place in draft.attributes where place.name.hasSuffix("'") {
      let name = String(place.name.dropLast())
      draft.renameUses(place.name, to: name)
      draft[attribute: place].name = name
    }
    rows.renameValues(paths)
    dependent = Set(dependent.map { paths[$0] ?? $0 })
  }

  /// Two attributes of one entity exchange their names, and each keeps its values.
  private mutating func swap(_ place: Place, _ step: ChangeStep) -> String? {
    let others = draft.attributes.filter { $0.entity == place.entity && $0 != place }
    // Each then has the other's name as its renaming identifier. After a second exchange the identifiers would be the same,
    // and say that nothing was exchanged.
    guard let other = step.pick(1, others),
      exchanged.insert([place.name, other.name].sorted()).inserted
    else { return nil }
    rename([place.name: other.name, other.name: place.name])
    return "swap the names of \(place) and \(other)"
  }

  private mutating func makeRequired(_ place: Place, _ step: ChangeStep) -> String? {
    guard draft[attribute: place].isOptional, draft[attribute: place].type != .composite,
      // A new attribute has its last default in all rows.
      let origin = draft.origin(of: place), changesOnce(origin)
    else { return nil }
    let hasDefault = step.numbers[1] % 4 > 0
    let cell =
      hasDefault ? PlainRows.Cell.sample(draft[attribute: place].type, step.numbers[2] % 3) : .none
    draft[attribute: place].isOptional = false
    draft[attribute: place].defaultValue = cell.value
    _ = rows.convert(place.name) { $0 == .none ? cell : $0 }
    dependent.insert(place.name)
    return "make \(place) required\(hasDefault ? " = \(cell.value)" : "")"
  }

  // MARK: - Types

  mutating func convert(_ step: ChangeStep) -> String? {
    let places = draft.attributes.filter { draft[attribute: $0].type != .composite }
    guard let place = step.pick(0, places) else { return nil }
    let type = Self.types[step.numbers[1] % Self.types.count]
    let old = draft[attribute: place]
    // Without objects there may be no row that the change concerns.
    guard !rows.numbers(of: draft.family(place.entity)).isEmpty else { return nil }
    guard old.type != type, let origin = draft.origin(of: place), changesOnce(origin) else {
      return nil
    }
    draft[attribute: place].type = type
    draft[attribute: place].allowsExternalBinaryDataStorage = false
    draft[attribute: place].defaultValue =
      old.isOptional ? .null : PlainRows.Cell.sample(type, 1).value
    draft.forget(attribute: place.name)
    let isPossible = CellConversion.isPossible(from: old.type, to: type)
    let conversion: (PlainRows.Cell) -> PlainRows.Cell? = { cell in
      cell == .none || isPossible ? CellConversion.convert(cell, to: type) : nil
    }
    let failing = rows.rows.filter { row in
      row.value.values[place.name].map { conversion($0) == nil } ?? false
    }
    // The rows may go in the same version.
    inconvertible.append(
      (isPossible ? .inconvertibleValue : .inconvertibleType, Set(failing.keys)))
    _ = rows.convert(place.name, conversion)
    if !dependent.insert(place.name).inserted { needsEachVersion = true }
    return "change \(place) from \(old.type) to \(type)"
  }

  // MARK: - Composites

  /// One attribute or two become the members of a new composite.
  mutating func wrap(_ step: ChangeStep) -> String? {
    let places = draft.attributes.filter { draft[attribute: $0].type != .composite }
    guard let place = step.pick(0, places) else { return nil }
    var composite = AttributeDescription(draft.newName("c"), .composite, isOptional: true)
    var members = [place]
    let others = places.filter { $0.entity == place.entity && $0 != place }
    if step.numbers[2] % 2 == 0, let other = step.pick(3, others) { members.append(other) }
    var paths: [String: String] = [:]
    for place in members {
      var member = draft[attribute: place]
      if step.numbers[1] % 2 == 0 { member.name = draft.newName("m") }
      composite.elements.append(member)
      paths[place.name] = "\(composite.name).\(member.name)"
    }
    composite.elements.append(AttributeDescription(draft.newName("m"), .string, isOptional: true))
    for place in members { draft.removeAttribute(place) }
    draft[place.entity].attributes.append(composite)
    rows.renameValues(paths)
    dependent = Set(dependent.map { paths[$0] ?? $0 })
    complete()
    return "wrap \(members.map(\.description)) as \(paths.values.sorted())"
  }

  mutating func unwrap(_ step: ChangeStep) -> String? {
    let places = draft.attributes.filter { draft[attribute: $0].type == .composite }
    guard let place = step.pick(0, places) else { return nil }
    let composite = draft[attribute: place]
    draft.removeAttribute(place)
    for element in composite.elements {
      let old = "\(place.name).\(element.name)"
      var attribute = element
      attribute.name = draft.newName("a")
      draft[place.entity].attributes.append(attribute)
      rows.renameValues([old: attribute.name])
      if !attribute.isOptional, !attribute.defaultValue.isNull {
        // The composite may have been nil.
        let cell = PlainRows.Cell(attribute.defaultValue)
        _ = rows.convert(attribute.name) { $0 == .none ? cell : $0 }
      }
      dependent = Set(dependent.map { $0 == old ? attribute.name : $0 })
    }
    return "unwrap \(place)"
  }

  // MARK: - Places in the hierarchy

  /// An attribute moves to the parent of its entity, or to all children.
  mutating func moveAttribute(_ step: ChangeStep) -> String? {
    let places = draft.attributes.filter {
      step.kind == .moveUp
        ? draft[$0.entity].superentityName != nil : draft.family($0.entity).count > 1
    }
    guard let place = step.pick(0, places) else { return nil }
    let attribute = draft[attribute: place]
    // An attribute that goes down and up again in one version has not moved.
    guard changesOnce(draft.origin(of: place) ?? place.name) else { return nil }
    draft.removeAttribute(place)
    if step.kind == .moveUp, let parent = draft[place.entity].superentityName {
      draft[parent].attributes.append(attribute)
    } else {
      let children = draft.names.filter { draft[$0].superentityName == place.entity }
      for (index, child) in children.enumerated() {
        var own = attribute
        // Every child continues the same attribute, under a name of its own.
        if index > 0 { own.name = draft.newName("a") }
        draft[child].attributes.append(own)
        let names = Dictionary(uniqueKeysWithValues: zip(path(attribute), path(own)))
        rows.renameValues(names, in: draft.family(child))
        for (old, new) in names where dependent.contains(old) { dependent.insert(new) }
      }
    }
    complete()
    return "\(step.kind) \(place)"
  }
}
