// SPDX-License-Identifier: MIT
public import SporadesModel

// What the open checks of an object do where no class overrides them.
extension ManagedObject {
  /// Throws what the model has against the object. In a save that was found out before.
  @usableFromInline
  final func validateModel() throws {
    var failures: [ValidationError.Failure]
    if state.contains(.validating) {
      failures = home.context?.modelFailures ?? []
    } else {
      var validation = ObjectValidation()
      validation.checkModel(self)
      failures = validation.failures
    }
    guard failures.isEmpty else { throw ValidationError(failures: failures) }
  }

  @usableFromInline
  final func validateModel(_ value: Value, forKey name: String) throws {
    guard case .attribute(let attribute)? = home.shape[name] else { return }
    var validation = ObjectValidation()
    validation.check(value, of: attribute, self)
    guard validation.failures.isEmpty else { throw ValidationError(failures: validation.failures) }
  }
}
