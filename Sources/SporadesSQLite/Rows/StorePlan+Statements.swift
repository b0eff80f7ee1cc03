// SPDX-License-Identifier: MIT
import SporadesSQL

// Each statement's text is built at its first use, so that a store with a large model opens fast.
extension StorePlan {
  func tableStatements(_ place: Int) -> TableStatements {
    TableStatements(layout.tables[place], layout.names, SQLiteDialect())
  }

  func tableStatements(ofEntity entity: Int) -> TableStatements {
    tableStatements(layout.tablesByEntity[entity - 1])
  }

  func joinStatements(_ place: Int) -> JoinStatements {
    JoinStatements(layout.joins[place], SQLiteDialect())
  }

  var counters: CounterStatements { CounterStatements(layout.names, SQLiteDialect()) }
  var metadata: MetadataStatements { MetadataStatements(layout.names, SQLiteDialect()) }
  var integrity: IntegrityStatements { IntegrityStatements(layout, model, SQLiteDialect()) }
}
