// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
package import SporadesStore

/// Turns the rows and the assignments of a batch into statements.
///
/// ```sql
/// UPDATE pet AS t0 SET price = (t0.price * ?), version = t0.version + 1 WHERE t0.sold = ? AND (t0.price IS NOT
/// (t0.price * ?)) RETURNING id, entity, price
/// ```
package struct BatchCompiler {
  private let rows: FetchCompiler
  private let table: StoreLayout.Table
  private let row: LayoutNames.Row

  package init(_ rows: FetchCompiler, _ layout: StoreLayout) {
    self.rows = rows
    table = layout.table(ofEntity: rows.fetch.entity.number)
    row = layout.names.row
  }

  // MARK: - Updates

  /// An update, and the places of computed values behind the key and the entity in each row that it returns.
  package struct Update {
    package let statement: SQLStatement
    /// The assignments whose values the rows hold, in the order of the columns.
    package let computed: [StoreBatch.Assignment]
  }

  /// A new value in SQL.
  private struct NewValue {
    let assignment: StoreBatch.Assignment
    let column: String
    let sql: SQLFragment
    let isComputed: Bool
  }

  /// The statement for the assignments; nil if SQL and memory could assign different values.
  ///
  /// A row that has the values already does not change, as an object does not.
  package func update(
    _ assignments: [StoreBatch.Assignment]
  ) throws(StoreError) -> Update? {
    var values: [NewValue] = []
    for assignment in assignments {
      guard let value = try newValue(assignment) else { return nil }
      values.append(value)
    }
    let settings = values.map { "\(name: $0.column) = \($0.sql)" as SQLFragment }
    let differences = values.map {
      "t0.\(name: $0.column) \(SQLSameness.different) \($0.sql)" as SQLFragment
    }
    let computed = values.filter(\.isComputed)
    let returned = [row.key, row.entity] + computed.map(\.column)
    let statement: SQLFragment = """
      UPDATE \(name: table.name) AS t0 SET \(settings.joined(by: ", ")), \
      \(name: row.version) = t0.\(name: row.version) + 1\(ownRows) \
      (\(differences.joined(by: " OR "))) RETURNING \(names: returned)
      """
    return Update(
      statement: statement.rendered(in: rows.entity.dialect),
      computed: computed.map(\.assignment))
  }

  private func newValue(_ assignment: StoreBatch.Assignment) throws(StoreError) -> NewValue? {
    let column = table.columns[assignment.slot]
    guard !column.isExternal else { return nil }
    if case .constant(let value) = assignment.expression {
      let type = assignment.attribute.type
      let stored: SQLFragment? =
        if let limits = rows.context.limits { limits.stored(value, type) } else {
          SQLValue(storing: value, as: type).map { "\($0)" }
        }
      return stored.map {
        NewValue(assignment: assignment, column: column.name, sql: $0, isComputed: false)
      }
    }
    guard let sql = try computed(assignment) else { return nil }
    return NewValue(assignment: assignment, column: column.name, sql: sql, isComputed: true)
  }

  /// The expression in SQL; nil if it reads rows of to-one relationships, or may give a value that the attribute
  /// stores in another form.
  private func computed(_ assignment: StoreBatch.Assignment) throws(StoreError) -> SQLFragment? {
    let scope = SQLScope(rows.fetch.entity, alias: "t0", rows.context)
    do throws(FetchPredicateError) {
      let shape = try ExpressionShape(
        assignment.expression, in: rows.fetch.entity, rows.context.model)
      let operand = try TermCompiler(scope, rows.context, []).operand(shape.prepared)
      guard scope.joins.isEmpty else { return nil }
      let type = assignment.attribute.type
      let value: SQLFragment? =
        switch type {
        case .integer16, .integer32, .integer64:
          shape.isNumber && operand.number == .whole ? operand.sql : nil
        case .double: shape.isNumber && operand.number != .decimal ? real(operand) : nil
        case .string: shape.type == .string ? operand.sql : nil
        case .date: shape.type == .date ? real(operand) : nil
        default: shape.path != nil && shape.type == type ? operand.sql : nil
        }
      guard let value, let limits = rows.context.limits else { return value }
      return limits.assigned(value, shape, to: type)
    } catch {
      throw StoreError(refusing: error)
    }
  }

  /// A database with limits turns the value into that of its column.
  private func real(_ operand: SQLOperand) -> SQLFragment {
    rows.context.limits == nil ? operand.real : operand.sql
  }

  // MARK: - Rows

  /// `SELECT t0.id, t0.entity, t0.version FROM …`, for a statement that inserts the rows elsewhere.
  package var keysAndVersions: SQLFragment {
    let columns = row.all.map { "t0.\(name: $0)" as SQLFragment }
    return "SELECT \(columns.joined(by: ", "))\(rows.source)\(isBounded ? orderedBounds : "")"
  }

  /// ` WHERE … AND`, the condition of the batch's rows for an update.
  private var ownRows: SQLFragment {
    guard rows.scope.joins.isEmpty, !isBounded else {
      let key: SQLFragment = "t0.\(name: row.key)"
      // Where several write at once, the rows that were chosen stay as they were.
      let lock: SQLFragment = rows.context.limits == nil ? "" : " FOR UPDATE OF t0"
      let bounds = isBounded ? orderedBounds : ""
      return " WHERE \(key) IN (SELECT \(key)\(rows.source)\(bounds)\(lock)) AND"
    }
    let condition = rows.rowCondition
    return condition.isEmpty ? " WHERE" : "\(condition) AND"
  }

  private var isBounded: Bool { rows.fetch.limit != nil || rows.fetch.offset > 0 }

  private var orderedBounds: SQLFragment { "\(rows.order)\(rows.bounds)" }
}

extension SQLValue {
  /// The content of an attribute's column; nil if the value is not of the type.
  fileprivate init?(storing value: Value, as type: AttributeType) {
    switch (value, type) {
    case (.null, _): self = .null
    case (.boolean(let truth), .boolean): self = .integer(truth ? 1 : 0)
    case (.integer(let number), .integer16), (.integer(let number), .integer32),
      (.integer(let number), .integer64):
      self = .integer(number)
    case (.double(let number), .double) where !number.isNaN: self = .real(number)
    case (.double(let number), .float) where !number.isNaN: self = .real(Double(Float(number)))
    case (.string, .string), (.url, .uri), (.date, .date), (.uuid, .uuid), (.data, .binary):
      self = SQLValue(value)
    case (.decimal(let number), .decimal): self = DecimalText.stored(number.description)
    default: return nil
    }
  }
}
