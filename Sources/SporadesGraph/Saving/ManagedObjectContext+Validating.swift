// SPDX-License-Identifier: MIT

// The step in which objects are checked.
extension ManagedObjectContext {
  /// Throws one error with everything that is wrong with the changed objects.
  func validateChanges() throws {
    var validation = ObjectValidation()
    checkLinksToDeleted(&validation)
    for object in changes.listed where object.hasChanges { validation.check(object) }
    for object in changes.linked where !object.hasChanges { validation.checkCounts(object) }
    guard validation.failures.isEmpty else { throw ValidationError(failures: validation.failures) }
  }
}
