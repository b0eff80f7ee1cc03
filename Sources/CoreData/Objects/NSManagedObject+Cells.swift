// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel

// Values of cells by place, for access by name. They are those of `ValueCoding`, without a `Value` between.
extension NSManagedObject {
  /// Whether ``plainCell(_:_:)`` reads cells of a type.
  func isPlain(_ type: AttributeType) -> Bool {
    switch type {
    case .string, .integer16, .integer32, .integer64, .double, .boolean, .date: true
    default: false
    }
  }

  /// The object for the value of a cell.
  func plainCell(_ place: Int, _ type: AttributeType) -> Any? {
    switch type {
    case .string: return self[property: place] as String?
    case .integer16, .integer32, .integer64:
      return (self[property: place] as Int64?).map { NSNumber(value: $0) }
    case .double: return (self[property: place] as Double?).map { NSNumber(value: $0) }
    case .boolean: return (self[property: place] as Bool?).map { NSNumber(value: $0) }
    case .date: return self[property: place] as Date?
    default: return nil
    }
  }

  /// Sets a cell to a value that has the cell's type; false for all others, which have to be converted or refused.
  func setPlainCell(_ place: Int, _ type: AttributeType, to value: Any?) -> Bool {
    guard let value else { return false }
    let given = Swift.type(of: value)
    switch type {
    case .string where given == String.self: return set(place, value as? String)
    case .integer16, .integer32, .integer64:
      guard let number = Self.whole(value, given), type.integerRange.contains(number) else {
        return false
      }
      return set(place, number)
    case .double where given == Double.self: return set(place, value as? Double)
    case .boolean where given == Bool.self: return set(place, value as? Bool)
    case .date where given == Date.self: return set(place, value as? Date)
    default: return false
    }
  }

  /// The whole number in a value of a type; nil for values that are converted elsewhere.
  private static func whole(_ value: Any, _ type: Any.Type) -> Int64? {
    // Metatypes are compared before, because a cast that fails looks for conformances.
    if type == Int.self { return (value as? Int).map { Int64($0) } }
    if type == Int64.self { return value as? Int64 }
    if type == Int32.self { return (value as? Int32).map { Int64($0) } }
    if type == Int16.self { return (value as? Int16).map { Int64($0) } }
    if type == NSNumber.self { return (value as? NSNumber)?.int64Value }
    return nil
  }

  private func set<V: AttributeConvertible>(_ place: Int, _ value: V?) -> Bool {
    guard let value else { return false }
    self[property: place] = value
    return true
  }
}
