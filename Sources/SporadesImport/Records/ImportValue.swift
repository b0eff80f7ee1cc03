// SPDX-License-Identifier: MIT
public import SporadesModel

/// A value of an incoming record: what JSON can say, and what a program can give beside it.
public indirect enum ImportValue: Hashable, Sendable {
  /// No value.
  case null
  /// A truth value.
  case boolean(Bool)
  /// A number, as it is written.
  case number(String)
  /// A text.
  case text(String)
  /// Several values.
  case array([ImportValue])
  /// A record inside the record.
  case record(ImportRecord)
  /// A value of an attribute's own type, which a program gave.
  case value(SporadesModel.Value)

  /// The value is ``null``.
  public var isNull: Bool { self == .null || self == .value(.null) }

  /// The text, or the digits of a number; nil for every other value.
  public var string: String? {
    switch self {
    case .text(let text), .number(let text): text
    case .value(.string(let text)): text
    case .value(.integer(let number)): "\(number)"
    default: nil
    }
  }

  /// The whole number, also of a text with digits; nil for every other value.
  public var integer: Int? {
    switch self {
    case .value(.integer(let number)): Int(exactly: number)
    default: string.flatMap { Int($0) }
    }
  }

  /// The number, also of a text with digits; nil for every other value.
  public var double: Double? {
    switch self {
    case .value(.double(let number)): number
    default: string.flatMap { Double($0) }
    }
  }

  /// The truth value; nil for every other value.
  public var boolean: Bool? {
    switch self {
    case .boolean(let truth), .value(.boolean(let truth)): truth
    default: nil
    }
  }

  /// The elements of an array; nil for every other value.
  public var array: [ImportValue]? { if case .array(let values) = self { values } else { nil } }

  /// The record inside the record; nil for every other value.
  public var record: ImportRecord? { if case .record(let record) = self { record } else { nil } }
}

extension ImportValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  public init(floatLiteral value: Double) { self = .value(.double(value)) }
  public init(stringLiteral value: String) { self = .text(value) }
  public init(arrayLiteral elements: ImportValue...) { self = .array(elements) }
  public init(dictionaryLiteral pairs: (String, ImportValue)...) {
    self = .record(ImportRecord(pairs))
  }

  /// Makes the value of a program's own value.
  public init(_ value: some ValueConvertible) {
    switch value.value {
    case .null: self = .null
    case .string(let text): self = .text(text)
    case .boolean(let truth): self = .boolean(truth)
    case .list(let values): self = .array(values.map { ImportValue($0) })
    case let value: self = .value(value)
    }
  }

  /// Makes the value of an argument without a static type: a number, text, date, UUID, URL, data, nil, or an array or
  /// dictionary of these. The result is nil for everything else.
  public init?(any argument: Any?) {
    switch argument {
    case let value as ImportValue: self = value
    case let record as ImportRecord: self = .record(record)
    case let pairs as [String: Any?]:
      guard let record = ImportRecord(any: pairs) else { return nil }
      self = .record(record)
    case let values as [Any?]:
      let all = values.compactMap { ImportValue(any: $0) }
      guard all.count == values.count else { return nil }
      self = .array(all)
    default:
      guard let value = SporadesModel.Value(converting: argument) else { return nil }
      self = ImportValue(value)
    }
  }
}

/// An incoming record: keys with their values, in the order of the input.
public struct ImportRecord: Hashable, Sendable {
  /// The keys with their values. A key that occurs twice has its last value.
  public private(set) var pairs: [(key: String, value: ImportValue)]

  /// Makes a record of keys with their values.
  public init(_ pairs: some Sequence<(String, ImportValue)>) {
    self.pairs = pairs.map { (key: $0.0, value: $0.1) }
  }

  /// Makes a record of a dictionary; nil if a value has a type that no attribute can hold.
  public init?(any dictionary: [String: Any?]) {
    var pairs: [(key: String, value: ImportValue)] = []
    for (key, argument) in dictionary.sorted(by: { $0.key < $1.key }) {
      guard let value = ImportValue(any: argument) else { return nil }
      pairs.append((key, value))
    }
    self.pairs = pairs
  }

  /// The value of a key, or at the end of a key path: `record["address.city"]`. Nil if the record does not have it.
  public subscript(path: String) -> ImportValue? {
    if let last = pairs.last(where: { $0.key == path }) { return last.value }
    guard let point = path.firstIndex(of: ".") else { return nil }
    let inner = pairs.last { $0.key == path[..<point] }?.value.record
    return inner?[String(path[path.index(after: point)...])]
  }

  public static func == (left: ImportRecord, right: ImportRecord) -> Bool {
    left.pairs.count == right.pairs.count
      && zip(left.pairs, right.pairs).allSatisfy { $0.key == $1.key && $0.value == $1.value }
  }

  public func hash(into hasher: inout Hasher) {
    for (key, value) in pairs {
      hasher.combine(key)
      hasher.combine(value)
    }
  }
}

extension ImportRecord: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral pairs: (String, ImportValue)...) { self.init(pairs) }
}
