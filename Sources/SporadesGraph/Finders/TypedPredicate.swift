// SPDX-License-Identifier: MIT
public import SporadesModel

/// A condition on the objects of one class, written with key paths: `\.age > 18 && \.lastname ==
/// "Doe"`.
public struct TypedPredicate<Object: ManagedObject>: Hashable, Sendable {
  /// The condition as a predicate without the class.
  public let predicate: FetchPredicate

  /// Makes a condition from a predicate.
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

/// The condition that the property has the value.
public func == <Object: ManagedObject, V: ValueConvertible>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .equal, value.value) }

/// The condition that the property has another value than the given one, or none.
public func != <Object: ManagedObject, V: ValueConvertible>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .notEqual, value.value) }

/// The condition that the property is less than the value.
public func < <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .less, value.value) }

/// The condition that the property is at most the value.
public func <= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .lessOrEqual, value.value) }

/// The condition that the property is greater than the value.
public func > <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .greater, value.value) }

/// The condition that the property is at least the value.
public func >= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .greaterOrEqual, value.value) }

/// The condition that an optional property is less than the value. Nil satisfies no bound.
public func < <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .less, value.value) }

/// The condition that an optional property is at most the value. Nil satisfies no bound.
public func <= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .lessOrEqual, value.value) }

/// The condition that an optional property is greater than the value. Nil satisfies no bound.
public func > <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .greater, value.value) }

/// The condition that an optional property is at least the value. Nil satisfies no bound.
public func >= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .greaterOrEqual, value.value) }

/// The condition that a to-one relationship leads to the object, or to no object.
public func == <Object: ManagedObject, Other: ManagedObject>(
  keyPath: KeyPath<Object, Other?>, object: Other?
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .equal, object?.objectID.value ?? .null) }

/// The condition that a to-one relationship leads to another object than the given one, or to no
/// object.
public func != <Object: ManagedObject, Other: ManagedObject>(
  keyPath: KeyPath<Object, Other?>, object: Other?
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .notEqual, object?.objectID.value ?? .null) }

/// The condition that the property has one of the values: `\.name ~= ["Rex", "Bella"]`.
public func ~= <Object: ManagedObject, V: ValueConvertible>(
  keyPath: KeyPath<Object, V>, values: [V]
) -> TypedPredicate<Object> { TypedPredicate(keyPath, .isIn, .list(values.map(\.value))) }

/// The condition that the property lies in the range: `\.age ~= 18...65`.
public func ~= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  keyPath: KeyPath<Object, V>, range: ClosedRange<V>
) -> TypedPredicate<Object> {
  TypedPredicate(keyPath, .between, .list([range.lowerBound.value, range.upperBound.value]))
}

extension TypedPredicate {
  /// The condition that both conditions hold.
  public static func && (left: Self, right: Self) -> Self {
    Self(left.predicate && right.predicate)
  }
  /// The condition that one of the conditions holds.
  public static func || (left: Self, right: Self) -> Self {
    Self(left.predicate || right.predicate)
  }
  /// The condition that the condition does not hold.
  public static prefix func ! (predicate: Self) -> Self { Self(!predicate.predicate) }
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
}
