// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGraph
import SporadesModel
import SporadesSQL

/// Reads the values of one column as a Swift type: a type of attributes, a whole number, an enum with raw values, an id, an
/// object, the value of a transformer, and an optional of each.
struct CellReader<V> {
  private let body: (SQLValue) throws -> Any?
  private let nothing: V?
  private let name: String

  /// Prepares the reader. Throws for a type that no column has.
  init(_ table: ResultTable, column: Int, as type: V.Type = V.self) throws {
    let nullable = V.self as? any Nullable.Type
    let forms = CellForms(table: table, number: column)
    name = forms.column.name
    nothing = nullable?.nothing as? V
    guard let body = try forms.body(of: nullable?.wrapped ?? V.self) else {
      throw forms.mismatch(
        "\(V.self) is no type of a column's value. Name a type of attributes, an enum with raw values, ManagedObjectID or a class of objects"
      )
    }
    self.body = body
  }

  func read(_ value: SQLValue) throws -> V {
    guard value != .null else {
      if let nothing { return nothing }
      throw SQLQueryError(
        .null(column: name),
        "The column \(name) is NULL in a row, and \(V.self) has no nil. Ask for \(V.self)?, or write coalesce(…, …)."
      )
    }
    if let read = try body(value), let read = read as? V { return read }
    throw SQLQueryError(
      .mismatch(column: name),
      "A value of the column \(name) is no \(V.self): the store holds \(value.kind).")
  }
}

/// An optional type.
protocol Nullable {
  static var wrapped: Any.Type { get }
  static var nothing: Any { get }
}

extension Optional: Nullable {
  static var wrapped: Any.Type { Wrapped.self }
  static var nothing: Any { Self.none as Any }
}

/// The readers of all types. Each returns nil for a value that does not fit.
private struct CellForms {
  let table: ResultTable
  let number: Int

  var column: ResultColumn { table.columns[number] }

  func body(of type: Any.Type) throws -> ((SQLValue) throws -> Any?)? {
    if type == ManagedObjectID.self { return try ids() }
    if let type = type as? ManagedObject.Type { return try objects(type) }
    if let type = type as? any AttributeConvertible.Type { return attribute(type) }
    if let type = type as? any RawRepresentable.Type { return try enumeration(type) }
    if let type = type as? any FixedWidthInteger.Type { return whole(type) }
    if let type = type as? any Decodable.Type { return transformed(type) }
    return nil
  }

  func mismatch(_ sentence: String) -> SQLQueryError {
    SQLQueryError(.mismatch(column: column.name), "The column \(column.name): \(sentence).")
  }

  private func attribute<A: AttributeConvertible>(_ type: A.Type) -> (SQLValue) -> Any? {
    { value in value.modelValue(A.attributeType).converted() as A? }
  }

  private func whole<N: FixedWidthInteger>(_ type: N.Type) -> (SQLValue) -> Any? {
    { value in value.integer.flatMap(N.init(exactly:)) }
  }

  private func enumeration<E: RawRepresentable>(
    _ type: E.Type
  ) throws -> ((SQLValue) throws -> Any?)? {
    guard let raw = try body(of: E.RawValue.self) else { return nil }
    return { value in (try raw(value) as? E.RawValue).flatMap(E.init(rawValue:)) }
  }

  private func transformed<D: Decodable>(_ type: D.Type) -> ((SQLValue) throws -> Any?)? {
    guard case .attribute(let attribute) = column.meaning, attribute.type == .transformable else {
      return nil
    }
    let transformer = Transformers.named(attribute.valueTransformerName ?? "JSON")
    return { value in
      guard let bytes = value.blob else { return nil }
      return try transformer.decode(D.self, from: Data(bytes))
    }
  }

  private func ids() throws -> (SQLValue) throws -> Any? {
    guard case .key(let entity) = column.meaning else {
      throw mismatch(
        "the database does not tell of which entity its values are keys. Ask for objects of the class, as in (Person, Int).self"
      )
    }
    return { value in
      try value.integer.flatMap { try table.id($0, ofEntity: entity, in: number) }
    }
  }

  private func objects(_ type: ManagedObject.Type) throws -> (SQLValue) throws -> Any? {
    let model = table.context.model
    let shape = try table.context.shape(for: type)
    if case .key(let entity) = column.meaning {
      let found = model.shape(numbered: entity)
      guard found.rootNumber == shape.rootNumber else {
        throw mismatch("its values are keys of \(found.name), and none of \(shape.name)")
      }
    } else if case .attribute(let attribute) = column.meaning {
      throw mismatch("its values are those of the attribute \(attribute.name), and no keys")
    }
    return { value in
      guard let key = value.integer,
        let id = try table.id(key, ofEntity: shape.number, in: number)
      else { return nil }
      return try table.context.object(with: id)
    }
  }
}

extension SQLValue {
  /// The kind of value that a column holds.
  fileprivate var kind: String {
    switch self {
    case .null: "nothing"
    case .integer: "a whole number"
    case .real: "a number with a fraction"
    case .text: "a text"
    case .blob: "bytes"
    }
  }
}
