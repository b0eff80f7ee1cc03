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
  ///
  /// Swift keeps a table of methods for each class, whose entries a subclass takes over unless it overrides them.
  /// The place of a method in the table is the one where a class that overrides it alone differs from
  /// ``ManagedObject``. Without such a place, the method counts as overridden.
  func isOverridden(in type: ManagedObject.Type) -> Bool {
    if self == .validateValue, type.validatedProperties.isEmpty { return false }
    guard let place = Self.places[self] else { return true }
    return unsafe Self.word(place, of: type) != Self.word(place, of: ManagedObject.self)
  }

  private static let places: [ObjectHook: Int] = {
    var places: [ObjectHook: Int] = [:]
    for hook in allCases { places[hook] = unsafe place(of: hook.probe) }
    return places
  }()

  @unsafe
  private static func place(of probe: ManagedObject.Type) -> Int? {
    unsafe (0..<wordCount).first { place in
      let base = unsafe word(place, of: ManagedObject.self)
      return unsafe word(place, of: PlainProbe.self) == base && word(place, of: probe) != base
    }
  }

  @unsafe
  private static func word(_ place: Int, of type: ManagedObject.Type) -> UInt {
    unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self)[place]
  }

  /// The words of a class's table behind its address point. Swift keeps the size of the whole, and the offset of
  /// the address point, in the word of this number (docs/ABI/TypeMetadata.rst in Swift's sources).
  @unsafe
  private static var wordCount: Int {
    #if canImport(ObjectiveC)
      let sizes = 7
    #else
      let sizes = 4
    #endif
    let word = unsafe word(sizes, of: ManagedObject.self)
    let (size, start) = (UInt32(truncatingIfNeeded: word), UInt32(word >> 32))
    return max(0, Int(size) - Int(start)) / MemoryLayout<UInt>.size
  }

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
