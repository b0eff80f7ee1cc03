// SPDX-License-Identifier: MIT
public import SporadesGraph
import SporadesModel

extension FinderContext {
  /// The rows of a statement as tuples, with a value for each column.
  ///
  /// ```swift
  /// let oldest = try context.rows(
  ///   "SELECT \(\Person.name), max(\(\Person.age)) FROM \(Person.self)", as: (String?, Int?).self)
  /// ```
  ///
  /// The statement sees what a fetch of the context sees. It is refused where the context or a parent has unsaved changes
  /// of a table that it reads.
  public func rows<each Column>(
    _ query: SQLQuery, as type: (repeat each Column).Type
  ) throws(Failure) -> [(repeat each Column)] {
    try find(orElse: []) { context in
      let table = try query.answer(in: context)
      var types: [Any.Type] = []
      repeat types.append((each Column).self)
      try table.check(types.count)
      var place = -1
      func next() -> Int {
        place += 1
        return place
      }
      let readers = (repeat try CellReader<each Column>(table, column: next()))
      return try (0..<table.rowCount).map { row in
        place = -1
        return (repeat try (each readers).read(table.value(row, next())))
      }
    }
  }

  /// The rows of a statement as values that decode themselves by the names of the columns, or as the values of its only
  /// column.
  ///
  /// The column of a key path has the name of its property, and every other column the name behind `AS`.
  public func rows<Row: Decodable>(
    _ query: SQLQuery, as type: Row.Type
  ) throws(Failure) -> [Row] {
    try find(orElse: []) { context in
      let table = try query.answer(in: context)
      if table.isSingle(type) {
        try table.check(1)
        let reader = try CellReader<Row>(table, column: 0)
        return try (0..<table.rowCount).map { try reader.read(table.value($0, 0)) }
      }
      let names = RowNames(table)
      return try (0..<table.rowCount).map { try Row(from: RowDecoder(names: names, row: $0)) }
    }
  }

  /// The objects whose keys are the only column of a statement: `SELECT \(\Person.objectID) FROM …`.
  public func rows<Object: ManagedObject>(
    _ query: SQLQuery, as type: Object.Type
  ) throws(Failure) -> [Object] {
    try find(orElse: []) { context in
      let table = try query.answer(in: context)
      try table.check(1)
      let reader = try CellReader<Object>(table, column: 0)
      return try (0..<table.rowCount).map { try reader.read(table.value($0, 0)) }
    }
  }
}

extension ResultTable {
  /// Throws unless the rows have so many columns.
  fileprivate func check(_ count: Int) throws(SQLQueryError) {
    guard count != columns.count else { return }
    throw SQLQueryError(
      .columnCount(expected: count, found: columns.count),
      "The statement answers \(columns.count) columns, \(columns.map(\.name).joined(separator: ", ")), and the type has "
        + "\(count).")
  }

  /// Whether the type is that of a single value.
  fileprivate func isSingle(_ type: Any.Type) -> Bool {
    let type = (type as? any Nullable.Type)?.wrapped ?? type
    return type == ManagedObjectID.self || type is any AttributeConvertible.Type
      || type is any RawRepresentable.Type || type is any FixedWidthInteger.Type
  }
}
