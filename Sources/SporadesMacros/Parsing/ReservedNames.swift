// SPDX-License-Identifier: MIT

/// The names that no property can have: members of `ManagedObject`, members of every object on Apple's
/// platforms, and words that have a meaning behind a dot.
let reservedNames: Set<String> = [
  "awakeFromFetch", "awakeFromInsert", "changedValues", "changedValuesForCurrentEvent",
  "debugDescription", "description", "didSave", "didTurnIntoFault", "entity", "faultingState",
  "hasChanges", "hasPersistentChangedValues", "hash", "hashValue", "isDeleted", "isFault",
  "isInserted", "isUpdated", "managedObjectContext", "objectID", "observationInfo",
  "prepareForDeletion", "validateForDelete", "validateForInsert", "validateForUpdate", "willSave",
  "willTurnIntoFault",
  "autorelease", "class", "dealloc", "isProxy", "release", "retain", "retainCount", "superclass",
  "zone",
  "Protocol", "Type", "init", "self",
]
