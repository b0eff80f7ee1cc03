// SPDX-License-Identifier: MIT
import SporadesArchives
import SporadesModel
import Testing

/// A store before and after a migration, both read with SQLite's own functions. Entities and properties are paired by
/// their names and renaming identifiers, without the library's own rules.
struct PlainComparison {
  let before: PlainStore
  let after: PlainStore
  let old: ManagedObjectModel
  let new: ManagedObjectModel
  private var kept: Set<String> = []
  private(set) var differences: [String] = []
  private(set) var values = 0
  private(set) var links = 0

  init(
    _ before: String, _ after: String, from old: ManagedObjectModel, to new: ManagedObjectModel,
    through versions: some Sequence<ManagedObjectModel>
  ) throws {
    self.before = try PlainStore(before)
    self.after = try PlainStore(after)
    (self.old, self.new) = (old, new)
    // An entity that a version in between lacks was removed, and begins anew.
    kept = Set(
      new.entities.map(\.name).filter { name in
        versions.allSatisfy { $0.entitiesByName[name] != nil }
      })
    for entity in new.entities where kept.contains(entity.name) { try compare(entity) }
    try compareOthers()
  }

  private static func pick<Part>(
    _ name: String, _ identifier: String?, _ parts: [String: Part]
  ) -> (name: String, part: Part)? {
    if let identifier, let part = parts[identifier] { return (identifier, part) }
    return parts[name].map { (name, $0) }
  }

  private mutating func compare(_ entity: EntityDescription) throws {
    guard let source = Self.pick(entity.name, entity.renamingIdentifier, old.entitiesByName),
      !entity.isAbstract, let shape = new.shape(named: entity.name),
      let former = old.shape(named: source.name)
    else { return }
    let keys = try keys(before, source.name)
    let found = try self.keys(after, entity.name)
    if keys != found {
      differences.append("\(entity.name): \(found.count) objects, not \(keys.count)")
    }
    let attributes = Dictionary(
      former.attributes.map { ($0.name, $0.description) }, uniquingKeysWith: { $1 })
    for attribute in shape.attributes.map(\.description) {
      guard let pair = Self.pick(attribute.name, attribute.renamingIdentifier, attributes) else {
        continue
      }
      try compare(attribute, pair.part, of: (source.name, entity.name))
    }
    for relationship in shape.relationships.map(\.description) {
      let relationships = Dictionary(
        former.relationships.map { ($0.name, $0.description) }, uniquingKeysWith: { $1 })
      guard
        let pair = Self.pick(relationship.name, relationship.renamingIdentifier, relationships)
      else { continue }
      try compare(relationship, pair.part, of: (source.name, entity.name))
    }
  }

  private func keys(_ store: PlainStore, _ entity: String) throws -> [[PlainStore.Cell]] {
    let number = try #require(store.entities[entity]?.number)
    return try store.rows(
      "SELECT Z_PK FROM \(store.table(of: entity)) WHERE Z_ENT = \(number) ORDER BY 1")
  }

  private func column(_ name: String) -> String { "Z" + name.uppercased() }

  private func values(
    _ store: PlainStore, _ entity: String, _ name: String
  ) throws -> [[PlainStore.Cell]]? {
    let table = try store.table(of: entity)
    let columns = try store.columns(of: table)
    // Two entities of a tree may have an attribute of one name each.
    guard columns.contains(column(name)), !columns.contains(column(name) + "1"),
      let number = store.entities[entity]?.number
    else { return nil }
    return try store.rows(
      "SELECT Z_PK, \(column(name)) FROM \(table) WHERE Z_ENT = \(number) ORDER BY 1")
  }

  private mutating func compare(
    _ attribute: AttributeDescription, _ former: AttributeDescription,
    of entity: (old: String, new: String)
  ) throws {
    guard attribute.type == former.type, !attribute.isTransient, !former.isTransient,
      attribute.derivationExpression == former.derivationExpression,
      attribute.allowsExternalBinaryDataStorage == former.allowsExternalBinaryDataStorage,
      let one = try values(before, entity.old, former.name)
    else { return }
    guard let other = try values(after, entity.new, attribute.name) else {
      return differences.append("\(entity.new).\(attribute.name) has no column")
    }
    for (left, right) in zip(one, other) where left != right {
      if left[1] == .null, !attribute.isOptional { continue }
      differences.append("\(entity.new).\(attribute.name): \(right), not \(left)")
    }
    values += one.count { $0[1] != .null }
  }

  private mutating func compare(
    _ relationship: RelationshipDescription, _ former: RelationshipDescription,
    of entity: (old: String, new: String)
  ) throws {
    guard !relationship.isTransient, !former.isTransient,
      relationship.isToMany == former.isToMany,
      kept.contains(relationship.destinationEntityName)
    else { return }
    let one = try links(before, former, entity.old)
    guard let one else { return }
    let other = try links(after, relationship, entity.new)
    links += one.count
    if one != other {
      differences.append(
        "\(entity.new).\(relationship.name): \(other?.count ?? -1) links, not \(one.count)")
    }
  }

  private func links(
    _ store: PlainStore, _ relationship: RelationshipDescription, _ entity: String
  ) throws -> Set<PlainStore.Link>? {
    let destination = relationship.destinationEntityName
    guard relationship.isToMany else {
      let table = try store.table(of: entity)
      guard try store.columns(of: table).contains(column(relationship.name)) else { return nil }
      return try store.toOne(column(relationship.name), from: entity, to: destination)
    }
    guard let inverse = relationship.inverseName else { return nil }
    return try store.join(relationship.name, of: entity, inverse, of: destination)
  }

  // MARK: - What is not of the model

  private mutating func compareOthers() throws {
    let own = Set(
      try old.entities.map { try before.table(of: $0.name) } + [
        "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE",
      ])
    for table in try before.tables() where !own.contains(table) {
      let isOfModel =
        table.hasPrefix("Z_") || ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(table)
      if isOfModel { continue }
      let sql = "SELECT * FROM \"\(table)\""
      if try before.rows(sql) != (try after.rows(sql)) {
        differences.append("the foreign table \(table) is another")
      }
    }
    let identifier = "SELECT Z_VERSION, Z_UUID FROM Z_METADATA"
    if try before.rows(identifier) != (try after.rows(identifier)) {
      differences.append("the identifier is another")
    }
    let (one, other) = (try metadata(before), try metadata(after))
    let prefixes = ["NS", "_NS", "Sporades"]
    for (key, value) in one where !prefixes.contains(where: key.hasPrefix) && other[key] != value {
      differences.append("metadata \(key): \(other[key] as Any), not \(value)")
    }
  }

  private func metadata(_ store: PlainStore) throws -> [String: MetadataValue] {
    guard case .blob(let bytes)? = try store.rows("SELECT Z_PLIST FROM Z_METADATA").first?.first,
      case .dictionary(let entries) = try MetadataValue.read(propertyList: bytes)
    else { return [:] }
    return entries
  }
}
