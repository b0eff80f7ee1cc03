// SPDX-License-Identifier: MIT
import SporadesModel

/// A model that changes, and the rows of its store as each change leaves them.
struct ChangedVersion {
  var draft: ModelDraft
  var rows: PlainRows
  /// The relationships that got an order in this version, which no rule decides.
  var unordered: Set<String> = []
  /// The problems that the changes of this version make.
  var problems: Set<MigrationProblem.Kind> = []
  /// The rows with values that have no equal in a new type.
  var inconvertible: [(kind: MigrationProblem.Kind, rows: Set<Int>)] = []
  /// The pairs of attributes that have exchanged their names in any version.
  var exchanged: Set<[String]> = []
  /// Attributes and relationships whose content depends on the versions in between.
  var dependent: Set<String> = []
  /// Whether the versions in between cannot be left out.
  var needsEachVersion = false
  /// What has changed in this version and must not change again, because a migration knows no state in between.
  private var changed: Set<String> = []
  /// The changes of this version in words.
  var words: [String] = []

  typealias Place = ModelDraft.Place

  /// Whether something has not changed in this version yet.
  mutating func changesOnce(_ name: String) -> Bool { changed.insert(name).inserted }

  init(draft: ModelDraft, rows: PlainRows) { (self.draft, self.rows) = (draft, rows) }

  /// Makes a change. Returns false if the model has no place for it.
  mutating func apply(_ step: ChangeStep) -> Bool {
    guard let text = change(step) else { return false }
    words.append(text)
    return true
  }

  private mutating func change(_ step: ChangeStep) -> String? {
    switch step.kind {
    case .addAttribute, .removeAttribute, .renameAttribute, .swapAttributes, .makeOptional,
      .makeRequired, .external:
      changeAttribute(step)
    case .convert: convert(step)
    case .wrap: wrap(step)
    case .unwrap: unwrap(step)
    case .moveUp, .moveDown: moveAttribute(step)
    case .addEntity, .removeEntity, .renameEntity, .abstract: changeEntity(step)
    case .moveEntity: moveEntity(step)
    case .insertParent: insertParent(step)
    case .addRelationship: addRelationship(step)
    case .removeRelationship: removeRelationship(step)
    case .renameRelationship: renameRelationship(step)
    case .cardinality, .order: changeForm(step)
    case .addInverse: addInverse(step)
    case .removeInverse: removeInverse(step)
    case .widenDestination: widenDestination(step)
    case .index, .unique, .count: changeUpkeep(step)
    case .fill, .thin, .migrate: nil
    }
  }

  /// Ends the version.
  mutating func seal() {
    draft.seal()
    (unordered, problems, changed, words, inconvertible) = ([], [], [], [], [])
  }

  /// Finds what no single change decides: equal values, and several objects where one has room.
  mutating func checkRules() {
    for (kind, numbers) in inconvertible where !numbers.isDisjoint(with: rows.rows.keys) {
      problems.insert(kind)
    }
    for name in draft.names {
      for entity in draft.lineage(name) {
        for constraint in entity.uniquenessConstraints
        where constraint.count == 1
          && rows.hasDuplicates(of: constraint[0], in: draft.family(entity.name))
        {
          problems.insert(.duplicates)
        }
      }
      let required = draft.lineage(name).flatMap(\.attributes).filter {
        !$0.isOptional && !$0.isDerived && $0.type != .composite
      }
      for number in rows.numbers(of: [name])
      where required.contains(where: { rows.rows[number]?.values[$0.name] == PlainRows.Cell.none })
      {
        problems.insert(.missingValue)
      }
      if draft[name].isAbstract, !rows.numbers(of: [name]).isEmpty { problems.insert(.unsupported) }
    }
    for place in draft.relationships {
      let relationship = draft[relationship: place]
      if !relationship.isToMany, rows.largestCount(place.name) > 1 {
        problems.insert(.tooManyLinks)
      }
      // The members of a relationship without inverse hold the key of their owner.
      if relationship.isToMany, relationship.inverseName == nil,
        rows.largestOwnerCount(place.name) > 1
      {
        problems.insert(.tooManyLinks)
      }
    }
  }

  // MARK: - Moving objects

  /// Cuts the links that lead to objects of other entities than their relationship, from either side.
  mutating func cutLinks() {
    for place in draft.relationships {
      let destination = draft[relationship: place].destinationEntityName
      rows.keepLinks(place.name, to: draft.family(destination))
      let owners = Set(rows.numbers(of: draft.family(place.entity)))
      for number in rows.rows.keys where !owners.contains(number) {
        rows.rows[number]?.links[place.name] = nil
      }
    }
    for place in draft.relationships {
      guard let inverse = draft.inverse(of: place) else { continue }
      let owners = Set(rows.numbers(of: draft.family(place.entity)))
      for number in rows.rows.keys {
        rows.rows[number]?.links[inverse.name]?.removeAll { !owners.contains($0) }
      }
    }
  }

  func path(_ attribute: AttributeDescription) -> [String] {
    attribute.type == .composite
      ? attribute.elements.map { "\(attribute.name).\($0.name)" } : [attribute.name]
  }

  /// Gives rows the values and links of entities that they have not had so far.
  mutating func complete() {
    for name in draft.names {
      let numbers = rows.numbers(of: [name])
      let line = draft.lineage(name)
      let attributes = line.flatMap(\.attributes).flatMap { attribute in
        zip(path(attribute), attribute.type == .composite ? attribute.elements : [attribute])
      }
      let relationships = line.flatMap(\.relationships).map(\.name)
      for number in numbers {
        var row = rows.rows[number] ?? PlainRows.Row(entity: name)
        let former = row
        row.values = [:]
        row.links = [:]
        for (path, attribute) in attributes {
          row.values[path] = former.values[path] ?? PlainRows.Cell(attribute.defaultValue)
        }
        for name in relationships { row.links[name] = former.links[name] ?? [] }
        rows.rows[number] = row
      }
    }
  }
}
