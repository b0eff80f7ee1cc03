// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesStore

/// The statements that find damage which no constraint of the database prevents: the layouts declare no
/// foreign keys.
package final class IntegrityStatements {
  let layout: StoreLayout
  let model: ManagedObjectModel
  private let dialect: any SQLDialect

  package init(
    _ layout: StoreLayout, _ model: ManagedObjectModel, _ dialect: any SQLDialect
  ) {
    self.layout = layout
    self.model = model
    self.dialect = dialect
  }

  /// A statement that selects the keys and the entities of objects with one kind of damage.
  package final class Check {
    package let kind: IntegrityProblem.Kind
    package let statement: SQLStatement
    /// The root entity of the objects.
    package let root: Int
    package let property: String?
    /// The words that follow the number of problems in a report.
    package let problem: String
    /// The statement that mends all such damage without loss; nil if none does.
    package let mending: SQLStatement?

    init(
      _ kind: IntegrityProblem.Kind, _ statement: SQLStatement, root: Int, _ property: String?,
      _ problem: String, mending: SQLStatement?
    ) {
      (self.kind, self.statement, self.root) = (kind, statement, root)
      (self.property, self.problem, self.mending) = (property, problem, mending)
    }
  }

  var row: LayoutNames.Row { layout.names.row }

  /// `source` begins with the tables, of which `o` has the objects.
  func check(
    _ kind: IntegrityProblem.Kind, of root: Int, _ property: String? = nil,
    from source: SQLFragment, _ problem: String, mending: SQLFragment? = nil
  ) -> Check {
    let statement: SQLFragment =
      "SELECT o.\(name: row.key), o.\(name: row.entity) FROM \(source)"
    return Check(
      kind, statement.rendered(in: dialect), root: root, property, problem,
      mending: mending?.rendered(in: dialect))
  }

  func numbers(ofFamily entity: Int) -> String {
    model.shape(numbered: entity).family.map(layout.entityMark).joined(separator: ", ")
  }

  /// The checks of one table's rows.
  package func checks(of table: StoreLayout.Table) -> [Check] {
    checksOfPlaces(in: table) + checksOfKeys(in: table) + [checkOfVersions(in: table)]
      + checksOfTotals(in: table) + checksOfSides(in: table) + checksOfConstraints(in: table)
      + checksOfOrders(in: table)
  }

  /// The checks of the entities of a table's rows, and of what their references lead to.
  package func checksOfPlaces(in table: StoreLayout.Table) -> [Check] {
    let root = table.rootEntity
    let ofNoEntity = check(
      .wrongEntity, of: root,
      from: """
        \(name: table.name) o WHERE o.\(name: row.entity) NOT IN (\(sql: numbers(ofFamily: root))) \
        OR o.\(name: row.entity) IS NULL
        """,
      "rows of \(table.name) have numbers in \(row.entity) that \(layout.names.counters.table) gives to no entity of the tree"
    )
    let slots = model.shape(numbered: root).layout.slots
    let references = zip(slots, table.columns).filter { $1.destination > 0 }.flatMap {
      checks(ofReferences: $1, of: $0.name, in: table)
    }
    return [ofNoEntity] + references
  }

  private func checks(
    ofReferences column: StoreLayout.Column, of property: String, in table: StoreLayout.Table
  ) -> [Check] {
    let reference: SQLFragment = "o.\(name: column.name)"
    let place = "\(table.name).\(column.name)"
    let nowhere = check(
      .missingObject, of: table.rootEntity, property,
      from: """
        \(name: table.name) o WHERE \(reference) IS NOT NULL \
        AND \(isMissing(reference, column.destination))
        """, "references in \(place) lead nowhere",
      mending: mendingNowhere(column, of: property, in: table))
    let destination = layout.table(ofEntity: column.destination)
    guard destination.hasSubentities else { return [nowhere] }
    var differs: SQLFragment =
      "d.\(name: row.entity) NOT IN (\(sql: numbers(ofFamily: column.destination)))"
    var mending: SQLFragment?
    if let entityColumn = column.entityColumn {
      differs = "(\(differs) OR o.\(name: entityColumn) \(.different) d.\(name: row.entity))"
      // An object that the relationship may not lead to stays reported.
      mending = """
        UPDATE \(name: table.name) AS o SET \(name: entityColumn) = d.\(name: row.entity) \
        FROM \(name: destination.name) d WHERE d.\(name: row.key) = \(reference) \
        AND d.\(name: row.entity) IN (\(sql: numbers(ofFamily: column.destination)))
        """
    }
    let wrong = check(
      .wrongEntity, of: table.rootEntity, property,
      from: """
        \(name: table.name) o JOIN \(name: destination.name) d \
        ON d.\(name: row.key) = \(reference) WHERE \(differs)
        """, "references in \(place) lead to objects of another entity", mending: mending)
    return [nowhere, wrong]
  }

  private func checkOfVersions(in table: StoreLayout.Table) -> Check {
    // Later saves use the other half.
    let largest = String(RowLayout.largestVersion / 2)
    return check(
      .impossibleVersion, of: table.rootEntity,
      from: """
        \(name: table.name) o WHERE typeof(o.\(name: row.version)) <> 'integer' \
        OR o.\(name: row.version) NOT BETWEEN 0 AND \(sql: largest)
        """,
      "rows of \(table.name) have versions in \(row.version) that no save makes; set them to 1",
      mending: """
        UPDATE \(name: table.name) SET \(name: row.version) = 1 WHERE typeof(\(name: row.version)) <> 'integer' \
        OR \(name: row.version) NOT BETWEEN 0 AND \(sql: largest)
        """)
  }

  /// The checks of derived counts, and of derived sums of decimals. Core Data adds decimals as doubles. A sum of doubles
  /// depends on the order of its rows, so that equal ones need not be exact.
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
      let wrong: SQLFragment = """
        o.\(name: row.entity) IN (\(sql: numbers)) \
        AND typeof(\(stored)) NOT IN ('null', 'text') AND \(differs)
        """
      return check(
        .wrongDerivedValue, of: table.rootEntity, derived.attribute.name,
        from: "\(name: table.name) o WHERE \(wrong)",
        "values of \(shape.name).\(derived.attribute.name) differ from what they are derived from; "
          + "renewDerivedValues() of the stack computes them anew",
        mending:
          "UPDATE \(name: table.name) AS o SET \(name: column) = \(value) WHERE \(wrong)")
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
    let (root, counters) = (table.rootEntity, layout.names.counters)
    let number = String(layout.storeNumber(root))
    let largest = String(RowKey.largestPrimaryKey)
    return [
      check(
        .impossibleKey, of: root,
        from: """
          \(name: table.name) o WHERE NOT COALESCE(typeof(o.\(name: row.key)) = \
          'integer' AND o.\(name: row.key) BETWEEN 1 AND \(sql: largest), 0)
          """, "rows of \(table.name) have keys that no row can have"),
      check(
        .unreservedKey, of: root,
        from: """
          \(name: table.name) o WHERE o.\(name: row.key) > \
          (SELECT COALESCE(MAX(\(name: counters.maximum)), 0) FROM \(name: counters.table) \
          WHERE \(name: counters.entity) = \(sql: number))
          """,
        "rows of \(table.name) have keys above the largest one handed out, which \(counters.table).\(counters.maximum) says",
        mending: mendingMaximum(of: table)),
      check(
        .impossibleMaximum, of: root,
        from: """
          \(name: counters.table) c LEFT JOIN \(name: table.name) o ON 0 \
          WHERE c.\(name: counters.entity) = \(sql: number) AND \
          (typeof(c.\(name: counters.maximum)) NOT IN ('integer', 'null') \
          OR c.\(name: counters.maximum) NOT BETWEEN 0 AND \(sql: largest))
          """,
        "largest keys of \(table.name) in \(counters.table).\(counters.maximum) can be none; set them to the largest "
          + "\(row.key)", mending: mendingMaximum(of: table)),
    ]
  }

  /// Sets the largest key handed out to the largest one of a row.
  private func mendingMaximum(of table: StoreLayout.Table) -> SQLFragment {
    let counters = layout.names.counters
    return """
      UPDATE \(name: counters.table) SET \(name: counters.maximum) = \
      (SELECT COALESCE(MAX(\(name: row.key)), 0) FROM \(name: table.name)) \
      WHERE \(name: counters.entity) = \(sql: String(layout.storeNumber(table.rootEntity)))
      """
  }

  /// Empties references to rows that are gone, unless the model requires the link.
  private func mendingNowhere(
    _ column: StoreLayout.Column, of property: String, in table: StoreLayout.Table
  ) -> SQLFragment? {
    let slots = model.shape(numbered: table.rootEntity).layout.slots
    let slot = slots.first { $0.name == property && $0.entity == column.entity }
    if case .toOne(let relationship)? = slot?.role, !relationship.isOptional { return nil }
    var values: SQLFragment = "\(name: column.name) = NULL"
    if let entity = column.entityColumn { values = "\(values), \(name: entity) = NULL" }
    return """
      UPDATE \(name: table.name) SET \(values) WHERE \(name: column.name) IS NOT NULL \
      AND \(isMissing("\(name: table.name).\(name: column.name)", column.destination))
      """
  }

  /// The checks of one join's links. The objects are those of the other side.
  package func checks(of join: StoreLayout.JoinTable, _ shape: JoinShape) -> [Check] {
    let sides = [
      (join.first, join.firstPosition, shape.first, join.second, shape.second),
      (join.second, join.secondPosition, shape.second, join.first, shape.first),
    ]
    return sides.flatMap { column, position, side, otherColumn, other -> [Check] in
      let owner = layout.table(ofEntity: other.entity)
      let links: SQLFragment = """
        \(name: join.name) j LEFT JOIN \(name: owner.name) o \
        ON o.\(name: row.key) = j.\(name: otherColumn)
        """
      let nowhere = check(
        .missingObject, of: owner.rootEntity, other.relationship.name,
        from: "\(links) WHERE \(isMissing("j.\(name: column)", side.entity))",
        "links in \(join.name).\(column) lead nowhere",
        mending: """
          DELETE FROM \(name: join.name) \
          WHERE \(isMissing("\(name: join.name).\(name: column)", side.entity))
          """)
      guard let position else { return [nowhere] }
      let place = check(
        .unreadableValue, of: owner.rootEntity, other.relationship.name,
        from: """
          \(links) WHERE typeof(j.\(name: position)) NOT IN ('integer', 'null')
          """, "links in \(join.name).\(position) have places that are no whole numbers")
      let order = checkOfOrder(
        in: join.name, key: column, owner: otherColumn, position, other.relationship.name, of: owner
      )
      return [nowhere, place, order]
    }
  }

  private func isMissing(_ key: SQLFragment, _ entity: Int) -> SQLFragment {
    """
    NOT EXISTS (SELECT 1 FROM \(name: layout.table(ofEntity: entity).name) x \
    WHERE x.\(name: row.key) = \(key))
    """
  }
}

extension Derivation {
  fileprivate var isSum: Bool { if case .sum = self { true } else { false } }
}
