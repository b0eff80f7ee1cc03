// SPDX-License-Identifier: MIT
import SporadesModel

extension ModelReader {
  mutating func readEntity(_ element: ModelElement) -> EntityDescription {
    var location = Location(element)
    let name = readRequired("name", of: element, location) ?? ""
    location.entity = name
    if lines[name] == nil { lines[name] = element.line }
    refuseUnknown(
      in: element,
      [
        "attribute", "relationship", "fetchedProperty", "userInfo", "uniquenessConstraints",
        "fetchIndex", "compoundIndexes",
      ], location)
    var entity = EntityDescription(
      name, attributes: element.children("attribute").map { readAttribute($0, entity: name) },
      relationships: element.children("relationship").map { readRelationship($0, entity: name) },
      superentityName: element["parentEntity"],
      isAbstract: readFlag("isAbstract", of: element, location),
      uniquenessConstraints: readUniquenessConstraints(element, location))
    entity.managedObjectClassName = readClassName(element)
    entity.fetchedProperties = element.children("fetchedProperty").compactMap {
      readFetchedProperty($0, entity: name)
    }
    entity.indexes = readIndexes(element, entity.attributes, location)
    entity.userInfo = readUserInfo(element, location)
    entity.versionHashModifier = element["versionHashModifier"]
    entity.renamingIdentifier = readRenamingIdentifier(of: element, name)
    return entity
  }

  /// Reads the name of the class. `.Pet` means the class Pet of the program's own module.
  private func readClassName(_ element: ModelElement) -> String? {
    guard let name = element["representedClassName"], name != "NSManagedObject" else { return nil }
    let plain = name.hasPrefix(".") ? String(name.dropFirst()) : name
    return plain.isEmpty ? nil : plain
  }

  mutating func readPropertyName(_ element: ModelElement, entity: String) -> String {
    let name = readRequired("name", of: element, Location(element, entity: entity)) ?? ""
    if lines["\(entity).\(name)"] == nil { lines["\(entity).\(name)"] = element.line }
    return name
  }

  private mutating func readUniquenessConstraints(
    _ element: ModelElement, _ location: Location
  ) -> [[String]] {
    var constraints: [[String]] = []
    for group in element.children("uniquenessConstraints") {
      refuseUnknown(in: group, ["uniquenessConstraint"], location)
      for constraint in group.children("uniquenessConstraint") {
        refuseUnknown(in: constraint, ["constraint"], location)
        constraints.append(constraint.children("constraint").compactMap { $0["value"] })
      }
    }
    return constraints
  }

  // MARK: - Indexes

  /// Reads fetch indexes, and the compound indexes and indexed attributes of older tools. A compound index
  /// takes its name from its properties, an indexed attribute from itself.
  ///
  /// Xcode's compiler also treats an attribute that an ascending index holds alone as an indexed attribute, and
  /// stores then have two indexes on it. The reader does the same.
  private mutating func readIndexes(
    _ element: ModelElement, _ attributes: [AttributeDescription], _ location: Location
  ) -> [FetchIndexDescription] {
    var indexes = element.children("fetchIndex").compactMap { readFetchIndex($0, location) }
    var names = Set(indexes.map(\.name))
    for group in element.children("compoundIndexes") {
      warnOfUnknown(in: group, ["compoundIndex"], location)
      for compound in group.children("compoundIndex") {
        warnOfUnknown(in: compound, ["index"], location)
        let properties = compound.children("index").compactMap { $0["value"] }
        let index = FetchIndexDescription(
          properties.joined(separator: "_"), properties.map { .init($0) })
        if names.insert(index.name).inserted { indexes.append(index) }
      }
    }
    let marked = element.children("attribute").filter {
      $0["indexed"].flatMap(Self.truth) == true
    }
    let indexed = Set(marked.compactMap { $0["name"] } + indexes.compactMap(\.onlyAscending))
    let own = attributes.filter { attribute in
      indexed.contains(attribute.name) && !attribute.isTransient && attribute.type.slotKind != nil
        && names.insert(attribute.name).inserted
    }
    return own.map { FetchIndexDescription($0.name, on: $0.name) } + indexes
  }

  private mutating func readFetchIndex(
    _ element: ModelElement, _ location: Location
  ) -> FetchIndexDescription? {
    let location = Location(element, entity: location.entity)
    warnOfUnknown(in: element, ["fetchIndexElement"], location)
    var elements: [FetchIndexDescription.Element] = []
    for child in element.children("fetchIndexElement") {
      guard let property = child["property"] ?? child["expression"] else {
        warn(
          .unknownProperty, location,
          "has an index element without a property. The index is left out.")
        return nil
      }
      let isRTree = child["type"]?.lowercased() == "rtree"
      elements.append(
        .init(
          property, isAscending: child["order"]?.lowercased() != "descending",
          collation: isRTree ? .rTree : .binary))
    }
    return FetchIndexDescription(
      element["name"] ?? "", elements,
      where: element["partialIndexPredicate"].flatMap {
        readPredicate(from: $0, location, orElse: "The index contains all rows.")
      })
  }
}

extension FetchIndexDescription {
  /// The property of an index over one property in ascending order; nil for any other index.
  var onlyAscending: String? {
    guard elements.count == 1, partialIndexPredicate == nil, elements[0].isAscending,
      elements[0].collation == .binary
    else { return nil }
    return elements[0].property
  }
}
