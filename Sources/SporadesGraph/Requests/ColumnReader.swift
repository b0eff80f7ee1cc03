// SPDX-License-Identifier: MIT
import SporadesModel

/// Reads the values of one column of an answer as a Swift type: a type of attributes, an enum with
/// raw values, an id or an object, and an optional of each.
struct ColumnReader<V> {
  private let body: (Value, ManagedObjectContext) throws -> V

  /// Prepares the reader of a column. It refuses a type that no column has.
  init(_ column: FetchedColumn<V>) throws(FetchPredicateError) {
    let forms = ColumnForms(name: column.name, hasStandIn: column.hasStandIn)
    let body = forms.reader(of: V.self) as? (Value, ManagedObjectContext) throws -> V
    guard let body else {
      throw FetchPredicateError(
        .unsupported,
        "\(column.name) has the type \(V.self), which is no single value. Name an attribute of a plain type, a to-one "
          + "relationship or a count, or fetch the objects and read it of them.")
    }
    self.body = body
  }

  func read(_ value: Value, in context: ManagedObjectContext) throws -> V {
    try body(value, context)
  }
}

/// The readers of all types. Each is a function `(Value, ManagedObjectContext) throws -> V`.
private struct ColumnForms {
  let name: String
  let hasStandIn: Bool

  func reader(of type: Any.Type) -> Any? {
    if let optional = type as? any OptionalType.Type {
      return plainReader(of: optional.wrapped, isOptional: true)
    }
    return plainReader(of: type, isOptional: false)
  }

  private func plainReader(of type: Any.Type, isOptional: Bool) -> Any? {
    if let type = type as? any AttributeConvertible.Type { return attribute(type, isOptional) }
    if let type = type as? any RawRepresentable.Type { return enumeration(type, isOptional) }
    if let type = type as? any IdentifiedObject.Type { return object(type, isOptional) }
    return type == ManagedObjectID.self ? id(isOptional) : nil
  }

  /// A reader of the type that `convert` makes, or of its optional.
  private func form<V>(
    _ isOptional: Bool, standIn: V? = nil,
    _ convert: @escaping (Value, ManagedObjectContext) throws -> V?
  ) -> Any {
    let present = { (value: Value, context: ManagedObjectContext) throws -> V in
      if let converted = try convert(value, context) { return converted }
      if value.isNull, let standIn { return standIn }
      throw misfit(value, V.self)
    }
    guard isOptional else { return present }
    return { (value: Value, context: ManagedObjectContext) throws -> V? in
      value.isNull ? nil : try present(value, context)
    }
  }

  private func attribute<V: AttributeConvertible>(_ type: V.Type, _ isOptional: Bool) -> Any {
    form(isOptional, standIn: hasStandIn ? V.absent : nil) { value, _ in value.converted() }
  }

  private func enumeration<V: RawRepresentable>(_ type: V.Type, _ isOptional: Bool) -> Any? {
    let raw = reader(of: V.RawValue.self) as? (Value, ManagedObjectContext) throws -> V.RawValue
    guard let raw else { return nil }
    return form(isOptional) { value, context in V(rawValue: try raw(value, context)) }
  }

  private func object<V: ManagedObject>(_ type: V.Type, _ isOptional: Bool) -> Any {
    let read = { (value: Value, context: ManagedObjectContext) throws -> V? in
      guard case .objectID(let id) = value else { return nil }
      return try context.object(with: id) as? V
    }
    return form(isOptional, read)
  }

  private func id(_ isOptional: Bool) -> Any {
    let read = { (value: Value, _: ManagedObjectContext) throws -> ManagedObjectID? in
      guard case .objectID(let id) = value else { return nil }
      return id
    }
    return form(isOptional, read)
  }

  private func misfit<V>(_ value: Value, _ type: V.Type) -> FetchPredicateError {
    guard value.isNull else {
      return FetchPredicateError(
        .wrongOperands,
        "A value of \(name) does not fit the type \(V.self). Fetch the objects and read it of them."
      )
    }
    return FetchPredicateError(
      .wrongOperands,
      "\(name) is nil for some of the objects, and the key path has the type \(V.self). Write ? instead of ! in the "
        + "key path.")
  }
}
