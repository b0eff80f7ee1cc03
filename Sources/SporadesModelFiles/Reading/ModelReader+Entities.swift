// SPDX-License-Identifier: MIT
import SporadesModel

extension ModelReader {
  mutating func entity(_ element: ModelElement) -> EntityDescription {
    var place = Place(element)
    let name = required("name", of: element, place) ?? ""
    place.entity = name
    if lines[name] == nil { lines[name] = element.line }
    refuseUnknown(
      in: element,
      [
        "attribute", "relationship", "fetchedProperty", "userInfo", "uniquenessConstraints",
        "fetchIndex", "compoundIndexes",
      ], place)
    var entity = EntityDescription(
      name, attributes: element.children("attribute").map { attribute($0, entity: name) },
      relationships: element.children("relationship").map { relationship($0, entity: name) },
      superentityName: element["parentEntity"], isAbstract: flag("isAbstract", of: element, place),
      uniquenessConstraints: uniquenessConstraints(element, place))
    entity.managedObjectClassName = className(element)
    entity.fetchedProperties = element.children("fetchedProperty").compactMap {
      fetchedProperty($0, entity: name)
    }
    entity.indexes = indexes(element, entity.attributes, place)
    entity.userInfo = userInfo(element, place)
    entity.versionHashModifier = element["versionHashModifier"]
    entity.renamingIdentifier = element["elementID"]
    return entity
  }

  /// `.Pet` is the class Pet of the program's own module.
  private func className(_ element: ModelElement) -> String? {
    guard let name = element["representedClassName"], name != "NSManagedObject" else { return nil }
    let plain = name.hasPrefix(".") ? String(name.dropFirst()) : name
    return plain.isEmpty ? nil : plain
  }

  mutating func propertyName(_ element: ModelElement, entity: String) -> String {
    let name = required("name", of: element, Place(element, entity: entity)) ?? ""
    if lines["\(entity).\(name)"] == nil { lines["\(entity).\(name)"] = element.line }
    return name
  }

  private mutating func uniquenessConstraints(
    _ element: ModelElement, _ place: Place
  ) -> [[String]] {
    var constraints: [[String]] = []
    for group in element.children("uniquenessConstraints") {
      refuseUnknown(in: group, ["uniquenessConstraint"], place)
      for constraint in group.children("uniquenessConstraint") {
        refuseUnknown(in: constraint, ["constraint"], place)
        constraints.append(constraint.children("constraint").compactMap { $0["value"] })
      }
    }
    return constraints
  }

  // MARK: - Indexes

  /// Fetch indexes, and what older tools wrote instead: compound indexes, named by their
  /// properties, and indexed attributes, named by themselves.
  private mutating func indexes(
    _ element: ModelElement, _ attributes: [AttributeDescription], _ place: Place
  ) -> [FetchIndexDescription] {
    var indexes = element.children("fetchIndex").compactMap { fetchIndex($0, place) }
    var names = Set(indexes.map(\.name))
    for group in element.children("compoundIndexes") {
      passOverUnknown(in: group, ["compoundIndex"], place)
      for compound in group.children("compoundIndex") {
        passOverUnknown(in: compound, ["index"], place)
        let properties = compound.children("index").compactMap { $0["value"] }
        let index = FetchIndexDescription(
          properties.joined(separator: "_"), properties.map { .init($0) })
        if names.insert(index.name).inserted { indexes.append(index) }
      }
    }
    let indexed = Set(
      element.children("attribute").filter { $0["indexed"].flatMap(Self.truth) == true }
        .compactMap { $0["name"] })
    for attribute in attributes
    where indexed.contains(attribute.name) && !attribute.isTransient
      && attribute.type.slotKind != nil && names.insert(attribute.name).inserted
    {
      indexes.append(FetchIndexDescription(attribute.name, on: attribute.name))
    }
    return indexes
  }

  private mutating func fetchIndex(
    _ element: ModelElement, _ place: Place
  ) -> FetchIndexDescription? {
    let place = Place(element, entity: place.entity)
    passOverUnknown(in: element, ["fetchIndexElement"], place)
    var elements: [FetchIndexDescription.Element] = []
    for child in element.children("fetchIndexElement") {
      guard let property = child["property"] ?? child["expression"] else {
        warn(
          .unknownProperty, place,
          "has an index element without property, in an index that is left out for it.")
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
        predicate(from: $0, place, orElse: "The index has all rows.")
      })
  }
}
