// SPDX-License-Identifier: MIT

// The step that checks the objects.
extension ManagedObjectContext {
  /// Throws one error with all failures of the changed objects.
  func validateChanges() throws {
    var validation = ObjectValidation()
    checkLinksToDeleted(&validation)
    for object in changes.listed where object.hasChanges { validation.check(object) }
    guard validation.failures.isEmpty else { throw ValidationError(failures: validation.failures) }
  }
}
