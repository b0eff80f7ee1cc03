// SPDX-License-Identifier: MIT
import FoundationEssentials
public import SporadesModel
import SporadesSQL
import SporadesStore

/// Code that computes values of an entity's rows while a store is migrated.
///
/// ```swift
/// RowWork("Contact") { row in
///   guard case .string(let name) = row.old["firstname"] else { return }
///   row["name"] = .string(name)
/// }
/// ```
public struct RowWork: Sendable {
  /// The entity in the newer version. Its subentities belong to it.
  public let entity: String
  let body: @Sendable (MigratedRow) throws -> Void

  /// Makes work for the rows of an entity, which is called once for each row.
  public init(_ entity: String, _ body: @escaping @Sendable (MigratedRow) throws -> Void) {
    self.entity = entity
    self.body = body
  }
}

/// A row while a store is migrated, with its values in both versions.
///
/// Attributes are read and set by their names, and members of composites by their paths: `address.street`. Use a row
/// only inside the code that it is handed to.
public final class MigratedRow {
  /// A stored attribute and its column in the statement that reads the rows.
  struct Field {
    let column: Int32
    let type: AttributeType
    let isLarge: Bool
    let isDerived: Bool
  }

  /// A value that the code set.
  struct Change {
    let name: String
    var value: Value
    var stored: SQLValue
  }

  /// The values of a row in the older version.
  public struct Old {
    fileprivate let row: MigratedRow

    /// The value of an attribute by its name in the older version.
    public subscript(name: String) -> Value {
      guard let field = row.oldFields[name] else {
        row.refuse("The older version of \(row.entity) stores no attribute \(name).")
        return .null
      }
      return row.value(of: field, name)
    }
  }

  /// The primary key of the row in the newer version.
  public internal(set) var key: Int64 = 0
  /// The name of the row's entity in the newer version.
  public let entity: String
  private let oldFields: [String: Field]
  private let newFields: [String: Field]
  private let statement: Statement
  /// The attributes that the code set, in the order in which it first set them.
  private(set) var changes: [Change] = []
  /// The first mistake in the use of the row.
  private(set) var failure: String?

  init(
    _ entity: String, old: [String: Field], new: [String: Field], _ statement: Statement
  ) {
    self.entity = entity
    oldFields = old
    newFields = new
    self.statement = statement
  }

  /// The values in the older version.
  public var old: Old { Old(row: self) }

  /// The value of an attribute in the newer version: the inferred one until the code sets another.
  public subscript(name: String) -> Value {
    get {
      if let change = changes.first(where: { $0.name == name }) { return change.value }
      guard let field = field(name) else { return .null }
      return value(of: field, name)
    }
    set {
      guard let field = field(name) else { return }
      guard !field.isDerived else { return refuse("\(entity).\(name) is derived, and not set.") }
      guard !field.isLarge else { return refuse(largeSentence(name, "write")) }
      guard let stored = SQLValue(stored: newValue, as: field.type) else {
        return refuse(
          "\(entity).\(name) has the type \(field.type), which cannot hold a value of the kind that was set."
        )
      }
      let change = Change(name: name, value: newValue, stored: stored)
      if let place = changes.firstIndex(where: { $0.name == name }) {
        changes[place] = change
      } else {
        changes.append(change)
      }
    }
  }

  func begin(_ key: Int64) {
    self.key = key
    if !changes.isEmpty { changes.removeAll(keepingCapacity: true) }
  }

  private func field(_ name: String) -> Field? {
    if let field = newFields[name] { return field }
    refuse("\(entity) stores no attribute \(name).")
    return nil
  }

  private func value(of field: Field, _ name: String) -> Value {
    guard !field.isLarge else {
      refuse(largeSentence(name, "read"))
      return .null
    }
    return statement.value(field.column).modelValue(field.type)
  }

  private func largeSentence(_ name: String, _ verb: String) -> String {
    "\(entity).\(name) may lie in a file of its own, which code for rows does not \(verb). Use a custom stage for it."
  }

  private func refuse(_ sentence: String) {
    if failure == nil { failure = sentence }
  }
}

extension SQLValue {
  /// The column's value for an attribute's value; nil if the type has no such value.
  fileprivate init?(stored value: Value, as type: AttributeType) {
    switch (value, type) {
    case (.null, _): self = .null
    case (.integer(let number), .integer16):
      guard Int16(exactly: number) != nil else { return nil }
      self = .integer(number)
    case (.integer(let number), .integer32):
      guard Int32(exactly: number) != nil else { return nil }
      self = .integer(number)
    case (.integer, .integer64), (.boolean, .boolean), (.string, .string), (.data, .binary),
      (.data, .transformable),
      (.uuid, .uuid), (.url, .uri):
      self.init(value)
    case (.double(let number), .double), (.double(let number), .float):
      guard !number.isNaN else { return nil }
      self = .real(type == .float ? Double(Float(number)) : number)
    case (.integer(let number), .double), (.integer(let number), .float):
      guard Int64(exactly: Double(number)) == number else { return nil }
      self = .real(Double(number))
    case (.decimal(let number), .decimal):
      guard !number.isNaN else { return nil }
      self = DecimalText.stored(number.description)
    case (.integer, .decimal): self.init(value)
    case (.date(let date), .date):
      guard !date.timeIntervalSinceReferenceDate.isNaN else { return nil }
      self.init(value)
    default: return nil
    }
  }
}
