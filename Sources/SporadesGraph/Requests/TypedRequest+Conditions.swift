// SPDX-License-Identifier: MIT
public import SporadesModel

// The compiler prefers the functions with a typed condition, so that a call with a mistake has one
// candidate that it explains.
extension TypedRequest {
  /// Asks for the objects that also satisfy the condition: `where(\.age > 18 && \.name == "Doe")`.
  public func `where`(_ condition: TypedPredicate<Object>) -> Self { adding(condition.predicate) }

  /// Asks for the objects that also satisfy the predicate.
  @_disfavoredOverload
  public func `where`(_ predicate: FetchPredicate) -> Self { adding(predicate) }

  /// Asks for the objects whose truth value is true, too.
  @_disfavoredOverload
  public func `where`(_ condition: KeyPath<Object, Bool>) -> Self {
    adding(TypedPredicate(condition).predicate)
  }

  /// Asks for the objects that also satisfy a condition in the format language:
  /// `where("age > %d AND name BEGINSWITH[c] %@", 18, "d")`.
  ///
  /// The format is written in the program, and values are arguments. A value therefore never becomes
  /// a part of the language.
  @_disfavoredOverload
  public func `where`(_ format: StaticString, _ arguments: Any?...) -> Self {
    adding(format, arguments)
  }

  /// Asks for the objects that satisfy the conditions so far, or this one.
  public func or(_ condition: TypedPredicate<Object>) -> Self { widening(to: condition.predicate) }

  /// Asks for the objects that satisfy the conditions so far, or this predicate.
  @_disfavoredOverload
  public func or(_ predicate: FetchPredicate) -> Self { widening(to: predicate) }

  /// Asks for the objects that satisfy the conditions so far, or whose truth value is true.
  @_disfavoredOverload
  public func or(_ condition: KeyPath<Object, Bool>) -> Self {
    widening(to: TypedPredicate(condition).predicate)
  }

  /// Asks for the objects that satisfy the conditions so far, or one in the format language.
  @_disfavoredOverload
  public func or(_ format: StaticString, _ arguments: Any?...) -> Self {
    changing { copy throws(FetchPredicateError) in
      try copy.widen(to: FetchPredicate(format: "\(format)", argumentArray: arguments))
    }
  }

  /// Asks for the objects that satisfy the conditions of both requests.
  public func and(_ other: Self) -> Self {
    changing { copy throws(FetchPredicateError) in
      copy.narrow(to: try other.condition(joinedBy: "and"))
    }
  }

  /// Asks for the objects that satisfy the conditions of one of the requests, or of both.
  public func or(_ other: Self) -> Self {
    changing { copy throws(FetchPredicateError) in
      try copy.widen(to: other.condition(joinedBy: "or"))
    }
  }

  /// The condition of a request that says nothing else.
  private func condition(joinedBy word: String) throws(FetchPredicateError) -> FetchPredicate {
    if let mistake { throw mistake }
    guard let predicate = untyped.predicate, self == TypedRequest(where: predicate) else {
      throw FetchPredicateError(
        .syntax,
        "The request for \(Object.self) in \(word)(…) says something else than conditions, or has none. Write "
          + "where(…) alone inside, and orders and limits behind it.")
    }
    return predicate
  }

  func adding(_ format: StaticString, _ arguments: [Any?]) -> Self {
    changing { copy throws(FetchPredicateError) in
      copy.narrow(to: try FetchPredicate(format: "\(format)", argumentArray: arguments))
    }
  }

  private func adding(_ predicate: FetchPredicate) -> Self {
    changing { $0.narrow(to: predicate) }
  }

  private func widening(to predicate: FetchPredicate) -> Self {
    changing { copy throws(FetchPredicateError) in try copy.widen(to: predicate) }
  }

  private mutating func narrow(to predicate: FetchPredicate) {
    untyped.predicate = untyped.predicate.map { $0 && predicate } ?? predicate
  }

  private mutating func widen(to predicate: FetchPredicate) throws(FetchPredicateError) {
    guard let former = untyped.predicate else {
      throw FetchPredicateError(
        .syntax,
        "A request for \(Object.self) says or(…) without a condition before, so all objects would satisfy it. Begin "
          + "with where(…).")
    }
    untyped.predicate = former || predicate
  }
}
