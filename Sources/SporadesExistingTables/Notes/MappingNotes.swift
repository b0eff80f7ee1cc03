// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel
import SporadesPostgreSQL

/// The keys of notes in a model's user info that say where the rows of an existing database are.
enum MappingNote {
  /// Of an entity: the name of its table or view.
  static let table = SchemaNote.table
  /// Of an entity: the schema of its table, where it is not that of the store's options.
  static let schema = "sporades.schema"
  /// Of an entity: the column with the keys of its rows, where it is not the primary key.
  static let key = "sporades.key"
  /// Of an entity: the column with a number that grows with each change of a row.
  static let version = "sporades.version"
  /// Of an entity with subentities: the column that tells the entity of a row.
  static let discriminator = "sporades.discriminator"
  /// Of an entity: what that column has in its rows, where it is not the entity's name.
  static let discriminatorValue = "sporades.discriminatorValue"
  /// Of an entity or an attribute: it is read and never written.
  static let isReadOnly = "sporades.readOnly"
  /// Of an attribute: its column. Of a to-one relationship: the column with the key of the other row.
  static let column = "sporades.column"
  /// Of one side of a many-to-many relationship: the table of the links, its schema, and its columns.
  static let join = "sporades.join"
  static let joinSchema = "sporades.joinSchema"
  static let joinColumn = "sporades.joinColumn"
  static let joinOtherColumn = "sporades.joinOtherColumn"

  /// Whether a note says yes.
  static func isSet(_ key: String, in notes: [String: String]) -> Bool {
    notes[key].map { ["yes", "true", "1"].contains($0.lowercased()) } ?? false
  }
}

extension [String: String] {
  /// Says in which table of an existing database the rows of an entity are:
  /// `@Entity(userInfo: .table("film"))`.
  ///
  /// - Parameters:
  ///   - name: The name of the table or view.
  ///   - schema: Its schema; nil for that of the store's options.
  ///   - key: The column with the keys of the rows; nil for the primary key.
  ///   - version: A column with a number that grows with each change of a row, as in Rails' `lock_version`; nil for the
  ///     server's own mark of the row.
  ///   - discriminator: The column that tells the entity of a row, where the entity has subentities.
  ///   - isReadOnly: Rows are never written.
  public static func table(
    _ name: String, schema: String? = nil, key: String? = nil, version: String? = nil,
    discriminator: String? = nil, isReadOnly: Bool = false
  ) -> [String: String] {
    var notes = [MappingNote.table: name]
    notes[MappingNote.schema] = schema
    notes[MappingNote.key] = key
    notes[MappingNote.version] = version
    notes[MappingNote.discriminator] = discriminator
    notes[MappingNote.isReadOnly] = isReadOnly ? "YES" : nil
    return notes
  }

  /// Says what the column that tells entities has in the rows of an entity, where it is not the entity's name.
  public static func discriminatorValue(_ value: String) -> [String: String] {
    [MappingNote.discriminatorValue: value]
  }
}

extension AttributeOption {
  /// The column of an existing database that has the attribute's values.
  /// With `isReadOnly`, the attribute is read and never written.
  public static func column(_ name: String, isReadOnly: Bool = false) -> AttributeOption {
    var notes = [MappingNote.column: name]
    notes[MappingNote.isReadOnly] = isReadOnly ? "YES" : nil
    return AttributeOption(".column", notes: notes)
  }
}

extension RelationshipOption {
  /// The column of an existing database that has the keys of the rows to which a to-one relationship leads.
  public static func column(_ name: String) -> RelationshipOption {
    .userInfo([MappingNote.column: name])
  }

  /// The table of an existing database that has the links of a many-to-many relationship. One side says it.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - column: Its column with the keys of the objects that have the relationship.
  ///   - other: Its column with the keys of the objects to which the relationship leads.
  ///   - schema: Its schema; nil for that of the store's options.
  public static func join(
    _ table: String, column: String, other: String, schema: String? = nil
  ) -> RelationshipOption {
    var notes = [
      MappingNote.join: table, MappingNote.joinColumn: column, MappingNote.joinOtherColumn: other,
    ]
    notes[MappingNote.joinSchema] = schema
    return .userInfo(notes)
  }
}
