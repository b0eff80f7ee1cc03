// SPDX-License-Identifier: MIT

/// The names of `ManagedObject`'s members. A property with such a name would hide the member.
let reservedNames: Set<String> = [
  "awakeFromFetch", "awakeFromInsert", "debugDescription", "description", "didSave", "entity",
  "faultingState", "hasChanges", "hasPersistentChangedValues", "hash", "hashValue", "init",
  "isDeleted", "isFault", "isInserted", "isUpdated", "managedObjectContext", "objectID",
  "prepareForDeletion", "self", "validateForDelete", "validateForInsert", "validateForUpdate",
  "willSave",
]
