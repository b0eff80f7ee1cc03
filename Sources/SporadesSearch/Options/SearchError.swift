// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// A search that a model or a store does not answer.
public struct SearchError: Error, Hashable, CustomStringConvertible {
  /// The kinds of such searches.
  public enum Code: Hashable, Sendable {
    /// No attribute of the entity is searchable, or not the one that is asked.
    case notSearchable
    /// The options of a searchable attribute do not fit the model.
    case declaration
    /// Attributes of one entity are searched in different forms.
    case mixedForms
    /// The request has no search, or several, by which its results could be ranked.
    case notRanked
    /// The store has no search index.
    case store
  }

  /// The kind of the mistake.
  public let code: Code
  /// The mistake in a sentence, and the way out.
  public let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension StoreError {
  /// A search that the store refuses.
  package init(refusing error: SearchError) {
    self.init(.unsupported, error.description, underlying: error)
  }
}

extension SearchError {
  package static func noWords(_ entity: EntityShape) -> SearchError {
    SearchError(
      .store,
      "\(entity.name) is searched by parts of words, so that its index knows no words to suggest.")
  }

  package static func notSearchable(_ entity: EntityShape, _ name: String? = nil) -> SearchError {
    SearchError(
      .notSearchable,
      "\(name.map { "\(entity.name).\($0) is not searchable" } ?? "No attribute of \(entity.name) is searchable"). "
        + "Mark the attribute @Attribute(.searchable), or give it the note \(SearchNotes.mark) = YES in a model file."
    )
  }
}
