// SPDX-License-Identifier: MIT

/// The names that a model may give to its entities and properties, and the order of names.
package enum ModelNames {
  /// The name is a letter or underscore, followed by letters, digits and underscores.
  package static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first else { return false }
    return (first == "_" || first.properties.isXIDStart)
      && name.unicodeScalars.dropFirst().allSatisfy { $0.properties.isXIDContinue }
  }

  /// A property with the name would hide a member of every managed object, or would take the name
  /// of a column that every table has.
  package static func isReserved(property name: String) -> Bool {
    objectMembers.contains(name) || columns.contains(name.uppercased())
  }

  /// The table of an entity with the name would be one of Core Data's own tables, or would look like
  /// the table of a join, whose name is `Z_` and a number.
  package static func isReserved(entity name: String) -> Bool {
    let upper = name.uppercased()
    return tables.contains(upper) || upper.hasPrefix("_RT_")
      || (upper.hasPrefix("_") && upper.dropFirst().first?.isASCII == true
        && upper.dropFirst().first?.isNumber == true)
  }

  /// Orders names by their bytes, as version hashes need. Swift's own order compares canonical forms.
  static func areInOrder(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
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
