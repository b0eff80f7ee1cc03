// SPDX-License-Identifier: MIT
package import SporadesModel

/// The statements that find damage which no constraint of the database prevents: the layouts declare no
/// foreign keys.
package struct IntegrityStatements {
  private let layout: StoreLayout
  private let model: ManagedObjectModel
  private let dialect: any SQLDialect

  package init(
    _ layout: StoreLayout, _ model: ManagedObjectModel, _ dialect: any SQLDialect
  ) {
    self.layout = layout
    self.model = model
    self.dialect = dialect
  }

  /// A statement that counts faulty rows, with the words that follow the number in a report.
  package struct Check {
    package let statement: SQLStatement
    package let problem: String
  }

  private func check(_ statement: SQLFragment, _ problem: String) -> Check {
    Check(statement: statement.rendered(in: dialect), problem: problem)
  }

  /// The checks of one table's rows.
  package func checks(of table: StoreLayout.Table) -> [Check] {
    let row = layout.names.row
    let family = model.shape(numbered: table.rootEntity).family
    let numbers = family.map { String(layout.storeNumber($0)) }.joined(separator: ", ")
    let ofNoEntity = check(
      """
      SELECT COUNT(*) FROM \(name: table.name) WHERE \(name: row.entity) NOT IN (\(sql: numbers)) \
      OR \(name: row.entity) IS NULL
      """, "rows of \(table.name) are of no entity of the model")
    let references = table.columns.filter { $0.destination > 0 }.map { column in
      check(
        """
        SELECT COUNT(*) FROM \(name: table.name) t WHERE t.\(name: column.name) IS NOT NULL \
        AND \(isMissing("t.\(name: column.name)", column.destination))
        """, "references in \(table.name).\(column.name) lead nowhere")
    }
    return [ofNoEntity] + references + checksOfKeys(in: table) + checksOfTotals(in: table)
  }

  /// The checks of derived counts, and of derived sums of decimals. Core Data adds decimals as doubles. A sum of doubles depends on the order of its rows, so that equal ones need not be exact.
  private func checksOfTotals(in table: StoreLayout.Table) -> [Check] {
    totals.compactMap { derived in
      let shape = model.shape(numbered: derived.attribute.entity)
      let term = DerivedTerm(derived, layout)
      guard shape.rootNumber == table.rootEntity, let column = term.column, let value = term.value
      else { return nil }
      let stored: SQLFragment = "o.\(name: column)"
      let numbers = derived.family.map { String(layout.storeNumber($0)) }.joined(separator: ", ")
      let differs: SQLFragment =
        derived.derivation.isSum
        ? "\(sql: SQLFunction.decimal)('-', \(stored), \(value)) IS NOT 0"
        : "\(stored) <> \(value)"
      return check(
        """
        SELECT COUNT(*) FROM \(name: table.name) o \
        WHERE o.\(name: layout.names.row.entity) IN (\(sql: numbers)) \
        AND typeof(\(stored)) NOT IN ('null', 'text') AND \(differs)
        """,
        "values of \(shape.name).\(derived.attribute.name) differ from what they are derived from; "
          + "renewDerivedValues() of the stack computes them anew")
    }
  }

  /// The derived attributes whose values are exact.
  private var totals: [DerivedAttribute] {
    DerivedAttribute.all(of: model).filter { derived in
      switch derived.derivation {
      case .count: true
      case .sum: derived.source?.type == .decimal && derived.attribute.type == .decimal
      case .keyPath, .canonical, .uppercase, .lowercase, .now: false
      }
    }
  }

  private func checksOfKeys(in table: StoreLayout.Table) -> [Check] {
    let (row, counters) = (layout.names.row, layout.names.counters)
    let number = String(layout.storeNumber(table.rootEntity))
    let largest = String(RowKey.largestPrimaryKey)
    return [
      check(
        """
        SELECT COUNT(*) FROM \(name: table.name) WHERE NOT COALESCE(typeof(\(name: row.key)) = \
        'integer' AND \(name: row.key) BETWEEN 1 AND \(sql: largest), 0)
        """, "rows of \(table.name) have keys that no row can have"),
      check(
        """
        SELECT COUNT(*) FROM \(name: table.name) WHERE \(name: row.key) > \
        (SELECT COALESCE(MAX(\(name: counters.maximum)), 0) FROM \(name: counters.table) \
        WHERE \(name: counters.entity) = \(sql: number))
        """, "rows of \(table.name) have keys above the largest one handed out"),
    ]
  }

  /// The checks of one join's links.
  package func checks(of join: StoreLayout.JoinTable, _ shape: JoinShape) -> [Check] {
    [(join.first, shape.first.entity), (join.second, shape.second.entity)].map { column, entity in
      check(
        """
        SELECT COUNT(*) FROM \(name: join.name) j WHERE \(isMissing("j.\(name: column)", entity))
        """, "links in \(join.name).\(column) lead nowhere")
    }
  }

  private func isMissing(_ key: SQLFragment, _ entity: Int) -> SQLFragment {
    """
    NOT EXISTS (SELECT 1 FROM \(name: layout.table(ofEntity: entity).name) o \
    WHERE o.\(name: layout.names.row.key) = \(key))
    """
  }
}

extension Derivation {
  fileprivate var isSum: Bool { if case .sum = self { true } else { false } }
}
