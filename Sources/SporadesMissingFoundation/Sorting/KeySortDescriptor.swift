// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// A sort descriptor of ours, which has a key.
final class KeySortDescriptor: NSSortDescriptor {
  /// The key path with points between its names; nil for the objects themselves, and for a key path of Swift.
  let givenKey: String?
  /// The key path of Swift; nil for one in text.
  let path: AnyKeyPath?
  let rule: SortRule

  /// Sorts by the values at the end of a key path in text.
  convenience init(key: String?, ascending: Bool, _ rule: SortRule) {
    self.init(key, nil, ascending, rule)
  }

  /// Sorts by the values of a property.
  convenience init(path: AnyKeyPath, ascending: Bool, _ rule: SortRule) {
    self.init(nil, path, ascending, rule)
  }

  private init(_ key: String?, _ path: AnyKeyPath?, _ ascending: Bool, _ rule: SortRule) {
    givenKey = key
    self.path = path
    self.rule = rule
    // Foundation's own parts are not asked: the functions below take their places.
    super.init(keyPath: \Any.self, ascending: ascending, comparator: { rule.compare($0, $1) })
  }

  override var keyPath: AnyKeyPath { path ?? super.keyPath }

  override var reversedSortDescriptor: Any { KeySortDescriptor(givenKey, path, !ascending, rule) }

  override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
    let (left, right) = (value(of: object1), value(of: object2))
    return ascending ? rule.compare(left, right) : rule.compare(right, left)
  }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? KeySortDescriptor else { return false }
    if other === self { return true }
    return other.key == key && other.path == path && other.ascending == ascending
      && rule.isSame(as: other.rule)
  }

  override var hash: Int {
    var hasher = Hasher()
    hasher.combine(key)
    hasher.combine(ascending)
    return hasher.finalize()
  }

  override var description: String {
    "(\(key ?? "self"), \(ascending ? "ascending" : "descending"), \(rule.name))"
  }

  private func value(of object: Any) -> Any? {
    if let path {
      guard let value = PathReading.value(at: path, of: object) else {
        trap(
          "NSSortDescriptor reads a \(type(of: path).rootType), and was asked to compare a \(type(of: object))."
        )
      }
      return value
    }
    guard let givenKey else { return object }
    do { return try KeyedValue.read(givenKey.propertyNames, of: object) } catch {
      trap("NSSortDescriptor(key: \(givenKey.debugDescription)): \(error)")
    }
  }
}

/// The way in which a sort descriptor compares two values.
enum SortRule {
  /// As predicates compare them, and nil first.
  case values
  /// By a method of texts.
  case method(TextMethod)
  /// By a closure of the program. No two closures are the same.
  case closure(Comparator)

  /// The methods of texts that order them.
  enum TextMethod: String, CaseIterable {
    case caseInsensitiveCompare
    case localizedCompare
    case localizedCaseInsensitiveCompare
    case localizedStandardCompare

    func compare(_ left: String, _ right: String) -> ComparisonResult {
      switch self {
      case .caseInsensitiveCompare: left.caseInsensitiveCompare(right)
      case .localizedCompare: left.localizedCompare(right)
      case .localizedCaseInsensitiveCompare: left.localizedCaseInsensitiveCompare(right)
      case .localizedStandardCompare: left.localizedStandardCompare(right)
      }
    }
  }

  /// The name of the rule in a descriptor's text.
  var name: String {
    switch self {
    case .values: "compare:"
    case .method(let method): "\(method.rawValue):"
    case .closure: "a closure"
    }
  }

  func isSame(as other: SortRule) -> Bool {
    switch (self, other) {
    case (.values, .values): true
    case (.method(let one), .method(let other)): one == other
    default: false
    }
  }

  func compare(_ left: Any?, _ right: Any?) -> ComparisonResult {
    guard let one = KeyedValue.unwrapped(left) else {
      return KeyedValue.isThere(right) ? .orderedAscending : .orderedSame
    }
    guard let other = KeyedValue.unwrapped(right) else { return .orderedDescending }
    switch self {
    case .closure(let comparator): return comparator(one, other)
    case .method(let method):
      guard let one = one as? String, let other = other as? String else {
        trap(
          "\(method.rawValue): compares texts, and was given a \(type(of: one)) and a \(type(of: other))."
        )
      }
      return method.compare(one, other)
    case .values: return Self.compareValues(one, other)
    }
  }

  private static func compareValues(_ one: Any, _ other: Any) -> ComparisonResult {
    guard let left = Value(converting: PlainValue.of(one)),
      let right = Value(converting: PlainValue.of(other))
    else {
      guard let comparable = one as? any Comparable, let result = order(comparable, other) else {
        trap(
          "A sort descriptor has no order for a \(type(of: one)) and a \(type(of: other)). Pass a comparator."
        )
      }
      return result
    }
    let order = ValueOrder.sortOrder(left, right)
    return order < 0 ? .orderedAscending : order > 0 ? .orderedDescending : .orderedSame
  }

  private static func order<Item: Comparable>(_ one: Item, _ other: Any) -> ComparisonResult? {
    guard let other = other as? Item else { return nil }
    return one < other ? .orderedAscending : other < one ? .orderedDescending : .orderedSame
  }
}

/// Reads a key path without a static type.
private enum PathReading {
  /// The value; nil for an object of another type than the key path begins at.
  static func value(at path: AnyKeyPath, of object: Any) -> Any? { read(object, path) }

  private static func read<Root>(_ root: Root, _ path: AnyKeyPath) -> Any? { root[keyPath: path] }
}
