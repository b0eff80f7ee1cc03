// SPDX-License-Identifier: MIT

/// The keys of notes in a model's user info that the layout of a store heeds.
package enum SchemaNote {
  /// Of an entity or an attribute: what it is for, in a sentence.
  package static let documentation = "sporades.documentation"
  /// Of an entity: the name of the table that exists already and has its rows.
  package static let table = "sporades.table"
}
