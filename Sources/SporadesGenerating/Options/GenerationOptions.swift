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
  /// The classes of Sporades are for other modules, too.
  package var isPublic = false
  /// Each class gets a type for the ids of its objects.
  package var hasTypedIDs = false
  /// Templates that take the place of the built-in texts.
  package var templates = TemplateSet()

  package init() {}

  /// The word before each declaration, with a blank; empty for none.
  var access: String { isPublic || form == .managed ? "public " : "" }

  var notes: ClassNotes { ClassNotes(baseClass: baseClass) }
}
