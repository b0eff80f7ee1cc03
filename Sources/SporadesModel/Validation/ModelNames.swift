// SPDX-License-Identifier: MIT

/// Which names a model may give to its entities and properties.
enum ModelNames {
  /// A letter or underscore, then letters, digits and underscores.
  static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first else { return false }
    return (first == "_" || first.properties.isXIDStart)
      && name.unicodeScalars.dropFirst().allSatisfy { $0.properties.isXIDContinue }
  }

  /// Whether a property with the name would hide a member of every managed object, or a column
  /// that every table has.
  static func isReserved(property name: String) -> Bool {
    objectMembers.contains(name) || columns.contains(name.uppercased())
  }

  /// Whether the table of an entity with the name would be one of Core Data's own, or could be
  /// taken for a join: those are named `Z_` and a number.
  static func isReserved(entity name: String) -> Bool {
    let upper = name.uppercased()
    return tables.contains(upper) || upper.hasPrefix("_RT_")
      || (upper.hasPrefix("_") && upper.dropFirst().first?.isASCII == true
        && upper.dropFirst().first?.isNumber == true)
  }

  private static let objectMembers: Set<String> = [
    // Members of managed objects.
    "objectID", "entity", "managedObjectContext", "isInserted", "isUpdated", "isDeleted", "isFault",
    "hasChanges", "hasPersistentChangedValues", "faultingState", "changedValues",
    "changedValuesForCurrentEvent", "observationInfo", "awakeFromFetch", "awakeFromInsert",
    "prepareForDeletion", "willSave", "didSave", "willTurnIntoFault", "didTurnIntoFault",
    "validateForInsert", "validateForUpdate", "validateForDelete",
    // Members of every object on Apple's platforms, where the same model must work.
    "self", "class", "superclass", "hash", "description", "debugDescription", "zone", "isProxy",
    "retain", "release", "autorelease", "retainCount", "dealloc",
  ]

  private static let columns: Set<String> = ["_PK", "_ENT", "_OPT"]
  private static let tables: Set<String> = ["_PRIMARYKEY", "_METADATA", "_MODELCACHE"]
}
