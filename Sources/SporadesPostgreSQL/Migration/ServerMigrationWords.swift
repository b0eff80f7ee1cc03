// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesModel
import SporadesSQL

/// How PostgreSQL writes the values of a migration.
///
/// It casts where a cast does what Swift does. What remains is converted by Swift, and looked up in a table of the values
/// before and after, which ``ServerConversions`` fills.
struct ServerMigrationWords: MigrationWords {
  var schema: String { "" }
  var temporary: String { "pg_temp." }
  var keyType: String { "bigint" }
  var entityType: String { "text" }
  var keepsFiles: Bool { false }

  func declaration(of slot: RowLayout.Slot, _ type: ColumnType) -> String {
    ServerType(of: slot).declaration
  }

  // MARK: - Constants

  func constant(_ value: Value, _ type: AttributeType) -> SQLFragment {
    "\(sql: Self.literal(value, ServerType(type)))"
  }

  /// A constant as it stands in the definition of a column, too.
  static func literal(_ value: Value, _ type: ServerType) -> String {
    let text: String
    switch value {
    case .null, .list, .objectID: return "NULL"
    case .boolean(let truth): text = truth ? "true" : "false"
    case .integer(let number): text = String(number)
    case .double(let number):
      guard !number.isNaN else { return "NULL" }
      text = number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : number.description
    case .decimal(let number): text = number.isNaN ? DecimalText.notANumber : number.description
    case .string(let string): text = string
    case .url(let url): text = url.absoluteString
    case .uuid(let uuid): text = uuid.uuidString
    case .data(let data):
      text = "\\x" + data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    case .date(let date):
      guard let moment = ServerDate.microseconds(date.timeIntervalSinceReferenceDate) else {
        return "NULL"
      }
      return "(timestamptz '2000-01-01 00:00:00+00' + interval '\(moment) microseconds')"
    }
    let literal = PostgreSQLDialect().literal(text) + "::" + type.name
    return type == .text ? "(\(literal)\(collation(type)))" : literal
  }

  private static func collation(_ type: ServerType) -> String {
    type == .text ? " COLLATE \"C\"" : ""
  }

  // MARK: - Conversions

  /// Swift converts the values.
  static func isSwifts(_ from: AttributeType, _ to: AttributeType) -> Bool {
    if isWhole(from), isWhole(to) || to == .decimal || to == .string { return false }
    if isWhole(from), from != .integer64, to == .double { return false }
    return !keepsForm(from, to)
  }

  private static func isWhole(_ type: AttributeType) -> Bool {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: true
    default: false
    }
  }

  /// The stored values stay as they are.
  private static func keepsForm(_ from: AttributeType, _ to: AttributeType) -> Bool {
    from == to || (from, to) == (.uri, .string) || (from, to) == (.float, .double)
  }

  /// The table of the values that Swift converts.
  static func table(_ from: AttributeType, _ to: AttributeType) -> String {
    "sporades_values_\(from.rawValue)_\(to.rawValue)"
  }

  func value(
    _ old: SQLFragment, _ conversion: ValueConversion, _ from: AttributeType, _ to: AttributeType
  ) -> SQLFragment {
    if Self.keepsForm(from, to) { return old }
    if Self.isSwifts(from, to) {
      let table = "\(temporary)\(Self.table(from, to))"
      return "(SELECT m.after FROM \(sql: table) m WHERE m.before = \(old))"
    }
    let type = ServerType(to)
    if from == .boolean {
      if type == .text { return "(\(old)::text\(sql: Self.collation(type)))" }
      return "\(old)::integer::\(sql: type.name)"
    }
    if to == .boolean { return "(\(old) <> 0)" }
    return "(\(old)::\(sql: type.name)\(sql: Self.collation(type)))"
  }

  func isLost(
    _ old: SQLFragment, _ conversion: ValueConversion, _ from: AttributeType, _ to: AttributeType
  ) -> SQLFragment? {
    if Self.keepsForm(from, to) { return nil }
    if Self.isSwifts(from, to) {
      return "\(old) IS NOT NULL AND \(value(old, conversion, from, to)) IS NULL"
    }
    guard case .narrowing(let range) = conversion else { return nil }
    return
      "\(old) NOT BETWEEN \(sql: String(range.lowerBound)) AND \(sql: String(range.upperBound))"
  }
}
