// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesSQL

/// The columns of an answer by their names, for rows that decode themselves.
final class RowNames {
  let table: ResultTable
  private var places: [String: [Int]] = [:]
  /// The readers that the rows have used so far.
  private var readers: [ReaderKey: Any] = [:]

  private struct ReaderKey: Hashable {
    let column: Int
    let type: ObjectIdentifier
  }

  init(_ table: ResultTable) {
    self.table = table
    for (place, column) in table.columns.enumerated() {
      places[column.name, default: []].append(place)
      if let property = column.property, property != column.name {
        places[property, default: []].append(place)
      }
    }
  }

  var names: [String] { table.columns.map { $0.property ?? $0.name } }

  func place(of name: String) throws -> Int {
    let found = places[name] ?? []
    guard let place = found.first else {
      throw SQLQueryError(
        .missingColumn(name),
        "No column is called \(name). The columns are \(names.joined(separator: ", ")). Write AS \(name) behind its expression."
      )
    }
    guard found.count == 1 else {
      throw SQLQueryError(
        .ambiguousColumn(name),
        "\(found.count) columns are called \(name). Write AS behind each, and give them names of their own."
      )
    }
    return place
  }

  func read<V>(_ type: V.Type, _ row: Int, _ column: Int) throws -> V {
    let key = ReaderKey(column: column, type: ObjectIdentifier(type))
    let reader: CellReader<V>
    if let known = readers[key] as? CellReader<V> {
      reader = known
    } else {
      reader = try CellReader(table, column: column)
      readers[key] = reader
    }
    return try reader.read(table.value(row, column))
  }
}

/// Decodes one row by the names of its columns.
struct RowDecoder: Decoder {
  let names: RowNames
  let row: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer(names: names, row: row))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw noSingleValue }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw noSingleValue }

  private var noSingleValue: SQLQueryError {
    SQLQueryError(
      .columnCount(expected: 1, found: names.table.columns.count),
      "A row decodes by the names of its columns, and the type asks for a list or a single value. Ask for a tuple."
    )
  }
}

/// The properties of one row.
private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let names: RowNames
  let row: Int
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { names.names.compactMap(Key.init(stringValue:)) }

  // True for every key, so that a property without a column is an error, also where it may be nil.
  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) throws -> Bool {
    names.table.value(row, try names.place(of: key.stringValue)) == .null
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try read(key) }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try read(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try read(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try read(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try read(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try read(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try read(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try read(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try read(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try read(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try read(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try read(key) }

  private func read<V>(_ key: Key) throws -> V {
    try names.read(V.self, row, names.place(of: key.stringValue))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> { throw flat(key) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw flat(key)
  }

  func superDecoder() throws -> any Decoder { RowDecoder(names: names, row: row) }

  func superDecoder(forKey key: Key) throws -> any Decoder { throw flat(key) }

  private func flat(_ key: Key) -> SQLQueryError {
    SQLQueryError(
      .mismatch(column: key.stringValue),
      "A column holds one value, and \(key.stringValue) asks for a structure in it.")
  }
}

extension ManagedObjectID: Decodable {
  /// Only a row of SQL holds ids, and reads them itself.
  public init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription:
          "An id is read from a row of SQL alone. Elsewhere decode its uriRepresentation()."))
  }
}
