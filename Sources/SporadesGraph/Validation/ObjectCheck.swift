// SPDX-License-Identifier: MIT
import SporadesModel

/// The checks that objects make of themselves, and the changes by name.
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

  func set(_ value: Any?, forKey name: String, of object: ManagedObject) {
    object.change(name, to: value)
  }

  func setPrimitive(_ value: Any?, forKey name: String, of object: ManagedObject) {
    object.changePrimitive(name, to: value)
  }

  func willChange(_ object: ManagedObject, _ name: String) {
    if object.home.checksQueue { object.home.checkQueue(object, name) }
    object.noteChange()
  }
}
