// SPDX-License-Identifier: MIT
public import SporadesModel

/// A condition on the objects of one class, written with key paths:
/// `\.age > 18 && \.lastname == "Doe"`.
public struct TypedPredicate<Object: ManagedObject>: Hashable, Sendable {
  public let predicate: FetchPredicate

  public init(_ predicate: FetchPredicate) { self.predicate = predicate }

  init<V>(
    _ keyPath: KeyPath<Object, V>, _ comparator: FetchPredicate.Comparator, _ value: Value,
    _ options: FetchPredicate.TextOptions = []
  ) {
    predicate = .comparison(
      .init(
        KeyPathNames.expression(keyPath), comparator, .constant(value), options: options))
  }
}

/// The condition that a key path's value has the value given.
public func == <Object: ManagedObject, V: ValueConvertible>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .equal, value.value) }

/// The condition that a key path's value has another value than the one given, or none.
public func != <Object: ManagedObject, V: ValueConvertible>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .notEqual, value.value) }

public func < <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .less, value.value) }

public func <= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .lessOrEqual, value.value) }

public func > <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .greater, value.value) }

public func >= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .greaterOrEqual, value.value) }

// Ordering an optional attribute: nil satisfies no bound.
public func < <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .less, value.value) }

public func <= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .lessOrEqual, value.value) }

public func > <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .greater, value.value) }

public func >= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .greaterOrEqual, value.value) }

/// The condition that a to-one relationship leads to the object, or to none.
public func == <Object: ManagedObject, Other: ManagedObject>(
  keyPath: KeyPath<Object, Other?>, object: Other?
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .equal, object?.objectID.value ?? .null) }

public func != <Object: ManagedObject, Other: ManagedObject>(
  keyPath: KeyPath<Object, Other?>, object: Other?
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .notEqual, object?.objectID.value ?? .null) }

/// The condition that a key path's value is one of the list: `\.name ~= ["Rex", "Bella"]`.
public func ~= <Object: ManagedObject, V: ValueConvertible>(
  keyPath: KeyPath<Object, V>, values: [V]
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .isIn, .list(values.map(\.value))) }

/// The condition that a key path's value lies in the range: `\.age ~= 18...65`.
public func ~= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, range: ClosedRange<V>
) -> TypedPredicate<Object> {
  TypedPredicate(keyPath, .between, .list([range.lowerBound.value, range.upperBound.value]))
}

extension TypedPredicate {
  public static func && (left: Self, right: Self) -> Self {
    Self(left.predicate && right.predicate)
  }
  public static func || (left: Self, right: Self) -> Self {
    Self(left.predicate || right.predicate)
  }
  public static prefix func ! (predicate: Self) -> Self { Self(!predicate.predicate) }
}

// Conditions on text.
extension KeyPath where Root: ManagedObject {
  fileprivate func compare(
    _ comparator: FetchPredicate.Comparator, _ text: String, _ options: FetchPredicate.TextOptions
  ) -> TypedPredicate<Root> { TypedPredicate(self, comparator, .string(text), options) }
}

/// The types of text attributes: `String`, and `String?`.
public protocol TextAttribute {}
extension String: TextAttribute {}
extension String?: TextAttribute {}

extension KeyPath where Root: ManagedObject, Value: TextAttribute {
  public func hasPrefix(
    _ text: String, _ options: FetchPredicate.TextOptions = []
  ) -> TypedPredicate<Root> { compare(.beginsWith, text, options) }
  public func hasSuffix(
    _ text: String, _ options: FetchPredicate.TextOptions = []
  ) -> TypedPredicate<Root> { compare(.endsWith, text, options) }
  public func contains(
    _ text: String, _ options: FetchPredicate.TextOptions = []
  ) -> TypedPredicate<Root> { compare(.contains, text, options) }
  public func isLike(
    _ pattern: String, _ options: FetchPredicate.TextOptions = []
  ) -> TypedPredicate<Root> { compare(.like, pattern, options) }
}
