// SPDX-License-Identifier: MIT
import SporadesModel

/// The check that objects make of themselves.
struct ObjectCheck: ModelCheck {
  func failures(of object: ManagedObject) -> [ValidationError.Failure] {
    var validation = ObjectValidation()
    validation.checkModel(object)
    return validation.failures
  }

  func failures(
    of value: Value, forKey name: String, in object: ManagedObject
  ) -> [ValidationError.Failure] {
    // A name that no property has is a mistake of the program. A save checks relationships.
    guard case .attribute(let attribute) = object.property(name) else { return [] }
    var validation = ObjectValidation()
    validation.check(value, of: attribute, object)
    return validation.failures
  }
}
