// SPDX-License-Identifier: MIT
package import SporadesModel

/// How the value of a slot crosses into the database and back.
package enum Transfer: UInt8, Sendable {
  case integer, real, text, bytes
  /// Text of digits, kept as a number.
  case decimal
  /// Bytes that may lie in a file of their own.
  case external
  /// A key whose entity is the relationship's destination.
  case reference
  /// A key followed by a column with the number of its entity.
  case typedReference
}

/// One slot and its place among the columns of a statement.
package struct SlotTransfer: Sendable {
  package let slot: Int
  /// Result columns and parameters count from here; the first of them is 0.
  package let place: Int
  package let transfer: Transfer
  /// The entity of a reference that does not tell its own.
  package let destination: Int
  /// The least and the greatest number that the attribute's type holds.
  package let least: Int64
  package let greatest: Int64
  /// The slot is one word, and no text or blob.
  package let isWord: Bool
  /// How many bytes each value has; 0 where that is not fixed.
  package let length: Int

  init(_ slot: Int, place: Int, _ layout: RowLayout, _ column: StoreLayout.Column) {
    self.slot = slot
    self.place = place
    transfer = Transfer(layout.slots[slot].kind, column)
    destination = column.destination
    isWord =
      switch transfer {
      case .integer, .real, .reference, .typedReference: true
      case .text, .bytes, .decimal, .external: false
      }
    var type: AttributeType?
    if case .attribute(let attribute) = layout.slots[slot].role { type = attribute.type }
    (least, greatest) =
      switch type {
      case .integer16: (Int64(Int16.min), Int64(Int16.max))
      case .integer32: (Int64(Int32.min), Int64(Int32.max))
      default: (Int64.min, Int64.max)
      }
    length = type == .uuid ? 16 : 0
  }
}

/// The texts of one entity's statements, made once, and which slot lies in which column.
///
/// Columns 0, 1, 2 of what is selected are `Z_PK`, `Z_ENT`, `Z_OPT`; so are the first parameters of
/// an insert. Only columns that rows of the entity's family can use take part.
package final class EntityStatements: Sendable {
  package let entity: Int
  package let table: Int
  package let tableName: String
  package let transfers: [SlotTransfer]
  /// `t0.Z_PK, t0.Z_ENT, t0.Z_OPT, t0.ZNAME …`
  package let selectList: String
  /// The columns of rows of this entity alone.
  package let insertTransfers: [SlotTransfer]
  /// `INSERT INTO ZPET (Z_PK, Z_ENT, Z_OPT, ZNAME …) VALUES (?, ?, ?, ? …)`
  package let insert: String
  /// `SELECT … FROM ZPET t0 WHERE t0.Z_PK = ?`
  package let selectByKey: String
  /// `t0.Z_ENT = 3`, empty where all rows of the table are of the family.
  package let familyCondition: String
  package let familyConditionOfOne: String

  package init(_ shape: EntityShape, _ layout: StoreLayout, _ model: ManagedObjectModel) {
    entity = shape.number
    table = layout.tablesByEntity[shape.number - 1]
    let table = layout.tables[table]
    tableName = sqlName(table.name)
    let line = Set(Self.lineage(shape, model))
    let own = shape.layout.slots.indices.filter { line.contains(shape.layout.slots[$0].entity) }
    let family = shape.layout.slots.indices.filter {
      let entity = shape.layout.slots[$0].entity
      return line.contains(entity) || shape.family.contains(entity)
    }
    transfers = Self.transfers(family, shape.layout, table)
    insertTransfers = Self.transfers(own, shape.layout, table)
    let keys = ["Z_PK", "Z_ENT", "Z_OPT"]
    selectList = (keys + Self.names(family, table)).map { "t0.\($0)" }.joined(separator: ", ")
    let inserted = keys + Self.names(own, table)
    insert =
      "INSERT INTO \(tableName) (\(inserted.joined(separator: ", "))) VALUES "
      + "(\(inserted.map { _ in "?" }.joined(separator: ", ")))"
    selectByKey = "SELECT \(selectList) FROM \(tableName) t0 WHERE t0.Z_PK = ?"
    let root = model.shape(numbered: shape.rootNumber)
    familyCondition =
      shape.family == root.family
      ? "" : Self.condition(shape.family.map { layout.storeNumber($0) })
    familyConditionOfOne =
      root.hasSubentities ? Self.condition([layout.storeNumber(shape.number)]) : ""
  }

  private static func condition(_ numbers: [Int]) -> String {
    numbers.count == 1
      ? "t0.Z_ENT = \(numbers[0])"
      : "t0.Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))"
  }

  private static func lineage(_ shape: EntityShape, _ model: ManagedObjectModel) -> [Int] {
    shape.superNumber == 0
      ? [shape.number]
      : [shape.number] + lineage(model.shape(numbered: shape.superNumber), model)
  }

  private static func names(_ slots: [Int], _ table: StoreLayout.Table) -> [String] {
    slots.flatMap { slot -> [String] in
      let column = table.columns[slot]
      return [sqlName(column.name)] + (column.entityColumn.map { [sqlName($0)] } ?? [])
    }
  }

  private static func transfers(
    _ slots: [Int], _ layout: RowLayout, _ table: StoreLayout.Table
  ) -> [SlotTransfer] {
    var place = 3
    return slots.map { slot in
      let column = table.columns[slot]
      defer { place += column.entityColumn == nil ? 1 : 2 }
      return SlotTransfer(slot, place: place, layout, column)
    }
  }

  /// `UPDATE ZPET SET ZNAME = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?`, and the places of the
  /// changed slots; `Z_OPT`, `Z_PK` and the old `Z_OPT` follow them.
  package static func update(
    _ slots: [Int], _ layout: RowLayout, _ table: StoreLayout.Table
  ) -> (sql: String, transfers: [SlotTransfer]) {
    var place = 0
    let transfers = slots.map { slot in
      let column = table.columns[slot]
      defer { place += column.entityColumn == nil ? 1 : 2 }
      return SlotTransfer(slot, place: place, layout, column)
    }
    let assignments = (names(slots, table) + ["Z_OPT"]).map { "\($0) = ?" }
    let sql =
      "UPDATE \(sqlName(table.name)) SET \(assignments.joined(separator: ", ")) "
      + "WHERE Z_PK = ? AND Z_OPT = ?"
    return (sql, transfers)
  }
}

extension Transfer {
  init(_ kind: RowLayout.Kind, _ column: StoreLayout.Column) {
    self =
      switch kind {
      case .integer, .truth: .integer
      case .real: .real
      case .text: column.type == .decimal ? .decimal : .text
      case .bytes: .bytes
      case .large: .external
      case .reference: column.entityColumn == nil ? .reference : .typedReference
      }
  }
}
