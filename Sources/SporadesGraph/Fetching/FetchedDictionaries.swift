// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesStore

/// The results of a fetch of dictionaries, in their order.
///
/// The values are copies: later changes do not show in them, and they can be sent to other tasks.
public struct FetchedDictionaries: RandomAccessCollection, Hashable, Sendable {
  @usableFromInline let contents: DictionaryContents

  init(_ names: [String], _ answer: TableAnswer) {
    contents = DictionaryContents(names, answer)
  }

  /// The names of the values of each dictionary, in the order of the request.
  public var names: [String] { contents.names }
  /// The position of the first dictionary.
  @inlinable public var startIndex: Int { 0 }
  /// The number of dictionaries.
  @inlinable public var endIndex: Int { contents.count }

  /// The dictionary at the position.
  @inlinable
  public subscript(position: Int) -> FetchedDictionary {
    trap(
      unless: position >= 0 && position < contents.count,
      "The fetch has \(contents.count) dictionaries and none at position \(position).")
    return FetchedDictionary(contents, row: position)
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.names == right.names && left.contents.answer == right.contents.answer
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(names)
    hasher.combine(contents.answer)
  }
}

/// The names and values of fetched dictionaries. One reference is all that a dictionary copies.
@usableFromInline
final class DictionaryContents: Sendable {
  let names: [String]
  @usableFromInline let forms: [NameForm]
  @usableFromInline let count: Int
  /// The number of values of a dictionary.
  @usableFromInline let width: Int
  @usableFromInline let packed: PackedValues?
  let answer: TableAnswer

  init(_ names: [String], _ answer: TableAnswer) {
    self.names = names
    forms = names.map(NameForm.init)
    count = answer.rowCount
    width = names.count
    packed = answer.packed
    self.answer = answer
  }

  /// The column with the name.
  @inlinable
  func column(_ name: String) -> Int {
    let form = NameForm(name)
    for place in 0..<forms.count where forms[place] == form { return place }
    return equalName(name)
  }

  /// The place, mark and word of a value. A value that the store did not pack has the mark of values of other types.
  @inlinable
  func find(_ row: Int, _ name: String) -> (place: Int, mark: PackedValues.Mark, word: UInt64) {
    let place = row * width + column(name)
    guard let packed else { return (place, .other, 0) }
    return (place, packed.mark(place), packed.word(place))
  }

  /// The text at a place where ``find(_:_:)`` found one.
  @inlinable
  func text(_ place: Int) -> String {
    guard let packed else { trap("Only packed values have the mark of a text.") }
    return packed.text(place)
  }

  /// The column whose name has the same letters in another form: a long name from elsewhere, or `é` and `e` with an
  /// accent.
  @usableFromInline
  func equalName(_ name: String) -> Int {
    guard let place = names.firstIndex(of: name) else {
      trap(
        "The fetch returns no value named \(name). It returns \(names.joined(separator: ", ")); name another in "
          + "propertiesToFetch.")
    }
    return place
  }
}

/// The form of a text in memory: its letters if they are few, else their place. Names of the same form are equal, and are told
/// so much faster than by their letters. Other names may be equal as well.
@safe @usableFromInline
struct NameForm: Equatable, Sendable {
  #if _pointerBitWidth(_64)
    @usableFromInline let bits: (UInt64, UInt64)

    @inlinable
    init(_ name: String) {
      // Unsafe because nobody promises what the bits of a text mean. They are compared, and nothing is read through them.
      bits = unsafe unsafeBitCast(name, to: (UInt64, UInt64).self)
    }

    @inlinable
    static func == (left: Self, right: Self) -> Bool { left.bits == right.bits }
  #else
    @usableFromInline let name: String

    @inlinable
    init(_ name: String) { self.name = name }
  #endif
}

/// The values of one object, or of a group of objects, by their names.
public struct FetchedDictionary: Hashable, Sendable {
  @usableFromInline let all: DictionaryContents
  @usableFromInline let row: Int

  @inlinable
  init(_ all: DictionaryContents, row: Int) {
    self.all = all
    self.row = row
  }

  /// The names of the values, in the order of the request.
  public var names: [String] { all.names }

  /// The value with the name; nil if the object has none. A name that the request does not fetch traps.
  public subscript(name: String) -> Value? {
    let value = all.answer[row, all.column(name)]
    // A plain `nil` would be the null of a value.
    return value.isNull ? Value?.none : value
  }

  /// The value with the name as a Swift type; nil if the object has none.
  ///
  /// The function traps if the value is of another type. Whole numbers are taken for floating-point numbers too.
  @inlinable
  public func value<V: AttributeConvertible>(_ name: String, as type: V.Type = V.self) -> V? {
    let (place, mark, word) = all.find(row, name)
    // The compiler leaves one of these branches, where the caller's type is known.
    switch mark {
    case .null: return nil
    case .integer:
      if V.self == Int.self { return Int(truncatingIfNeeded: Int64(bitPattern: word)) as? V }
      if V.self == Int64.self { return Int64(bitPattern: word) as? V }
    case .real: if V.self == Double.self { return Double(bitPattern: word) as? V }
    case .boolean: if V.self == Bool.self { return (word != 0) as? V }
    case .text: if V.self == String.self { return all.text(place) as? V }
    case .date, .other: break
    }
    return converted(name)
  }

  @usableFromInline
  func converted<V: AttributeConvertible>(_ name: String) -> V? {
    let value = all.answer[row, all.column(name)]
    guard !value.isNull else { return nil }
    if let result: V = value.converted() { return result }
    guard let result: V = value.converted(to: V.attributeType)?.converted() else {
      trap(
        "The value \(name) cannot be read as \(V.self). Ask for the type with which it was fetched."
      )
    }
    return result
  }

  /// The values that are not nil, by their names.
  public var dictionary: [String: Value] {
    var values: [String: Value] = [:]
    for name in names { values[name] = self[name] }
    return values
  }

  public static func == (left: Self, right: Self) -> Bool { left.dictionary == right.dictionary }
  public func hash(into hasher: inout Hasher) { hasher.combine(dictionary) }
}

extension FetchedDictionary: CustomStringConvertible {
  public var description: String {
    let values = names.map { "\($0): \(self[$0]?.debugDescription ?? "nil")" }
    return "[\(values.joined(separator: ", "))]"
  }
}

extension FetchedDictionaries: CustomStringConvertible {
  private static let shown = 100

  /// The dictionaries, as an array of them reads; of many, the first hundred and the number of the others.
  public var description: String {
    let texts = prefix(Self.shown).map(\.description)
    let rest = count > Self.shown ? ["… and \(count - Self.shown) more"] : []
    return "[\((texts + rest).joined(separator: ", "))]"
  }
}
