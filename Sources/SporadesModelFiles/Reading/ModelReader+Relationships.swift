// SPDX-License-Identifier: MIT
import SporadesModel

extension ModelReader {
  mutating func relationship(_ element: ModelElement, entity: String) -> RelationshipDescription {
    let name = propertyName(element, entity: entity)
    let place = Place(element, entity: entity, property: name)
    refuseUnknown(in: element, ["userInfo"], place)
    let destination = required("destinationEntity", of: element, place) ?? ""
    var relationship =
      flag("toMany", of: element, place)
      ? RelationshipDescription.toMany(name, destination, inverse: element["inverseName"])
      : .toOne(name, destination, inverse: element["inverseName"])
    if relationship.isToMany, let maximum = count("maxCount", of: element, place) {
      relationship.maxCount = maximum
      if maximum < 0 {
        warn(.invalidCount, place, "has the maximum count \(maximum). It is read as no bound.")
      }
    }
    relationship.minCount = count("minCount", of: element, place) ?? 0
    relationship.isOptional = flag("optional", of: element, place)
    relationship.isTransient = flag("transient", of: element, place)
    relationship.isOrdered = flag("ordered", of: element, place)
    relationship.deleteRule = deleteRule(element, place)
    relationship.userInfo = userInfo(element, place)
    relationship.versionHashModifier = element["versionHashModifier"]
    relationship.renamingIdentifier = element["elementID"]
    return relationship
  }

  private mutating func deleteRule(_ element: ModelElement, _ place: Place) -> DeleteRule {
    switch element["deletionRule"] {
    case nil, "Nullify": return .nullify
    case "Cascade": return .cascade
    case "Deny": return .deny
    case "No Action": return .noAction
    case .some(let rule):
      warn(
        .malformedFile, place,
        "has the deletion rule \(rule), which is none of Nullify, Cascade, Deny and No Action. It is "
          + "read as Nullify.")
      return .nullify
    }
  }
}
