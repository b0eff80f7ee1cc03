// SPDX-License-Identifier: MIT
import SporadesModel

// Relationships and constraints of inferred entities.
extension ModelInference {
  mutating func addReferences(of table: CatalogTable) {
    for reference in table.references {
      guard leadsToEntity(reference, from: table),
        let destination = entityNames[reference.destination]
      else {
        omit(
          "The foreign key of \(table.name) over \(reference.columns.joined(separator: ", ")) is no relationship: only one column "
            + "that leads to an entity's table is.")
        continue
      }
      add(reference, of: table, to: destination)
    }
  }

  private mutating func add(
    _ reference: CatalogTable.Reference, of table: CatalogTable, to destination: String
  ) {
    let column = reference.columns[0]
    let own = entityNames[table.name] ?? ""
    let isUnique = table.uniques.contains { $0.columns == [column] }
    let isRequired = table[column: column]?.isNotNull ?? false
    let name = InferredNames.property(
      InferredNames.withoutEnding(column), in: table.name.table, beside: names(in: table.name))
    let isOnly =
      table.references.filter { $0.destination == reference.destination }.count == 1
    let plain = isUnique ? InferredNames.small(own) : InferredNames.plural(of: own)
    let wish = isOnly ? plain : "\(plain)By\(InferredNames.capital(name))"
    var taken = names(in: reference.destination)
    if reference.destination == table.name { taken.insert(name) }
    let inverse = InferredNames.free(wish, beside: taken)
    var toOne = RelationshipDescription.toOne(
      name, destination, inverse: inverse, isOptional: !isRequired)
    toOne.userInfo = [MappingNote.column: column]
    let rule: DeleteRule =
      reference.cascades ? .cascade : isRequired ? .deny : .nullify
    let back =
      isUnique
      ? RelationshipDescription.toOne(inverse, own, inverse: name, deleteRule: rule)
      : .toMany(inverse, own, inverse: name, deleteRule: rule)
    change(table.name) { $0.relationships.append(toOne) }
    change(reference.destination) { $0.relationships.append(back) }
  }

  /// Adds the many-to-many relationship of a table of links.
  mutating func addLinks(of table: CatalogTable) {
    let sides = table.references.sorted { $0.columns[0] < $1.columns[0] }
    let ends = sides.compactMap { entityNames[$0.destination] }
    guard ends.count == 2 else {
      omit("\(table.name) is left out: it links tables that are no entities.")
      return
    }
    let isOwn = ends[0] == ends[1]
    let (first, second) = (sides[0], sides[1])
    let wishes = [second, first].enumerated().map { place, side in
      isOwn
        ? InferredNames.plural(
          of: InferredNames.capital(
            InferredNames.camel(InferredNames.withoutEnding(side.columns[0]))))
        : InferredNames.plural(of: ends[1 - place])
    }
    let name = InferredNames.free(wishes[0], beside: names(in: first.destination))
    var taken = names(in: second.destination)
    if isOwn { taken.insert(name) }
    let inverse = InferredNames.free(wishes[1], beside: taken)
    var own = RelationshipDescription.toMany(name, ends[1], inverse: inverse)
    own.userInfo = [
      MappingNote.join: table.name.table, MappingNote.joinSchema: table.name.schema,
      MappingNote.joinColumn: first.columns[0], MappingNote.joinOtherColumn: second.columns[0],
    ]
    let other = RelationshipDescription.toMany(inverse, ends[0], inverse: name)
    change(first.destination) { $0.relationships.append(own) }
    change(second.destination) { $0.relationships.append(other) }
    let rest = table.columns.map(\.name).filter { column in
      !sides.contains { $0.columns == [column] }
    }
    if !rest.isEmpty {
      omit(
        "\(table.name) is \(ends[0]).\(name), and \(rest.joined(separator: ", ")) of its rows is left out."
      )
    }
  }

  mutating func addConstraints(of table: CatalogTable) {
    var properties: [String: String] = [:]
    change(table.name) { entity in
      for attribute in entity.attributes {
        properties[attribute.userInfo[MappingNote.column] ?? ""] = attribute.name
      }
      for relationship in entity.relationships {
        if let column = relationship.userInfo[MappingNote.column] {
          properties[column] = relationship.name
        }
      }
      for constraint in table.uniques {
        let names = constraint.columns.compactMap { properties[$0] }
        guard names.count == constraint.columns.count, !names.isEmpty else { continue }
        if !entity.uniquenessConstraints.contains(names) {
          entity.uniquenessConstraints.append(names)
        }
      }
      for index in table.indexes {
        let names = index.columns.compactMap { properties[$0] }
        guard names.count == index.columns.count, !names.isEmpty else { continue }
        entity.indexes.append(
          FetchIndexDescription(
            index.name, names.map { FetchIndexDescription.Element($0) }))
      }
    }
  }
}
