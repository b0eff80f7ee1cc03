// SPDX-License-Identifier: MIT
import FoundationEssentials
public import SporadesModel
import SporadesSQL
package import SporadesStore

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
  package let body: @Sendable (MigratedRow) throws -> Void

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
  /// A stored attribute and the place of its column in the statement that reads the rows.
  package struct Field {
    package let column: Int
    package let type: AttributeType
    let isLarge: Bool
    let isDerived: Bool

    package init(column: Int, type: AttributeType, isLarge: Bool, isDerived: Bool) {
      (self.column, self.type) = (column, type)
      (self.isLarge, self.isDerived) = (isLarge, isDerived)
    }
  }

  /// A value that the code set.
  package struct Change {
    package let name: String
    var value: Value
    /// Nil for a value that may lie in a file. Its file is written with the row, because later work may set another value.
    var stored: SQLValue?
    fileprivate let type: AttributeType

    /// The value as the attribute's type has it.
    package var kept: Value { stored?.modelValue(type) ?? value }
  }

  /// A mistake in the use of the row, or a value that cannot be read.
  struct Failure {
    var kind = MigrationProblem.Kind.unsupported
    var property: String?
    let sentence: String
  }

  /// Reads a column of the present row.
  package typealias Reading = (Field) throws(Unreadable) -> Value

  /// Why a value cannot be read.
  package struct Unreadable: Error {
    let reason: String
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
  public package(set) var key: Int64 = 0
  /// The name of the row's entity in the newer version.
  public let entity: String
  private let oldFields: [String: Field]
  private let newFields: [String: Field]
  private let read: Reading
  /// The attributes that the code set, in the order in which it first set them.
  package private(set) var changes: [Change] = []
  /// The first of them.
  private(set) var failure: Failure?

  package init(
    _ entity: String, old: [String: Field], new: [String: Field], _ read: @escaping Reading
  ) {
    self.entity = entity
    oldFields = old
    newFields = new
    self.read = read
  }

  /// The values in the older version.
  public var old: Old { Old(row: self) }

  /// The value of an attribute in the newer version: the inferred one until the code sets another.
  ///
  /// A value that lies in a file is read from it whenever the code asks.
  public subscript(name: String) -> Value {
    get {
      if let change = changes.first(where: { $0.name == name }) { return change.value }
      guard let field = field(name) else { return .null }
      return value(of: field, name)
    }
    set {
      guard let field = field(name) else { return }
      guard !field.isDerived else { return refuse("\(entity).\(name) is derived, and not set.") }
      guard let stored = SQLValue(stored: newValue, as: field.type) else {
        return refuse(
          "\(entity).\(name) has the type \(field.type), which cannot hold a value of the kind that was set."
        )
      }
      let change = Change(
        name: name, value: newValue, stored: field.isLarge ? nil : stored, type: field.type)
      if let place = changes.firstIndex(where: { $0.name == name }) {
        changes[place] = change
      } else {
        changes.append(change)
      }
    }
  }

  package func begin(_ key: Int64) {
    self.key = key
    if !changes.isEmpty { changes.removeAll(keepingCapacity: true) }
  }

  /// Runs all work on the present row.
  package func run(_ work: [RowWork]) throws(StoreError) {
    for work in work {
      do { try work.body(self) } catch { throw failure(.init(sentence: "\(error)"), error) }
    }
    if let failure { throw self.failure(failure) }
  }

  private func failure(_ failure: Failure, _ error: (any Error)? = nil) -> StoreError {
    let work = "The work on the row \(key) of \(entity) failed"
    return StoreError(
      .cannotMigrate([
        MigrationProblem(
          failure.kind, entity: entity, property: failure.property, count: 1, keys: [key],
          "\(work): \(failure.sentence)")
      ]),
      "\(work). The store is as it was. \(failure.sentence)",
      underlying: error)
  }

  private func field(_ name: String) -> Field? {
    if let field = newFields[name] { return field }
    refuse("\(entity) stores no attribute \(name).")
    return nil
  }

  private func value(of field: Field, _ name: String) -> Value {
    do throws(Unreadable) { return try read(field) } catch {
      refuse(
        Failure(
          kind: .unreadableFile, property: name,
          sentence:
            "The file of \(entity).\(name) cannot be read: \(error.reason). Restore it from a copy of the store, or "
            + "set the property again."))
      return .null
    }
  }

  private func refuse(_ sentence: String) { refuse(Failure(sentence: sentence)) }

  private func refuse(_ failure: Failure) {
    if self.failure == nil { self.failure = failure }
  }
}

extension SQLValue {
  /// The column's value for an attribute's value; nil if the type has no such value.
  fileprivate init?(stored value: Value, as type: AttributeType) {
    switch (value, type) {
    case (.null, _): self = .null
    case (.integer(let number), .integer16), (.integer(let number), .integer32),
      (.integer(let number), .integer64):
      guard type.integerRange.contains(number) else { return nil }
      self = .integer(number)
    case (.boolean, .boolean), (.string, .string), (.data, .binary),
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
