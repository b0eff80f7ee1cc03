// SPDX-License-Identifier: MIT
public import SporadesModel

/// Checks objects against their model, and sets their values by name. A higher room does it.
protocol ModelCheck: Sendable {
  func failures(of object: ManagedObject) -> [ValidationError.Failure]
  func failures(
    of value: Value, forKey name: String, in object: ManagedObject
  ) -> [ValidationError.Failure]
  func set(_ value: Any?, forKey name: String, of object: ManagedObject)
  func setPrimitive(_ value: Any?, forKey name: String, of object: ManagedObject)
  func willChange(_ object: ManagedObject, _ name: String)
}

// The default implementations of an object's own checks.
extension ManagedObject {
  /// Throws the failures of the object against the model. In a save, they are already known.
  @usableFromInline
  final func validateModel() throws {
    var failures: [ValidationError.Failure]
    if state.intersection(.announcedNew) == .validating {
      if home.onContext({ $0.saving.modelFailures.isEmpty }) ?? true { return }
      failures = home.context?.saving.modelFailures ?? []
    } else {
      failures = home.binding.check.failures(of: self)
    }
    guard failures.isEmpty else { throw ValidationError(failures: failures) }
  }

  @usableFromInline
  final func validateModel(_ value: Value, forKey name: String) throws {
    let failures = home.binding.check.failures(of: value, forKey: name, in: self)
    guard failures.isEmpty else { throw ValidationError(failures: failures) }
  }
}
