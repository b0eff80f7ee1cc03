// SPDX-License-Identifier: MIT
import SporadesModel

/// Questions about the content of a store of one version.
package struct StoreContents {
  private let side: MigrationSide
  private var row: LayoutNames.Row { side.layout.names.row }

  package init(_ side: MigrationSide) { self.side = side }

  /// `SELECT COUNT(*) FROM pet o WHERE o.entity = 3`
  func count(_ shape: EntityShape, _ condition: SQLFragment = "") -> SQLFragment {
    let table = side.layout.table(ofEntity: shape.number)
    return """
      SELECT COUNT(*) FROM \(name: table.name) o \
      WHERE o.\(name: row.entity) = \(sql: side.mark(shape.number))\(condition)
      """
  }

  /// Selects the number of objects of exactly this entity, or of their values of an attribute. Nil if the store does not
  /// keep them.
  package func count(
    ofEntity name: String, attribute path: String?, _ dialect: any SQLDialect
  ) -> SQLStatement? {
    guard let shape = side.model.shape(named: name), side.scheme.holds(shape.number) else {
      return nil
    }
    guard let path else { return count(shape).rendered(in: dialect) }
    return side.slot(ofAttribute: path, of: shape.number).map { slot in
      let column = side.layout.table(ofEntity: shape.number).columns[slot].name
      return count(shape, " AND o.\(name: column) IS NOT NULL").rendered(in: dialect)
    }
  }

  /// The values in files that cannot be read.
  package var unreadableFiles: [MigrationCheck] {
    side.model.shapes.filter { side.scheme.holds($0.number) && !$0.isAbstract }.flatMap {
      shape -> [MigrationCheck] in
      let line = side.lineage(shape.number)
      let table = side.layout.table(ofEntity: shape.number)
      return shape.layout.slots.enumerated().compactMap { place, slot in
        guard case .attribute = slot.role, line.contains(slot.entity),
          table.columns[place].isExternal
        else { return nil }
        return MigrationCheck(
          kind: .unreadableFile, entity: shape.name, property: slot.name,
          rows: """
            SELECT o.\(name: row.key) AS k FROM \(name: table.name) o \
            WHERE o.\(name: row.entity) = \(sql: side.mark(shape.number)) \
            AND \(sql: SQLFunction.isUnreadable)(o.\(name: table.columns[place].name))
            """,
          sentence: CountedSentence(
            "value of \(shape.name).\(slot.name) lies in a file that is",
            "values of \(shape.name).\(slot.name) lie in files that are",
            " missing, and a copy of the store needs them. Restore the files from a copy of the store, or set the property "
              + "again."))
      }
    }
  }
}
