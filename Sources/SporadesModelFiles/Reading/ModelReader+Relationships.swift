// SPDX-License-Identifier: MIT
import SporadesModel

// Relationships in a model file: destination, inverse, delete rule, order and counts.

extension ModelReader {
  mutating func readRelationship(_ element: ModelElement, entity: String) -> RelationshipDescription
  {
    let name = readPropertyName(element, entity: entity)
    let location = Location(element, entity: entity, property: name)
    refuseUnknown(in: element, ["userInfo"], location)
    let destination = readRequired("destinationEntity", of: element, location) ?? ""
    var relationship =
      readFlag("toMany", of: element, location)
      ? RelationshipDescription.toMany(name, destination, inverse: element["inverseName"])
      : .toOne(name, destination, inverse: element["inverseName"])
    if relationship.isToMany, let maximum = readCount("maxCount", of: element, location) {
      relationship.maxCount = maximum
      if maximum < 0 {
        warn(.invalidCount, location, "has the maximum count \(maximum). It is read as no bound.")
      }
    }
    relationship.minCount = readCount("minCount", of: element, location) ?? 0
    relationship.isOptional = readFlag("optional", of: element, location)
    relationship.isTransient = readFlag("transient", of: element, location)
    relationship.isOrdered = readFlag("ordered", of: element, location)
    relationship.deleteRule = readDeleteRule(element, location)
    relationship.userInfo = readUserInfo(element, location)
    relationship.versionHashModifier = element["versionHashModifier"]
    relationship.renamingIdentifier = readRenamingIdentifier(of: element, name)
    return relationship
  }

  private mutating func readDeleteRule(_ element: ModelElement, _ location: Location) -> DeleteRule
  {
    switch element["deletionRule"] {
    case nil, "Nullify": return .nullify
    case "Cascade": return .cascade
    case "Deny": return .deny
    case "No Action": return .noAction
    case .some(let rule):
      warn(
        .malformedFile, location,
        "has the deletion rule \(rule), which is not Nullify, Cascade, Deny or No Action. It is read "
          + "as Nullify.")
      return .nullify
    }
  }
}
