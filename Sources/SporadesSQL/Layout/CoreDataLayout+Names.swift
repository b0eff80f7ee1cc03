// SPDX-License-Identifier: MIT

extension CoreDataLayout {
  package static let names = LayoutNames(
    row: .init(key: "Z_PK", entity: "Z_ENT", version: "Z_OPT"),
    counters: .init(
      table: "Z_PRIMARYKEY", entity: "Z_ENT", name: "Z_NAME", parent: "Z_SUPER", maximum: "Z_MAX"),
    metadata: .init(
      table: "Z_METADATA", version: "Z_VERSION", identifier: "Z_UUID", contents: "Z_PLIST"),
    modelCache: .init(table: "Z_MODELCACHE", contents: "Z_CONTENT"))

  /// The prefix of the triggers that maintain derived attributes.
  package static let derivationPrefix = "Z_DA_"
  /// The prefix of indexes of the model, some of which are R-trees.
  package static let indexPrefix = "Z_"
  /// The prefix of R-trees over the parts of a place.
  package static let areaPrefix = "Z_RT_"

  /// The passing name of a table or column while a migration exchanges names.
  package static func passingName(_ number: Int) -> String { "Z_PARKED_\(number)" }

  /// The temporary table of links that a migration collects.
  static func collectionName(_ number: Int) -> String { "Z_COLLECTED_\(number)" }

  /// The prefix of the columns with places in an order.
  static let positionPrefix = "Z_FOK_"

  /// The table of an entity without a superentity: `ZPET`
  package static func tableName(_ entity: String) -> String { column(entity) }

  /// The column of a property: `ZNAME`, `Z5PETS`
  static func column(_ property: String) -> String { "Z" + property.uppercased() }

  /// The column for the number of the linked row's entity: `Z5_OWNER`
  static func entityColumn(of property: String, _ entity: Int) -> String {
    "Z\(entity)_\(property.uppercased())"
  }

  /// The column for the place in an order: `Z_FOK_OWNER`
  package static func positionColumn(of property: String) -> String {
    positionPrefix + property.uppercased()
  }

  /// A join table, or one of its columns: `Z_5PETS`
  static func joinName(of relationship: String, _ entity: Int) -> String {
    "Z_\(entity)\(relationship.uppercased())"
  }

  /// The column of places for the rows whose keys another column of the join holds.
  static func positionColumn(beside key: String) -> String { positionPrefix + key.dropFirst(2) }

  package func indexName(ofReference column: String, in table: String) -> String {
    "\(table)_\(column)_INDEX"
  }

  package func indexName(_ index: String, of entity: String) -> String {
    Self.indexName(index, of: entity)
  }

  /// An index of the model: `Z_Pet_byAge`
  package static func indexName(_ index: String, of entity: String) -> String {
    "\(indexPrefix)\(entity)_\(index)"
  }

  package func constraintName(_ properties: [String], of entity: String) -> String {
    "Z_\(entity)_UNIQUE_\(properties.joined(separator: "_"))"
  }
}
