// SPDX-License-Identifier: MIT
import FoundationEssentials
package import SporadesModel
package import SporadesStore

/// The row that a statement stands on.
package protocol AnswerRow {
  /// The value of a result column, counted from 0.
  func value(_ column: Int32) throws(StoreError) -> SQLValue
  /// The value of an attribute in a result column.
  func value(_ column: Int32, of type: AttributeType) throws(StoreError) -> Value
  /// The id of an object, from two result columns: its key, and the store's mark of its entity. Without a mark it is of the
  /// entity. Nil for no object.
  func object(_ column: Int32, else entity: Int) throws(StoreError) -> ManagedObjectID?
}

/// A value of an answer, and the result columns of a statement that it is read from.
struct AnswerColumn {
  /// The way from result columns to the value.
  private enum Form {
    case attribute(AttributeType)
    /// A number of the type that the database gives.
    case number
    /// A decimal as the column holds it, because the database would compute with a double.
    case decimal
    /// An object of the entity, or of one that inherits from it.
    case object(Int)
    /// Computed in memory from the key paths in it, because it has decimals.
    case computed(FetchExpression, [AnswerColumn])
  }

  /// The result columns.
  let fragments: [SQLFragment]
  private let form: Form
  /// The type of the value, if it is a number.
  private let number: NumberType
  /// The expression, for errors.
  private let name: String

  init(
    _ shape: ExpressionShape, _ scope: SQLScope, _ context: SQLContext
  ) throws(FetchPredicateError) {
    name = "\(shape.expression)"
    number = shape.prepared.term.number
    if let destination = shape.destination {
      let steps = shape.path?.relationships[...] ?? []
      let entity = scope.entityNumber(steps)
      fragments =
        [scope.value(steps, nil, from: scope.alias, scope.entity)]
        + (entity.map { [$0] } ?? ["NULL"])
      form = .object(destination)
    } else if let path = shape.path {
      let isDecimal = path.attribute?.type == .decimal
      fragments = [
        scope.value(
          path.relationships[...], path.attribute, from: scope.alias, scope.entity,
          asStored: isDecimal)
      ]
      form = isDecimal ? .decimal : shape.type.map { .attribute($0) } ?? .number
    } else if shape.readsDecimals, !shape.expression.isReadAsOne {
      let (expression, columns) = try Self.divided(shape.expression, scope, context)
      fragments = columns.flatMap(\.fragments)
      form = .computed(expression, columns)
    } else {
      fragments = [try TermCompiler(scope, context, []).operand(shape.prepared).sql]
      form =
        shape.readsDecimals && shape.type == .decimal
        ? .decimal : shape.type.map { .attribute($0) } ?? .number
    }
  }

  /// A result of the database.
  init(_ fragment: SQLFragment, _ type: AttributeType?, _ name: String) {
    fragments = [fragment]
    form = type.map { .attribute($0) } ?? .number
    number = NumberType(type)
    self.name = name
  }

  /// The same value, read from columns of a sub-select.
  init(_ column: AnswerColumn, from fragments: [SQLFragment]) {
    self.fragments = fragments
    (form, number) = (column.form, column.number)
    name = column.name
  }

  /// The expression with variables in place of what the database reads, and the columns of the variables.
  private static func divided(
    _ expression: FetchExpression, _ scope: SQLScope, _ context: SQLContext
  ) throws(FetchPredicateError) -> (FetchExpression, [AnswerColumn]) {
    var columns: [AnswerColumn] = []
    var failure: FetchPredicateError?
    let divided = expression.replacing { part in
      guard part.isReadAsOne else { return nil }
      do throws(FetchPredicateError) {
        let shape = try ExpressionShape(part, in: scope.entity, context.model)
        columns.append(try AnswerColumn(shape, scope, context))
      } catch {
        failure = failure ?? error
      }
      return .variable("\(columns.count - 1)")
    }
    if let failure { throw failure }
    return (divided, columns)
  }

  // MARK: - Reading

  /// The type of a value that lies in one result column; nil for other values.
  var attributeType: AttributeType? { if case .attribute(let type) = form { type } else { nil } }

  /// The value in words of a store that hands over an answer in parts; nil for values that memory computes.
  var part: AnswerStatement.PartColumn? {
    switch form {
    case .attribute(let type): .attribute(type)
    case .object(let entity): .object(entity)
    case .number, .decimal, .computed: nil
    }
  }

  /// Reads the value from a row, from the place of its first column on.
  func value(_ row: some AnswerRow, _ place: inout Int32) throws(StoreError) -> Value {
    switch form {
    case .attribute(let type):
      defer { place += 1 }
      return try row.value(place, of: type)
    case .number:
      defer { place += 1 }
      return try row.value(place).modelValue(.undefined)
    case .decimal:
      defer { place += 1 }
      return try decimal(row.value(place))
    case .object(let destination):
      defer { place += 2 }
      return try row.object(place, else: destination).map { .objectID($0) } ?? .null
    case .computed(let expression, let columns):
      var values: [FetchExpression] = []
      for column in columns {
        values.append(column.number.operand(of: try column.value(row, &place)))
      }
      return try Self.compute(expression, values)
    }
  }

  private static func compute(
    _ expression: FetchExpression, _ values: [FetchExpression]
  ) throws(StoreError) -> Value {
    let filled = expression.mappingOperands { operand in
      guard case .variable(let name) = operand, let place = Int(name), values.indices ~= place
      else { return operand }
      return values[place]
    }
    do {
      return try ConstantExpression.value(filled)
    } catch {
      throw StoreError(refusing: error)
    }
  }

  private func decimal(_ stored: SQLValue) throws(StoreError) -> Value {
    let text: String?
    switch stored {
    case .null: return .null
    case .integer(let number): return .decimal(Decimal(number))
    case .real(let number): text = DecimalText.text(of: number)
    case .text(let digits): text = DecimalText.text(of: digits)
    case .blob(let bytes): text = DecimalText.text(of: String(decoding: bytes, as: UTF8.self))
    }
    guard let text else {
      throw StoreError(
        .corrupt,
        "A row holds in \(name) what is no decimal. Correct it with a program that reads SQLite's files."
      )
    }
    return .decimal(text == DecimalText.notANumber ? .nan : Decimal(string: text) ?? .nan)
  }
}

extension FetchExpression {
  /// The database reads the expression as one value. Other expressions are divided into such parts.
  fileprivate var isReadAsOne: Bool {
    switch self {
    case .keyPath, .indexed, .count, .aggregate, .element, .collection: true
    default: false
    }
  }
}
