// SPDX-License-Identifier: MIT
import SporadesModelFiles

/// The wishes about generated files.
package struct GenerationOptions: Sendable {
  /// The kind of classes.
  package enum Form: String, Sendable, CaseIterable {
    /// Classes of Sporades, with its macros.
    case entity
    /// Classes of Core Data, as Xcode generates them.
    case managed
  }

  package var form = Form.entity
  /// The configuration whose entities get classes; nil for all entities.
  package var configuration: String?
  /// The class from which classes without a superentity inherit; nil for the library's own.
  package var baseClass: String?
  /// The attributes with scalar types by the names of entities; nil makes every number a scalar.
  package var scalarAttributes: [String: Set<String>]?
  /// Templates that take the place of the built-in texts.
  package var templates = TemplateSet()

  package init() {}

  var notes: ClassNotes { ClassNotes(baseClass: baseClass) }
}
