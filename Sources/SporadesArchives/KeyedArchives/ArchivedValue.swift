// SPDX-License-Identifier: MIT

/// A value in an archive: a scalar, a collection, or an object with fields.
package struct ArchivedValue: Sendable {
  let archive: KeyedArchive
  /// The number of the value's object. Two values with one number are the same object.
  package let number: Int

  private var object: PropertyListObject { archive.object(number) }

  // MARK: - Objects with fields

  /// The value of a field; nil if the object has no such field, or nothing in it.
  package subscript(_ name: String) -> ArchivedValue? {
    get throws(PropertyListError) {
      guard case .dictionary(let fields) = object else { return nil }
      return try archive.field(name, of: fields)
    }
  }

  /// The value of a field that every object of the class has.
  package func field(_ name: String) throws(PropertyListError) -> ArchivedValue {
    guard let value = try self[name] else {
      throw PropertyListError("an object of the class \(try className) has no \(name)")
    }
    return value
  }

  /// The names of the object's fields, without the one that leads to its class.
  package var fieldNames: [String] {
    guard case .dictionary(let fields) = object else { return [] }
    return fields.compactMap { field in
      guard case .string(let name) = archive.object(field.key), name != "$class" else { return nil }
      return name
    }
  }

  /// The name of the object's class; `scalar` for a value that is no object.
  package var className: String {
    get throws(PropertyListError) {
      guard case .dictionary(let fields) = object,
        let type = try archive.field("$class", of: fields),
        case .dictionary(let description) = type.object,
        let name = try archive.field("$classname", of: description),
        case .string(let text) = name.object
      else { return "scalar" }
      return text
    }
  }

  // MARK: - Scalars

  /// The text; nil if the value is none.
  package var text: String? {
    get throws(PropertyListError) {
      if case .string(let text) = object { return text }
      // A text that could be changed is an object around a text.
      guard case .string(let text)? = try self["NS.string"]?.object else { return nil }
      return text
    }
  }

  /// The truth value; nil if the value is none.
  package var truth: Bool? { if case .boolean(let truth) = object { truth } else { nil } }

  /// The whole number; nil if the value is none.
  package var integer: Int64? {
    switch object {
    case .integer(let integer): integer
    case .boolean(let truth): truth ? 1 : 0
    case .double(let real): Int64(exactly: real)
    case .null, .date, .data, .string, .reference, .list, .dictionary: nil
    }
  }

  /// The number, as a real; nil if the value is none.
  package var real: Double? {
    switch object {
    case .double(let real): real
    case .integer(let integer): Double(integer)
    case .boolean(let truth): truth ? 1 : 0
    case .null, .date, .data, .string, .reference, .list, .dictionary: nil
    }
  }

  /// The bytes; nil if the value has none.
  package var bytes: [UInt8]? {
    get throws(PropertyListError) {
      if case .data(let bytes) = object { return bytes }
      guard case .data(let bytes)? = try self["NS.data"]?.object else { return nil }
      return bytes
    }
  }

  // MARK: - Collections

  /// The items of a list or set; nil if the value is none.
  package var items: [ArchivedValue]? {
    get throws(PropertyListError) {
      guard case .list(let numbers)? = try self["NS.objects"]?.object, try self["NS.keys"] == nil
      else { return nil }
      return try values(numbers)
    }
  }

  /// The entries of a dictionary; nil if the value is none.
  package var entries: [(key: ArchivedValue, value: ArchivedValue)]? {
    get throws(PropertyListError) {
      if let mapping = try self["searchMapping"] { return try knownKeys(mapping) }
      guard case .list(let keys)? = try self["NS.keys"]?.object,
        case .list(let values)? = try self["NS.objects"]?.object
      else { return nil }
      return try pair(try self.values(keys), with: try self.values(values))
    }
  }

  /// A dictionary whose keys are known before its values has two lists. A key without a value has a mark there.
  private func knownKeys(
    _ mapping: ArchivedValue
  ) throws(PropertyListError) -> [(key: ArchivedValue, value: ArchivedValue)] {
    guard let keys = try mapping.field("keys").items, let values = try field("values").items
    else { throw PropertyListError("a dictionary has no lists of keys and values") }
    let empty = try self["emptyToken"]?.number
    return try pair(keys, with: values).filter { $0.value.number != empty }
  }

  private func pair(
    _ keys: [ArchivedValue], with values: [ArchivedValue]
  ) throws(PropertyListError) -> [(key: ArchivedValue, value: ArchivedValue)] {
    guard keys.count == values.count else {
      throw PropertyListError("a dictionary has \(keys.count) keys and \(values.count) values")
    }
    return Array(zip(keys, values))
  }

  private func values(_ numbers: [Int]) throws(PropertyListError) -> [ArchivedValue] {
    var values: [ArchivedValue] = []
    values.reserveCapacity(numbers.count)
    for number in numbers {
      guard let value = try archive.value(number) else {
        throw PropertyListError("a collection contains nothing as an item")
      }
      values.append(value)
    }
    return values
  }
}
