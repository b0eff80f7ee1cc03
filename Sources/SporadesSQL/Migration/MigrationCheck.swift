// SPDX-License-Identifier: MIT
package import SporadesModel

/// A question to the rows of the older version whose answer can stop a migration.
package struct MigrationCheck: Sendable {
  package let kind: MigrationProblem.Kind
  package let entity: String
  package let property: String?
  /// Selects the keys of the rows with the problem, as `k`.
  package let rows: SQLFragment
  /// The problem and its remedy.
  package let sentence: CountedSentence
  /// Objects of the older version cannot have the property.
  package let isOfNewProperty: Bool

  package init(
    kind: MigrationProblem.Kind, entity: String, property: String?, rows: SQLFragment,
    sentence: CountedSentence, isOfNewProperty: Bool = false
  ) {
    self.kind = kind
    self.entity = entity
    self.property = property
    self.rows = rows
    self.sentence = sentence
    self.isOfNewProperty = isOfNewProperty
  }
}

extension MigrationCheck {
  /// The number of rows with the problem.
  package func count(_ dialect: any SQLDialect) -> SQLStatement {
    let statement: SQLFragment = "SELECT COUNT(*) FROM (\(rows)) p"
    return statement.rendered(in: dialect)
  }

  /// The smallest keys of such rows.
  package func firstKeys(_ limit: Int, _ dialect: any SQLDialect) -> SQLStatement {
    let statement: SQLFragment = "SELECT k FROM (\(rows)) p ORDER BY k LIMIT \(sql: String(limit))"
    return statement.rendered(in: dialect)
  }
}

/// A sentence that begins with a number: `1 object has no value`, `2 objects have no value`.
package struct CountedSentence: Sendable {
  private let one: String
  private let many: String
  private let rest: String

  /// `one` follows the number one, and `many` any other number. `rest` ends the sentence.
  package init(_ one: String, _ many: String, _ rest: String) {
    (self.one, self.many, self.rest) = (one, many, rest)
  }

  /// The sentence for a number.
  package func text(_ count: Int64) -> String { "\(count) \(count == 1 ? one : many)\(rest)" }

  /// The sentence without a number, as it follows "if": `an object has no value`.
  package var condition: String { "\(one.hasPrefix("o") ? "an" : "a") \(one)\(rest)" }
}

/// All checks of a migration.
package struct MigrationChecks {
  private let succession: RowSuccession
  private let changes: LayoutChanges
  private var row: LayoutNames.Row { succession.old.layout.names.row }

  package init(_ succession: RowSuccession, _ changes: LayoutChanges) {
    self.succession = succession
    self.changes = changes
  }

  package var all: [MigrationCheck] {
    abstracts + attributes + LinkLacks(succession).checks + changes.fills.compactMap(surplus)
      + constraints
  }

  // MARK: - Entities

  /// Entities that become abstract must have no objects.
  private var abstracts: [MigrationCheck] {
    succession.new.model.shapes.filter(\.isAbstract).compactMap { shape in
      guard let source = succession.source(of: shape.number),
        !succession.old.model.shape(numbered: source).isAbstract
      else { return nil }
      return MigrationCheck(
        kind: .unsupported, entity: shape.name, property: nil,
        rows: rows(of: source, where: nil),
        sentence: CountedSentence(
          "object of \(shape.name) exists", "objects of \(shape.name) exist",
          ", which becomes abstract. Delete them, or give them another entity in a custom stage."))
    }
  }

  private func rows(of entity: Int, where condition: SQLFragment?) -> SQLFragment {
    let old = succession.old
    let table = old.layout.table(ofEntity: entity)
    let isOfEntity: SQLFragment? =
      old.model.shape(numbered: table.rootEntity).hasSubentities
      ? "o.\(name: row.entity) = \(sql: old.mark(entity))" : nil
    let conditions = [isOfEntity, condition].compactMap(\.self)
    let filter: SQLFragment = conditions.isEmpty ? "" : " WHERE \(conditions.joined(by: " AND "))"
    return "SELECT o.\(name: row.key) AS k FROM \(name: table.name) o\(filter)"
  }

  // MARK: - Attributes

  private var attributes: [MigrationCheck] {
    let new = succession.new
    return new.tables.flatMap { place -> [MigrationCheck] in
      let slots = new.model.shape(numbered: new.table(place).rootEntity).layout.slots
      return slots.flatMap { slot -> [MigrationCheck] in
        guard case .attribute(let attribute) = slot.role else { return [] }
        let contents = AttributeContents(
          succession: succession, slot: slot, attribute: attribute)
        return contents.changes.flatMap(checks)
      }
    }
  }

  private func checks(_ change: AttributeChange) -> [MigrationCheck] {
    let shape = succession.new.model.shape(numbered: change.entities.new)
    guard !shape.isAbstract else { return [] }
    let name = "\(shape.name).\(change.path)"
    func check(
      _ kind: MigrationProblem.Kind, _ condition: SQLFragment?, _ sentence: CountedSentence
    ) -> MigrationCheck {
      MigrationCheck(
        kind: kind, entity: shape.name, property: change.path,
        rows: rows(of: change.entities.old, where: condition), sentence: sentence,
        isOfNewProperty: change.old == nil)
    }
    guard let old = change.old, let value = change.oldValue else {
      guard change.needsValue else { return [] }
      return [check(.missingValue, nil, Self.missing(name, "which is new and required"))]
    }
    let type = change.new.type.spelling
    guard let conversion = change.conversion else {
      return [
        check(
          .inconvertibleType, "\(value) IS NOT NULL",
          CountedSentence(
            "value of \(name) has", "values of \(name) have",
            " no single meaning as \(type), because the type was \(old.type.spelling). Use a custom stage."
          ))
      ]
    }
    let words = succession.new.words
    let lost = words.isLost(value, conversion, old.type, change.new.type).map { isLost in
      check(
        .inconvertibleValue, isLost,
        CountedSentence(
          "value of \(name) has", "values of \(name) have",
          " no equal as \(type), which it becomes. \(Self.remedyOfLost)"))
    }
    let missing =
      !change.needsValue
      ? nil
      : check(.missingValue, "\(value) IS NULL", Self.missing(name, "which becomes required"))
    return [lost, unreadableFiles(change, shape), missing].compactMap(\.self)
  }

  private func unreadableFiles(
    _ change: AttributeChange, _ shape: EntityShape
  ) -> MigrationCheck? {
    guard change.readsFile, let value = change.oldValue else { return nil }
    return MigrationCheck(
      kind: .unreadableFile, entity: shape.name, property: change.path,
      rows: rows(of: change.entities.old, where: "\(sql: SQLFunction.isUnreadable)(\(value))"),
      sentence: CountedSentence(
        "value of \(shape.name).\(change.path) lies in a file that is",
        "values of \(shape.name).\(change.path) lie in files that are",
        " missing, or too large for a row. Restore the files from a copy of the store, or set the property again."
      ))
  }

  private static func missing(_ name: String, _ reason: String) -> CountedSentence {
    CountedSentence(
      "object has", "objects have",
      " no value for \(name), \(reason). Give it a default, or make it optional.")
  }

  private static let remedyOfLost =
    "Change them before, in willMigrate of a custom stage or with the former program, or compute the new "
    + "ones in a stage of rows."

  // MARK: - Links

  private func surplus(_ fill: LinkFill) -> MigrationCheck? {
    guard let surplus = fill.surplus else { return nil }
    let relationship = fill.relationship
    let side = succession.new
    let isToOne = !relationship.isToMany
    let inverse = side.inverse(of: relationship)
    let entity = side.model.shape(
      numbered: isToOne ? relationship.entity : relationship.destination)
    let name = isToOne ? relationship.name : inverse?.name
    return MigrationCheck(
      kind: .tooManyLinks, entity: entity.name, property: name, rows: surplus,
      sentence: CountedSentence(
        "object of \(entity.name) has", "objects of \(entity.name) have",
        " several links of \(side.model.shape(numbered: relationship.entity).name).\(relationship.name), which can "
          + "keep one of them. Remove the others, or use a custom stage."))
  }

  // MARK: - Constraints

  private var constraints: [MigrationCheck] {
    succession.new.model.shapes.flatMap { shape -> [MigrationCheck] in
      guard succession.new.scheme.holds(shape.number) else { return [] }
      let place = succession.new.place(ofEntity: shape.number)
      guard let change = changes.tables.first(where: { $0.place == place }) else { return [] }
      return shape.description.uniquenessConstraints.compactMap { names in
        guard !isKept(names, shape, change), let rows = duplicates(names, shape, change) else {
          return nil
        }
        return MigrationCheck(
          kind: .duplicates, entity: shape.name,
          property: names.count == 1 ? names[0] : names.joined(separator: ", "), rows: rows,
          sentence: CountedSentence(
            "object of \(shape.name) shares its", "objects of \(shape.name) share their",
            " \(names.joined(separator: ", ")) with another, which becomes unique. Change or delete them with the former version of the model, "
              + "or in willMigrate of a custom stage."
          ))
      }
    }
  }

  /// Whether the older version had the same constraint over the same rows.
  private func isKept(_ names: [String], _ shape: EntityShape, _ change: TableChange) -> Bool {
    guard change.pieces.count == 1, let source = succession.source(of: shape.number) else {
      return change.pieces.isEmpty
    }
    let evolution = succession.evolution
    let former = names.map {
      evolution.source(ofAttribute: $0, in: shape.name)
        ?? evolution.source(ofRelationship: $0, in: shape.name)
    }
    let old = succession.old.model.shape(numbered: source)
    return old.description.uniquenessConstraints.contains { $0 == former }
      && change.columns.allSatisfy { column in
        if case .computed = column.content(change.pieces[0]) { false } else { true }
      }
  }

  private func duplicates(
    _ names: [String], _ shape: EntityShape, _ change: TableChange
  ) -> SQLFragment? {
    let table = succession.new.layout.table(ofEntity: shape.number)
    let columns = names.compactMap { name -> MigratedColumn? in
      shape.slot(named: name).flatMap { slot in
        change.columns.first { $0.name == table.columns[slot].name }
      }
    }
    guard columns.count == names.count, !columns.isEmpty else { return nil }
    let values = columns.indices.map { "v\($0)" }
    // Rows without a value are equal to none.
    let pieces = change.pieces.filter { piece in
      columns.allSatisfy { $0.content(piece) != .absent }
    }
    guard !pieces.isEmpty else { return nil }
    let selects = pieces.map { piece -> SQLFragment in
      let terms = zip(columns, values).map { column, name in
        "\(column.content(piece).value) AS \(sql: name)" as SQLFragment
      }
      let condition = succession.condition(of: piece).map { " WHERE \($0)" as SQLFragment } ?? ""
      return """
        SELECT o.\(name: row.key) AS k, \(terms.joined(by: ", ")) \
        FROM \(name: succession.old.table(piece.old).name) o\(condition)
        """
    }
    let list = values.joined(separator: ", ")
    let isSet = values.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    return """
      SELECT k FROM (SELECT k, COUNT(*) OVER (PARTITION BY \(sql: list)) AS n \
      FROM (\(selects.joined(by: " UNION ALL "))) u WHERE \(sql: isSet)) w WHERE n > 1
      """
  }
}
