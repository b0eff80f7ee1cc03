// SPDX-License-Identifier: MIT
public import SporadesModel

// The default implementations of an object's own checks.
extension ManagedObject {
  /// Throws the failures of the object against the model. In a save, they are already known.
  @usableFromInline
  final func validateModel() throws {
    var failures: [ValidationError.Failure]
    if state.intersection(.announcedNew) == .validating {
      if home.onContext({ $0.modelFailures.isEmpty }) ?? true { return }
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
    // A name that no property has is a mistake of the program. A save checks relationships.
    guard case .attribute(let attribute) = property(name) else { return }
    var validation = ObjectValidation()
    validation.check(value, of: attribute, self)
    guard validation.failures.isEmpty else { throw ValidationError(failures: validation.failures) }
  }
}
