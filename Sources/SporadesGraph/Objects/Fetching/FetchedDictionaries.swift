// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesStore

/// The results of a fetch of dictionaries, in their order.
///
/// The values are copies: later changes do not show in them, and they can be sent to other tasks.
public struct FetchedDictionaries: RandomAccessCollection, Hashable, Sendable {
  /// The names of the values of each dictionary, in the order of the request.
  public let names: [String]
  private let answer: TableAnswer

  init(_ names: [String], _ answer: TableAnswer) {
    self.names = names
    self.answer = answer
  }

  /// The position of the first dictionary.
  public var startIndex: Int { 0 }
  /// The number of dictionaries.
  public var endIndex: Int { answer.rowCount }

  /// The dictionary at the position.
  public subscript(position: Int) -> FetchedDictionary {
    precondition(
      indices.contains(position),
      "The fetch has \(count) dictionaries and none at position \(position).")
    return FetchedDictionary(all: self, row: position)
  }

  fileprivate func value(_ row: Int, _ name: String) -> Value {
    guard let place = names.firstIndex(of: name) else {
      preconditionFailure(
        "The fetch returns no value named \(name). It returns \(names.joined(separator: ", ")); name another in "
          + "propertiesToFetch.")
    }
    // The collection has handed out rows of the answer alone.
    return answer.values[row * answer.width + place]
  }
}

/// The values of one object, or of a group of objects, by their names.
public struct FetchedDictionary: Hashable, Sendable {
  fileprivate let all: FetchedDictionaries
  fileprivate let row: Int

  /// The names of the values, in the order of the request.
  public var names: [String] { all.names }

  /// The value with the name; nil if the object has none. A name that the request does not fetch traps.
  public subscript(name: String) -> Value? {
    let value = all.value(row, name)
    // A plain `nil` would be the null of a value.
    return value.isNull ? Value?.none : value
  }

  /// The value with the name as a Swift type; nil if the object has none.
  ///
  /// The function traps if the value is of another type. Whole numbers are taken for floating-point numbers too.
  public func value<V: AttributeConvertible>(_ name: String, as type: V.Type = V.self) -> V? {
    let value = all.value(row, name)
    guard !value.isNull else { return nil }
    if let result: V = value.converted() { return result }
    guard let result: V = value.converted(to: V.attributeType)?.converted() else {
      preconditionFailure("The value \(name) is \(value), which is no \(type). Ask for its type.")
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
    let values = names.map { "\($0): \(self[$0].map { "\($0)" } ?? "nil")" }
    return "[\(values.joined(separator: ", "))]"
  }
}
