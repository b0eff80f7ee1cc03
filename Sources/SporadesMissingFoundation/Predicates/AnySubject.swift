// SPDX-License-Identifier: MIT
import Foundation
import SporadesModel

/// An object of any type that conditions and expressions are asked of, and the members that variables stand for.
///
/// Rules:
/// 1. An object that has an answer of its own, as a managed one has, gives it.
/// 2. For others, each key path of the condition is read first, and a constant takes its place.
/// 3. A key path through a collection leads to the values of all members. `ANY` and `ALL` ask each of them.
struct AnySubject {
  private let object: Any?
  private var variables: [String: Any?]

  init(_ object: Any?, _ variables: [String: Any?]) {
    self.object = object
    self.variables = variables
  }

  /// Whether a condition is true.
  func holds(_ condition: FetchPredicate) throws -> Bool {
    if let object = object as? any KeyedObject, let answer = try object.answer(to: condition) {
      return answer
    }
    return try holdsByKeys(condition)
  }

  /// The value of an expression. The object at the end of a key path is given as it is.
  func value(_ expression: FetchExpression) throws -> Any? {
    if let place = try place(expression) { return place.object }
    return PlainValue.shown(try ConstantExpression.value(constant(expression)))
  }

  private func holdsByKeys(_ condition: FetchPredicate) throws -> Bool {
    switch condition {
    case .constant(let answer): return answer
    case .not(let inner): return try !holdsByKeys(inner)
    case .and(let parts): return try parts.allSatisfy(holdsByKeys)
    case .or(let parts): return try parts.contains(where: holdsByKeys)
    case .open(let open):
      let values = try open.operands.map { try ConstantExpression.value(constant($0)) }
      return try open.meaning.isTrue(of: values, for: object)
    case .comparison(let comparison): return try holds(comparison)
    }
  }

  private func holds(_ comparison: FetchPredicate.Comparison) throws -> Bool {
    if let isThere = try presence(comparison) { return isThere }
    var constants = comparison
    constants.right = try constant(comparison.right)
    constants.left = try constant(comparison.left)
    guard comparison.quantifier != .direct else {
      return try constants.holds()
    }
    guard case .constant(.list(let values)) = constants.left else {
      throw noCollection(comparison.left)
    }
    constants.quantifier = .direct
    func holds(_ value: Value) throws -> Bool {
      constants.left = .constant(value)
      return try constants.holds()
    }
    return comparison.quantifier == .any
      ? try values.contains(where: holds) : try values.allSatisfy(holds)
  }

  /// Whether something of any type is at the place that is compared with nil; nil for other comparisons.
  private func presence(_ comparison: FetchPredicate.Comparison) throws -> Bool? {
    guard comparison.quantifier == .direct, comparison.right == .constant(.null),
      comparison.comparator == .equal || comparison.comparator == .notEqual,
      let place = try place(comparison.left)
    else { return nil }
    return KeyedValue.isThere(place.object) == (comparison.comparator == .notEqual)
  }

  // MARK: - Expressions

  /// The expression with a constant in the place of each part that reads the object.
  private func constant(_ expression: FetchExpression) throws -> FetchExpression {
    var failure: (any Error)?
    let read = expression.replacing { part in
      guard failure == nil else { return part }
      do { return try self.part(part) } catch {
        failure = error
        return part
      }
    }
    if let failure { throw failure }
    return read
  }

  /// The constant of one part; nil for a part that is made of others, or that has no object to read.
  private func part(_ part: FetchExpression) throws -> FetchExpression? {
    if let place = try place(part) { return try constant(place.object, part) }
    switch part {
    case .count(let names):
      let object = KeyedValue.unwrapped(try read(names))
      guard let members = object.map(KeyedValue.collection) ?? [] else { throw noCollection(part) }
      return .constant(.integer(Int64(members.count)))
    case .aggregate(let function, let names):
      guard case .list(let values) = try value(read(names), part) else { throw noCollection(part) }
      return .constant(function.total(of: values))
    case .collection(let collection): return .constant(try answer(collection))
    case .conditional(let condition, let first, let second):
      return try constant(holdsByKeys(condition) ? first : second)
    default: return nil
    }
  }

  /// What lies at a place that an expression names; nil for an expression that computes.
  private func place(_ expression: FetchExpression) throws -> (object: Any?, isFound: Bool)? {
    switch expression {
    case .subject: return (object, true)
    case .keyPath(let names), .indexed(let names, _): return (try read(names), true)
    case .variable(let path):
      let names = path.propertyNames
      guard let first = names.first, let member = variables[first] else { return nil }
      return (try KeyedValue.read(Array(names.dropFirst()), of: member), true)
    case .element(let path, let place, let rest):
      let member = place.pick(from: KeyedValue.members(try read(path)))
      return (try KeyedValue.read(rest, of: member ?? nil), true)
    default: return nil
    }
  }

  private func read(_ names: [String]) throws -> Any? {
    guard let name = names.first?.variableName, let member = variables[name] else {
      return try KeyedValue.read(names, of: object)
    }
    return try KeyedValue.read(Array(names.dropFirst()), of: member)
  }

  private func answer(_ collection: FetchCollection) throws -> Value {
    var members: [Any?] = []
    for member in KeyedValue.members(try read(collection.path)) {
      guard let filter = collection.filter else {
        members.append(member)
        continue
      }
      var inner = self
      inner.variables[filter.variable] = .some(member)
      guard try inner.holdsByKeys(filter.condition) else { continue }
      members.append(try filter.value.map { try inner.value($0) } ?? member)
    }
    if collection.question == .count, collection.union == .all, collection.values.isEmpty {
      return .integer(Int64(members.count))
    }
    guard
      case .list(let all) = try value(
        KeyedValue.read(collection.values, of: members), .collection(collection))
    else { throw noCollection(.collection(collection)) }
    let values = collection.union.apply(all)
    return switch collection.question {
    case .members: .list(values)
    case .count: .integer(Int64(values.count))
    case .aggregate(let function): function.total(of: values)
    }
  }

  private func constant(_ value: Any?, _ part: FetchExpression) throws -> FetchExpression {
    .constant(try self.value(value, part))
  }

  private func value(_ value: Any?, _ part: FetchExpression) throws -> Value {
    guard let converted = Value(converting: PlainValue.of(value)) else {
      throw FetchPredicateError(
        .unsupported,
        "\(part) leads to a value of the type \(value.map { "\(type(of: $0))" } ?? "nil"), which no predicate compares."
      )
    }
    return converted
  }

  private func noCollection(_ part: FetchExpression) -> FetchPredicateError {
    FetchPredicateError(
      .unsupported, "ANY, ALL and aggregates ask the members of a collection, and \(part) is none.")
  }
}

extension FetchPredicate.Comparison {
  /// The answer of a comparison of constants.
  ///
  /// A store refuses to compare a text with a number, because the entity tells the types before any row is read. An object in memory
  /// tells the type of each value only when it is asked, and values of different types are not equal there.
  func holds() throws -> Bool {
    do { return try ConstantExpression.holds(.comparison(self)) } catch {
      guard error.code == .wrongOperands, case .constant(let left) = left,
        case .constant(let right) = right
      else { throw error }
      switch (comparator, right) {
      case (.equal, _): return ValueOrder.areEqual(left, right)
      case (.notEqual, _): return !ValueOrder.areEqual(left, right)
      case (.isIn, .list(let items)): return items.contains { ValueOrder.areEqual(left, $0) }
      default: throw error
      }
    }
  }
}
