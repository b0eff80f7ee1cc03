// SPDX-License-Identifier: MIT
public import SporadesModel

/// A condition on the objects of one class, written with key paths: `\.age > 18 && \.lastname ==
/// "Doe"`.
///
/// A key path to a truth value is a condition by itself, `\.isActive && !\.isHidden`. A
/// ``/SporadesModel/FetchPredicate`` joins key paths by the same signs.
public struct TypedPredicate<Object: ManagedObject>: Hashable, Sendable {
  /// The condition as a predicate without the class.
  public let predicate: FetchPredicate

  /// Makes a condition from a predicate.
  public init(_ predicate: FetchPredicate) { self.predicate = predicate }

  /// Makes the condition that a truth value is true.
  public init(_ keyPath: KeyPath<Object, Bool>) { self.init(keyPath, .equal, .boolean(true)) }

  /// Makes a condition of a closure, which gets an object in memory. ``evaluate(with:)`` takes it. A fetch refuses
  /// it, because no store can run a closure.
  public init(block: @escaping @Sendable (Object) -> Bool) {
    predicate = FetchPredicate { object in (object as? Object).map(block) ?? false }
  }

  init(
    _ keyPath: PartialKeyPath<Object>, _ comparator: FetchPredicate.Comparator, _ value: Value,
    _ options: FetchPredicate.TextOptions = []
  ) {
    predicate = FetchPredicate(comparing: keyPath, comparator, value, options)
  }

  /// Whether the object satisfies the condition, with its unsaved changes. It throws as
  /// `FetchPredicate.evaluate(with:)` does.
  public func evaluate(with object: Object) throws -> Bool { try predicate.evaluate(with: object) }
}

extension FetchPredicate {
  fileprivate init<Object: ManagedObject>(
    comparing keyPath: PartialKeyPath<Object>, _ comparator: Comparator, _ value: Value,
    _ options: TextOptions
  ) {
    func compare(
      _ left: FetchExpression, _ comparator: Comparator, _ value: Value
    ) -> FetchPredicate {
      .comparison(Comparison(left, comparator, .constant(value), options: options))
    }
    do throws(FetchPredicateError) {
      let path = try KeyPathNames.path(of: keyPath)
      guard path.member == .isEmpty || path.member == .isEmptyText else {
        self = compare(FetchExpression(of: keyPath), comparator, value)
        return
      }
      guard let comparator = comparator.forEmptiness(value) else {
        throw FetchPredicateError(.wrongOperands, "isEmpty can only be compared by == and !=.")
      }
      self =
        path.member == .isEmpty
        ? compare(.count(path.names), comparator, 0)
        : compare(.keyPath(path.names), comparator, "")
    } catch {
      self = compare(.refused(error), comparator, value)
    }
  }
}

extension FetchPredicate.Comparator {
  /// The comparator with nothing that says the same as comparing `isEmpty` with a truth value.
  fileprivate func forEmptiness(_ value: Value) -> Self? {
    guard case .boolean(let truth) = value, self == .equal || self == .notEqual else { return nil }
    return truth == (self == .equal) ? .equal : .notEqual
  }
}

// Conditions on text.
extension KeyPath where Root: ManagedObject {
  fileprivate func compare(
    _ comparator: FetchPredicate.Comparator, _ text: String, _ options: FetchPredicate.TextOptions
  ) -> TypedPredicate<Root> { TypedPredicate(self, comparator, .string(text), options) }
}

/// The types of text attributes: `String` and `String?`.
public protocol TextAttribute {}
extension String: TextAttribute {}
extension String?: TextAttribute {}

extension KeyPath where Root: ManagedObject, Value: TextAttribute {
  /// The condition that the text begins with the other text.
  public func hasPrefix(
    _ text: String, _ options: FetchPredicate.TextOptions = []
  ) -> TypedPredicate<Root> { compare(.beginsWith, text, options) }
  /// The condition that the text ends with the other text.
  public func hasSuffix(
    _ text: String, _ options: FetchPredicate.TextOptions = []
  ) -> TypedPredicate<Root> { compare(.endsWith, text, options) }
  /// The condition that the text contains the other text.
  public func contains(
    _ text: String, _ options: FetchPredicate.TextOptions = []
  ) -> TypedPredicate<Root> { compare(.contains, text, options) }
  /// The condition that the text matches the pattern, with `?` for one character and `*` for any
  /// number.
  public func isLike(
    _ pattern: String, _ options: FetchPredicate.TextOptions = []
  ) -> TypedPredicate<Root> { compare(.like, pattern, options) }
  /// The condition that the whole text matches the regular expression.
  public func matches(
    _ pattern: String, _ options: FetchPredicate.TextOptions = []
  ) -> TypedPredicate<Root> { compare(.matches, pattern, options) }
}
