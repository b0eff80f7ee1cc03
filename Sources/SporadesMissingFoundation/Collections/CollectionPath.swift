// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// A key path with operators of collections, read as key-value coding reads it.
///
/// 1. A name asks each member of a collection. The result is a collection of the same kind.
/// 2. An operator gets the collection on its left, and the values that the names on its right lead to in each member.
/// 3. An array keeps the place of a missing value with `NSNull`; a set leaves it out.
enum CollectionPath {
  /// The value at the end of a key path.
  static func value(_ names: ArraySlice<String>, of object: Any?) throws -> Any? {
    guard let name = names.first, let object = KeyedValue.unwrapped(object) else {
      return names.isEmpty ? object : nil
    }
    let rest = names.dropFirst()
    if name.hasPrefix("@") { return try applied(name, rest, to: object) }
    guard let members = KeyedValue.collection(object) else {
      return try value(rest, of: KeyedValue.value(name, of: object))
    }
    return try value(rest, of: values([name], of: members, as: object))
  }

  /// The values of all members in a collection of the same kind.
  static func values(
    _ names: ArraySlice<String>, of members: [Any?], as kind: Any
  ) throws -> Any {
    let values = try members.map { try value(names, of: $0) }
    let present = values.compactMap { KeyedValue.unwrapped($0) }
    return switch kind {
    case is NSOrderedSet: NSOrderedSet(array: distinct(present))
    // An array is bridged to itself; a set of Swift to `NSSet`.
    case is NSArray: values.map { KeyedValue.unwrapped($0) ?? NSNull() } as [Any]
    default: NSSet(array: present)
    }
  }

  private static func applied(
    _ name: String, _ rest: ArraySlice<String>, to object: Any
  ) throws -> Any? {
    guard let members = KeyedValue.collection(object) else {
      throw FetchPredicateError(
        .unsupported, "\(name) asks a collection, and was given a \(type(of: object)).")
    }
    if name == "@count" { return try value(rest, of: members.count) }
    let values = try members.map { try value(rest, of: $0) }
    switch name {
    case "@unionOfObjects": return present(values)
    case "@distinctUnionOfObjects": return distinct(present(values))
    case "@unionOfArrays": return flattened(values)
    case "@distinctUnionOfArrays": return distinct(flattened(values))
    case "@distinctUnionOfSets", "@unionOfSets": return NSSet(array: flattened(values))
    default: break
    }
    let function =
      name == "@avg"
      ? AggregateFunction.average : AggregateFunction(rawValue: String(name.dropFirst()))
    guard let function, name != "@average" else {
      throw FetchPredicateError(
        .unsupported,
        "\(name) is no operator of collections. They are @count, @sum, @avg, @min, @max, @unionOfObjects, @unionOfArrays, "
          + "@unionOfSets, and the distinct… of the last three.")
    }
    return PlainValue.shown(function.total(of: try values.compactMap(comparable)))
  }

  private static func present(_ values: [Any?]) -> [Any] {
    values.compactMap { KeyedValue.unwrapped($0) }
  }

  /// The values without those that are there already. Foundation's ordered set keeps them on Linux.
  private static func distinct(_ values: [Any]) -> [Any] {
    let seen = NSMutableSet()
    return values.filter { value in
      guard !seen.contains(value) else { return false }
      seen.add(value)
      return true
    }
  }

  /// The members of all the collections.
  private static func flattened(_ values: [Any?]) -> [Any] {
    values.flatMap { present(KeyedValue.members($0)) }
  }

  private static func comparable(_ value: Any?) throws -> Value? {
    guard KeyedValue.isThere(value) else { return nil }
    guard let known = Value(converting: PlainValue.of(value)) else {
      throw FetchPredicateError(
        .unsupported,
        "@sum, @avg, @min and @max take numbers, dates and texts, and were given a \(value.map { "\(type(of: $0))" } ?? "nil")."
      )
    }
    return known
  }
}
