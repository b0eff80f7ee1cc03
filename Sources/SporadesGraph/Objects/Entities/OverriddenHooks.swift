// SPDX-License-Identifier: MIT
import SporadesModel

/// The methods of ``ManagedObject`` that a save or a deletion calls, and that a class may override.
enum ObjectHook: String, CaseIterable {
  case awakeFromInsert, prepareForDeletion, willSave, didSave
  case validateForInsert, validateForUpdate, validateForDelete, validateValue

  /// The hooks that saving a new object calls.
  static let ofInsertion: [ObjectHook] = [
    .awakeFromInsert, .validateForInsert, .validateValue, .willSave, .didSave,
  ]
  /// The hooks that saving a changed object calls.
  static let ofUpdate: [ObjectHook] = [.validateForUpdate, .validateValue, .willSave, .didSave]
  /// The hooks that deleting an object calls.
  static let ofDeletion: [ObjectHook] = [
    .prepareForDeletion, .validateForDelete, .willSave, .didSave,
  ]

  /// Whether the class or a class above it overrides the method.
  func isOverridden(in type: ManagedObject.Type) -> Bool {
    if self == .validateValue, type.validatedProperties.isEmpty { return false }
    return Self.places[self]?.isOverridden(in: type) ?? true
  }

  private static let places = Dictionary(
    uniqueKeysWithValues: allCases.map { hook in
      (hook, MethodPlace(of: hook.probe, PlainProbe.self, ManagedObject.self))
    })

  private var probe: ManagedObject.Type {
    switch self {
    case .awakeFromInsert: AwakeFromInsertProbe.self
    case .prepareForDeletion: PrepareForDeletionProbe.self
    case .willSave: WillSaveProbe.self
    case .didSave: DidSaveProbe.self
    case .validateForInsert: ValidateForInsertProbe.self
    case .validateForUpdate: ValidateForUpdateProbe.self
    case .validateForDelete: ValidateForDeleteProbe.self
    case .validateValue: ValidateValueProbe.self
    }
  }
}

// Classes that override one method each. Nobody makes objects of them.
private final class PlainProbe: ManagedObject {}
private final class AwakeFromInsertProbe: ManagedObject {
  override func awakeFromInsert() { trap("A probe has no objects.") }
}
private final class PrepareForDeletionProbe: ManagedObject {
  override func prepareForDeletion() { trap("A probe has no objects.") }
}
private final class WillSaveProbe: ManagedObject {
  override func willSave() { trap("A probe has no objects.") }
}
private final class DidSaveProbe: ManagedObject {
  override func didSave() { trap("A probe has no objects.") }
}
private final class ValidateForInsertProbe: ManagedObject {
  override func validateForInsert() throws { trap("A probe has no objects.") }
}
private final class ValidateForUpdateProbe: ManagedObject {
  override func validateForUpdate() throws { trap("A probe has no objects.") }
}
private final class ValidateForDeleteProbe: ManagedObject {
  override func validateForDelete() throws { trap("A probe has no objects.") }
}
private final class ValidateValueProbe: ManagedObject {
  override func validateValue(_ value: Value, forKey name: String) throws {
    trap("A probe has no objects.")
  }
}
