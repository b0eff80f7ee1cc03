// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesModelFiles

/// Finds the superclasses of classes.
struct Superclasses {
  private let entities: [String: EntityDescription]
  private let classes: [String: String]
  private let options: GenerationOptions

  init(
    _ entities: [String: EntityDescription], _ classes: [String: String],
    _ options: GenerationOptions
  ) {
    (self.entities, self.classes, self.options) = (entities, classes, options)
  }

  /// The class of the nearest superentity that has one; nil if none has.
  func inherited(by entity: EntityDescription) -> String? {
    var above = entity.superentityName
    while let name = above {
      if let found = classes[name] { return found }
      above = entities[name]?.superentityName
    }
    return nil
  }

  /// The class that an entity's class names in its first line.
  func name(for entity: EntityDescription) -> String {
    inherited(by: entity) ?? options.notes.baseClass(of: entity)
      ?? (options.form == .entity ? "ManagedObject" : "NSManagedObject")
  }
}
