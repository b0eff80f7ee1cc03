// SPDX-License-Identifier: MIT
package import SporadesModel

/// The places of a model's rows in a database: tables, columns, joins, and the entities' numbers.
///
/// A layout is a value. ``CoreDataLayout`` creates the layout of a new store. An existing file may have other
/// names and numbers, and then gets its own layout.
package struct StoreLayout: Sendable {
  package let names: LayoutNames
  /// One table per inheritance tree, in the order of the roots' numbers.
  package var tables: [Table]
  /// The joins in the order of ``ManagedObjectModel/joins``.
  package var joins: [JoinTable]
  /// The index in `tables` for entity number *n*, at *n* − 1.
  package let tablesByEntity: [Int]
  /// The store's number for entity number *n*, at *n* − 1.
  package var storeNumbers: [Int]
  /// What tells the entity of a row in statements, where it is not the store's number: a literal with its name. For entity
  /// number *n*, at *n* − 1.
  private let entityMarks: [String]?
  /// The derived attributes that the file's triggers maintain.
  package var derivations: [Derivation] = []
  /// The R-trees that the file's triggers maintain.
  package var areas: [Area] = []
  /// The largest possible number of an entity. Core Data's own numbers end at 16,003.
  package static let largestNumber = Int(UInt16.max)
  /// The beginning of the names of this library's own tables and triggers. Such triggers write no table of the model.
  package static let ownPrefix = "SPORADES_"

  package init(
    names: LayoutNames, tables: [Table], joins: [JoinTable], tablesByEntity: [Int],
    storeNumbers: [Int], entityMarks: [String]? = nil
  ) {
    self.names = names
    self.tables = tables
    self.joins = joins
    self.tablesByEntity = tablesByEntity
    self.storeNumbers = storeNumbers
    self.entityMarks = entityMarks
  }

  package func table(ofEntity number: Int) -> Table { tables[tablesByEntity[number - 1]] }
  package func storeNumber(_ number: Int) -> Int { storeNumbers[number - 1] }
  /// What tells the entity of a row in statements.
  package func entityMark(_ number: Int) -> String {
    entityMarks?[number - 1] ?? String(storeNumber(number))
  }
  /// The step of an order by the entities of rows, as the model numbers those of a family.
  package func entityOrder(_ column: String, _ family: ClosedRange<Int>) -> String {
    guard entityMarks != nil else { return column }
    let places = family.map { " WHEN \(entityMark($0)) THEN \($0)" }.joined()
    return "CASE \(column)\(places) END"
  }

  /// A derived attribute that triggers maintain.
  package struct Derivation: Sendable {
    package let rootEntity: Int
    package let slot: Int
    package let triggers: Set<String>
    /// Selects the value. The parameter is the row's key.
    package let value: SQLStatement
    /// Computes the value of everything that is stored. Both parameters are the row's key.
    package let renewal: SQLStatement
  }

  /// An R-tree that triggers maintain.
  package struct Area: Sendable {
    package let tree: String
    package let rootEntity: Int
    /// The name of the index in the model.
    package let index: String
    /// The tree's columns with the bounds of each attribute, by the attributes' names.
    package let bounds: [String: Bounds]

    package struct Bounds: Sendable {
      package let lower: String
      package let upper: String
    }
  }

  /// The rows of one inheritance tree.
  package struct Table: Hashable, Sendable {
    package var name: String
    package let rootEntity: Int
    package let hasSubentities: Bool
    /// The columns in the order of the layout's slots.
    package var columns: [Column]

    package init(name: String, rootEntity: Int, hasSubentities: Bool, columns: [Column]) {
      self.name = name
      self.rootEntity = rootEntity
      self.hasSubentities = hasSubentities
      self.columns = columns
    }
  }

  /// The column of one slot.
  package struct Column: Hashable, Sendable {
    package var name: String
    package let type: ColumnType
    /// The number of the entity that declares the property.
    package let entity: Int
    /// The column with the number of the linked row's entity, if there are several possible entities.
    package var entityColumn: String?
    /// The entity of a reference without such a column.
    package let destination: Int
    package let isPosition: Bool
    package let isExternal: Bool

    package init(
      name: String, type: ColumnType, entity: Int, entityColumn: String?, destination: Int,
      isPosition: Bool, isExternal: Bool
    ) {
      self.name = name
      self.type = type
      self.entity = entity
      self.entityColumn = entityColumn
      self.destination = destination
      self.isPosition = isPosition
      self.isExternal = isExternal
    }
  }

  /// The links of a many-to-many relationship.
  package struct JoinTable: Hashable, Sendable {
    package var name: String
    /// The column with the key of the object on the first side.
    package var first: String
    package var second: String
    /// The column with the first object's place among the links of the second, if that side is ordered.
    package var firstPosition: String?
    package var secondPosition: String?
    package let isReflexive: Bool

    package init(
      name: String, first: String, second: String, firstPosition: String?,
      secondPosition: String?, isReflexive: Bool
    ) {
      self.name = name
      self.first = first
      self.second = second
      self.firstPosition = firstPosition
      self.secondPosition = secondPosition
      self.isReflexive = isReflexive
    }

    /// Both keys, followed by the places.
    package var columns: [String] {
      [first, second] + [firstPosition, secondPosition].compactMap(\.self)
    }
  }
}

/// The declared type of a column, which also decides its group in the column order.
package enum ColumnType: Int, Hashable, Sendable {
  case integer, float, timestamp, decimal, varchar, uri, uuid, transformable, binary

  package var declaration: String {
    switch self {
    case .integer: "INTEGER"
    case .float: "FLOAT"
    case .timestamp: "TIMESTAMP"
    case .decimal: "DECIMAL"
    case .varchar, .uri: "VARCHAR"
    case .uuid, .transformable, .binary: "BLOB"
    }
  }

  /// Numbers and dates share a group.
  package var rank: Int { self == .timestamp ? ColumnType.float.rawValue : rawValue }

  package init(_ type: AttributeType) {
    self =
      switch type {
      case .integer16, .integer32, .integer64, .boolean: .integer
      case .double, .float: .float
      case .date: .timestamp
      case .decimal: .decimal
      case .string: .varchar
      case .uri: .uri
      case .uuid: .uuid
      case .transformable: .transformable
      case .binary, .undefined, .objectID, .composite: .binary
      }
  }
}
