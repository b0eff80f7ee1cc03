// SPDX-License-Identifier: MIT
import SporadesModel

extension ModelWriter {
  mutating func element(of entity: EntityDescription) -> WrittenElement {
    var element = WrittenElement("entity")
    element.set("name", entity.name)
    element.setUnlessEmpty("representedClassName", entity.managedObjectClassName)
    element.setFlag("isAbstract", entity.isAbstract)
    element.set("parentEntity", entity.superentityName)
    element.setUnlessEmpty("elementID", entity.renamingIdentifier)
    element.setUnlessEmpty("versionHashModifier", entity.versionHashModifier)
    element.set("syncable", "YES")
    let indexed = indexedAttributes(of: entity)
    for attribute in entity.attributes {
      element.children.append(
        self.element(of: attribute, entity, isIndexed: indexed.marked.contains(attribute.name)))
    }
    element.children += entity.relationships.map { self.element(of: $0) }
    element.children += entity.fetchedProperties.compactMap { self.element(of: $0, entity) }
    for index in entity.indexes where !indexed.all.contains(index.name) {
      if let written = self.element(of: index, entity) { element.children.append(written) }
    }
    element.children += constraints(of: entity)
    element.children += userInfo(entity.userInfo)
    return element
  }

  // MARK: - Relationships

  private func element(of relationship: RelationshipDescription) -> WrittenElement {
    var element = WrittenElement("relationship")
    element.set("name", relationship.name)
    element.setFlag("optional", relationship.isOptional)
    element.setFlag("transient", relationship.isTransient)
    element.setFlag("toMany", relationship.isToMany)
    if relationship.minCount != 0 { element.set("minCount", "\(relationship.minCount)") }
    if relationship.maxCount != 0 { element.set("maxCount", "\(relationship.maxCount)") }
    element.set("deletionRule", relationship.deleteRule.spelling)
    element.setFlag("ordered", relationship.isOrdered)
    element.set("destinationEntity", relationship.destinationEntityName)
    if let inverse = relationship.inverseName ?? relationship.unansweredInverseName {
      element.set("inverseName", inverse)
      element.set("inverseEntity", relationship.destinationEntityName)
    }
    element.setUnlessEmpty("elementID", relationship.renamingIdentifier)
    element.setUnlessEmpty("versionHashModifier", relationship.versionHashModifier)
    element.children = userInfo(relationship.userInfo)
    return element
  }

  // MARK: - Indexes

  /// The attributes with an index of their own name, which Xcode's files mark and do not list. A mark is
  /// not needed where another index has the attribute alone, because Xcode's compiler then adds the index.
  private func indexedAttributes(
    of entity: EntityDescription
  ) -> (all: Set<String>, marked: Set<String>) {
    let own = Set(entity.attributes.filter { $0.canBeMarkedAsIndexed }.map(\.name))
    let alone = entity.indexes.filter { $0.onlyAscending != nil }
    let all = Set(alone.filter { $0.onlyAscending == $0.name }.map(\.name)).intersection(own)
    let implied = alone.filter { $0.onlyAscending != $0.name }.compactMap(\.onlyAscending)
    return (all, all.subtracting(implied))
  }

  private mutating func element(
    of index: FetchIndexDescription, _ entity: EntityDescription
  ) -> WrittenElement? {
    var element = WrittenElement("fetchIndex")
    element.set("name", index.name)
    if let predicate = index.partialIndexPredicate {
      guard let text = predicate.readableFormat else {
        omit(
          .invalidPredicate, entity.name, nil,
          "has the index \(index.name) with a condition that has no text. The index is left out.")
        return nil
      }
      element.set("partialIndexPredicate", text)
    }
    let shape = model.shape(named: entity.name)
    element.children = index.elements.map { part in
      var element = WrittenElement("fetchIndexElement")
      element.set(shape?[part.property] == nil ? "expression" : "property", part.property)
      element.set("type", part.collation == .rTree ? "RTree" : "Binary")
      element.set("order", part.isAscending ? "ascending" : "descending")
      return element
    }
    return element
  }

  // MARK: - Constraints

  private func constraints(of entity: EntityDescription) -> [WrittenElement] {
    let groups = entity.uniquenessConstraints + entity.unenforcedConstraints
    guard !groups.isEmpty else { return [] }
    return [
      WrittenElement(
        "uniquenessConstraints",
        groups.map { names in
          WrittenElement(
            "uniquenessConstraint",
            names.map { name in
              var element = WrittenElement("constraint")
              element.set("value", name)
              return element
            })
        })
    ]
  }
}

extension DeleteRule {
  fileprivate var spelling: String {
    switch self {
    case .noAction: "No Action"
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    }
  }
}

extension AttributeDescription {
  /// The reader makes an index of a mark on such an attribute.
  fileprivate var canBeMarkedAsIndexed: Bool { !isTransient && type.slotKind != nil }
}
