// SPDX-License-Identifier: MIT
import SporadesModel

extension ModelArchiver {
  mutating func archive(_ entity: EntityDescription) {
    let name = writer.text(entity.name)
    let family = owners(of: entity)
    var fields: [PropertyListTree.Entry] = [
      .init("NSEntityName", name),
      .init("NSClassNameForEntity", writer.text(entity.managedObjectClassName)),
      .init("NSManagedObjectModel", modelReference),
      .init("NSSuperentity", entity.superentityName.flatMap { entities[$0] } ?? .nothing),
      .init("NSSubentities", archiveSubentities(of: entity)),
      .init("NSProperties", archiveProperties(of: entity, family)),
      .init("NSUserInfo", archive(notes: entity.userInfo)),
      .init("NSVersionHashModifier", writer.text(entity.versionHashModifier)),
      .init("NSRenamingIdentifier", writer.text(entity.renamingIdentifier ?? entity.name)),
    ]
    if entity.isAbstract { fields.append(.init("NSIsAbstract", .boolean(true))) }
    let tuples = entity.uniquenessConstraints + entity.unenforcedConstraints
    if !tuples.isEmpty { fields.append(.init("NSUniqueTuples", archive(tuples: tuples))) }
    if !entity.indexes.isEmpty { fields += archiveIndexes(of: entity) }
    writer.fill(entities[entity.name] ?? .nothing, ArchivedClass("NSEntityDescription"), fields)
  }

  private mutating func archiveSubentities(of entity: EntityDescription) -> Reference {
    var entries: [(key: Reference, value: Reference)] = []
    for child in model.entities.filter({ $0.superentityName == entity.name }) {
      entries.append((writer.text(child.name), entities[child.name] ?? .nothing))
    }
    return writer.dictionary(entries)
  }

  private mutating func archiveProperties(
    of entity: EntityDescription, _ family: [EntityDescription]
  ) -> Reference {
    let indexed = indexedAttributes(of: family)
    for attribute in family.flatMap(\.attributes) {
      archive(attribute, of: entity, isIndexed: indexed.contains(attribute.name))
    }
    for relationship in family.flatMap(\.relationships) { archive(relationship, of: entity) }
    for fetched in family.flatMap(\.fetchedProperties) { archive(fetched, of: entity) }
    var entries: [(key: Reference, value: Reference)] = []
    for name in family.flatMap(\.propertyNames).sorted() {
      // A fetched property without a known form has no place.
      guard let place = properties[PropertyPlace(entity: entity.name, property: name)] else {
        continue
      }
      entries.append((writer.text(name), place))
    }
    return writer.dictionary(entries)
  }

  private mutating func archive(tuples: [[String]]) -> Reference {
    writer.list(tuples.map { names in writer.list(names.map { writer.text($0) }) })
  }

  // MARK: - Indexes

  /// The attributes with an index of their own, which archives mark as older tools did.
  private func indexedAttributes(of family: [EntityDescription]) -> Set<String> {
    Set(
      family.flatMap { entity in
        entity.indexes.compactMap { index in
          let name = index.name
          let isOwn = index.elements.count == 1 && index.elements[0].property == name
          return isOwn && entity.attributes.contains { $0.name == name } ? name : nil
        }
      })
  }

  private mutating func archiveIndexes(of entity: EntityDescription) -> [PropertyListTree.Entry] {
    var indexes: [Reference] = []
    for index in entity.indexes {
      if let archived = archive(index, of: entity) { indexes.append(archived) }
    }
    // Archives repeat ascending indexes of several attributes in the form of older tools.
    let relationships = Set(family(of: entity).flatMap(\.relationships).map(\.name))
    let compound = entity.indexes.filter { index in
      index.elements.count > 1
        && index.elements.allSatisfy {
          $0.isAscending && $0.collation == .binary && !relationships.contains($0.property)
        }
    }
    return [
      .init("NSFetchIndexDescriptions", writer.list(indexes)),
      .init("NSCompoundIndexes", archive(tuples: compound.map { $0.elements.map(\.property) })),
    ]
  }

  private mutating func archive(
    _ index: FetchIndexDescription, of entity: EntityDescription
  ) -> Reference? {
    var predicate = Reference.nothing
    if let partial = index.partialIndexPredicate {
      guard let archived = writer.archive(partial) else {
        omit(
          .invalidPredicate, entity.name, nil,
          "has the index \(index.name) with a condition whose archived form is not known. The index is "
            + "left out.")
        return nil
      }
      predicate = archived
    }
    let place = writer.reserve()
    let elements = index.elements.map { archive($0, of: place, entity) }
    writer.fill(
      place, ArchivedClass("NSFetchIndexDescription"),
      [
        .init("NSIndexName", writer.text(index.name)),
        .init("NSEntity", entities[entity.name] ?? .nothing),
        .init("NSIndexElements", writer.list(elements, .array)),
        .init("NSPartialIndexPredicate", predicate),
      ])
    return place
  }

  private mutating func archive(
    _ element: FetchIndexDescription.Element, of index: Reference, _ entity: EntityDescription
  ) -> Reference {
    var fields: [PropertyListTree.Entry] = [
      .init("NSPropertyName", writer.text(element.property)),
      .init("NSFetchIndexElementType", .integer(element.collation == .rTree ? 1 : 0)),
      .init("NSAscending", .boolean(element.isAscending)),
      .init("NSFetchIndexDescription", index),
    ]
    if property(element.property, of: entity.name) == nil {
      let expression =
        element.property == "self"
        ? writer.archiveSubject() : writer.archive(keyPath: element.property)
      fields.append(.init("NSIndexedProperty", archive(expression: expression, element.property)))
    }
    return writer.object(ArchivedClass("NSFetchIndexElementDescription"), fields)
  }

  /// An expression that is indexed in a property's place.
  private mutating func archive(expression: Reference, _ name: String) -> Reference {
    writer.object(
      ArchivedClass("NSExpressionDescription", "NSPropertyDescription"),
      [
        .init("NSPropertyName", writer.text(name)), .init("NSEntity", .nothing),
        .init("NSRenamingIdentifier", writer.text(name)), .init("NSIsOptional", .boolean(true)),
        .init("NSIsReadOnly", .boolean(true)), .init("NSExpressionType", .integer(0)),
        .init("NSExpression", expression), .init("_P", .integer(0xF7)),
      ])
  }
}
