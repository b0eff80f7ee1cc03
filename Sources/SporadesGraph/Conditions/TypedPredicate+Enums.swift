// SPDX-License-Identifier: MIT
public import SporadesModel

// Comparisons of an attribute whose type is an enum. The store compares the raw values. An enum that
// is `ValueConvertible` itself takes the functions for values.

/// The condition that the property has the case.
@_disfavoredOverload
public func == <Object: ManagedObject, V: RawRepresentable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible {
  TypedPredicate(keyPath, .equal, value.rawValue.value)
}

/// The condition that the optional property has the case, or none for nil.
@_disfavoredOverload
public func == <Object: ManagedObject, V: RawRepresentable>(
  keyPath: KeyPath<Object, V?>, value: V?
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible {
  TypedPredicate(keyPath, .equal, value?.rawValue.value ?? .null)
}

/// The condition that the property has another case than the given one, or none.
@_disfavoredOverload
public func != <Object: ManagedObject, V: RawRepresentable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible {
  TypedPredicate(keyPath, .notEqual, value.rawValue.value)
}

/// The condition that the optional property has another case than the given one.
@_disfavoredOverload
public func != <Object: ManagedObject, V: RawRepresentable>(
  keyPath: KeyPath<Object, V?>, value: V?
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible {
  TypedPredicate(keyPath, .notEqual, value?.rawValue.value ?? .null)
}

/// The condition that the number of the property's case is less than that of the given case.
@_disfavoredOverload
public func < <Object: ManagedObject, V: RawRepresentable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible & FixedWidthInteger {
  TypedPredicate(keyPath, .less, value.rawValue.value)
}

/// The condition that the number of the optional property's case is less than that of the given case.
/// Nil satisfies no bound.
@_disfavoredOverload
public func < <Object: ManagedObject, V: RawRepresentable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible & FixedWidthInteger {
  TypedPredicate(keyPath, .less, value.rawValue.value)
}

/// The condition that the number of the property's case is at most that of the given case.
@_disfavoredOverload
public func <= <Object: ManagedObject, V: RawRepresentable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible & FixedWidthInteger {
  TypedPredicate(keyPath, .lessOrEqual, value.rawValue.value)
}

/// The condition that the number of the optional property's case is at most that of the given case.
/// Nil satisfies no bound.
@_disfavoredOverload
public func <= <Object: ManagedObject, V: RawRepresentable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible & FixedWidthInteger {
  TypedPredicate(keyPath, .lessOrEqual, value.rawValue.value)
}

/// The condition that the number of the property's case is greater than that of the given case.
@_disfavoredOverload
public func > <Object: ManagedObject, V: RawRepresentable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible & FixedWidthInteger {
  TypedPredicate(keyPath, .greater, value.rawValue.value)
}

/// The condition that the number of the optional property's case is greater than that of the given case.
/// Nil satisfies no bound.
@_disfavoredOverload
public func > <Object: ManagedObject, V: RawRepresentable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible & FixedWidthInteger {
  TypedPredicate(keyPath, .greater, value.rawValue.value)
}

/// The condition that the number of the property's case is at least that of the given case.
@_disfavoredOverload
public func >= <Object: ManagedObject, V: RawRepresentable>(
  keyPath: KeyPath<Object, V>, value: V
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible & FixedWidthInteger {
  TypedPredicate(keyPath, .greaterOrEqual, value.rawValue.value)
}

/// The condition that the number of the optional property's case is at least that of the given case.
/// Nil satisfies no bound.
@_disfavoredOverload
public func >= <Object: ManagedObject, V: RawRepresentable>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible & FixedWidthInteger {
  TypedPredicate(keyPath, .greaterOrEqual, value.rawValue.value)
}

/// The condition that the property has one of the cases: `\.state ~= [.open, .closed]`.
@_disfavoredOverload
public func ~= <Object: ManagedObject, V: RawRepresentable>(
  keyPath: KeyPath<Object, V>, values: [V]
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible {
  TypedPredicate(keyPath, .isIn, .list(values.map(\.rawValue.value)))
}

/// The condition that the optional property has one of the cases.
@_disfavoredOverload
public func ~= <Object: ManagedObject, V: RawRepresentable>(
  keyPath: KeyPath<Object, V?>, values: [V]
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible {
  TypedPredicate(keyPath, .isIn, .list(values.map(\.rawValue.value)))
}

// MARK: - Enums that are values themselves

// Both kinds of functions fit an optional property with such an enum. These fit better than either.

/// The condition that the value of an optional property is less than the given one. Nil satisfies no bound.
@_disfavoredOverload
public func < <Object: ManagedObject, V: RawRepresentable & Comparable & ValueConvertible>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible & FixedWidthInteger {
  TypedPredicate(keyPath, .less, value.value)
}

/// The condition that the value of an optional property is at most the given one. Nil satisfies no bound.
@_disfavoredOverload
public func <= <Object: ManagedObject, V: RawRepresentable & Comparable & ValueConvertible>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible & FixedWidthInteger {
  TypedPredicate(keyPath, .lessOrEqual, value.value)
}

/// The condition that the value of an optional property is greater than the given one. Nil satisfies no bound.
@_disfavoredOverload
public func > <Object: ManagedObject, V: RawRepresentable & Comparable & ValueConvertible>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible & FixedWidthInteger {
  TypedPredicate(keyPath, .greater, value.value)
}

/// The condition that the value of an optional property is at least the given one. Nil satisfies no bound.
@_disfavoredOverload
public func >= <Object: ManagedObject, V: RawRepresentable & Comparable & ValueConvertible>(
  keyPath: KeyPath<Object, V?>, value: V
) -> TypedPredicate<Object> where V.RawValue: ValueConvertible & FixedWidthInteger {
  TypedPredicate(keyPath, .greaterOrEqual, value.value)
}
