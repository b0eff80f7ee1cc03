// SPDX-License-Identifier: MIT

// The step that checks the objects.
extension ManagedObjectContext {
  /// Throws one error with all failures of the changed objects.
  func validateChanges() throws {
    guard saving.validatesChanges else { return }
    var validation = ObjectValidation(callsHooks: saving.callsHooks)
    checkLinksToDeleted(&validation)
    changes.listed.forEachHeld { if $0.hasChanges { validation.check($0) } }
    let former = saving.refused
    saving.refused = Set(validation.failures.map(\.objectID))
    guard validation.failures.isEmpty else {
      throw ValidationError(
        failures: validation.failures, isRepeated: !former.isDisjoint(with: saving.refused))
    }
  }
}
