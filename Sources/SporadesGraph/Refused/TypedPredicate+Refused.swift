// SPDX-License-Identifier: MIT
public import SporadesModel

// Comparisons that no key path can say. The compiler chooses these functions only where no other fits, and reports
// one sentence in place of a list of candidates.

// MARK: - Two properties

/// Refuses a comparison of two properties.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "compare two properties in a format: FetchPredicate(format: \"age == limit\")"
)
public func == <Object: ManagedObject, V, W>(
  left: KeyPath<Object, V>, right: KeyPath<Object, W>
) -> TypedPredicate<Object> { trap(refusal) }

/// Refuses a comparison of two properties.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "compare two properties in a format: FetchPredicate(format: \"age != limit\")"
)
public func != <Object: ManagedObject, V, W>(
  left: KeyPath<Object, V>, right: KeyPath<Object, W>
) -> TypedPredicate<Object> { trap(refusal) }

/// Refuses a comparison of two properties.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "compare two properties in a format: FetchPredicate(format: \"age < limit\")"
)
public func < <Object: ManagedObject, V, W>(
  left: KeyPath<Object, V>, right: KeyPath<Object, W>
) -> TypedPredicate<Object> { trap(refusal) }

/// Refuses a comparison of two properties.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "compare two properties in a format: FetchPredicate(format: \"age <= limit\")"
)
public func <= <Object: ManagedObject, V, W>(
  left: KeyPath<Object, V>, right: KeyPath<Object, W>
) -> TypedPredicate<Object> { trap(refusal) }

/// Refuses a comparison of two properties.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "compare two properties in a format: FetchPredicate(format: \"age > limit\")"
)
public func > <Object: ManagedObject, V, W>(
  left: KeyPath<Object, V>, right: KeyPath<Object, W>
) -> TypedPredicate<Object> { trap(refusal) }

/// Refuses a comparison of two properties.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "compare two properties in a format: FetchPredicate(format: \"age >= limit\")"
)
public func >= <Object: ManagedObject, V, W>(
  left: KeyPath<Object, V>, right: KeyPath<Object, W>
) -> TypedPredicate<Object> { trap(refusal) }

// MARK: - A value on the left

/// Refuses a value on the left.
@_disfavoredOverload
@available(*, unavailable, message: "write the key path on the left: \\.age == 3")
public func == <Object: ManagedObject, V: ValueConvertible, W>(
  value: V, keyPath: KeyPath<Object, W>
) -> TypedPredicate<Object> { trap(refusal) }

/// Refuses a value on the left.
@_disfavoredOverload
@available(*, unavailable, message: "write the key path on the left: \\.age != 3")
public func != <Object: ManagedObject, V: ValueConvertible, W>(
  value: V, keyPath: KeyPath<Object, W>
) -> TypedPredicate<Object> { trap(refusal) }

/// Refuses a value on the left.
@_disfavoredOverload
@available(*, unavailable, message: "write the key path on the left: \\.age > 3")
public func < <Object: ManagedObject, V: ValueConvertible, W>(
  value: V, keyPath: KeyPath<Object, W>
) -> TypedPredicate<Object> { trap(refusal) }

/// Refuses a value on the left.
@_disfavoredOverload
@available(*, unavailable, message: "write the key path on the left: \\.age >= 3")
public func <= <Object: ManagedObject, V: ValueConvertible, W>(
  value: V, keyPath: KeyPath<Object, W>
) -> TypedPredicate<Object> { trap(refusal) }

/// Refuses a value on the left.
@_disfavoredOverload
@available(*, unavailable, message: "write the key path on the left: \\.age < 3")
public func > <Object: ManagedObject, V: ValueConvertible, W>(
  value: V, keyPath: KeyPath<Object, W>
) -> TypedPredicate<Object> { trap(refusal) }

/// Refuses a value on the left.
@_disfavoredOverload
@available(*, unavailable, message: "write the key path on the left: \\.age <= 3")
public func >= <Object: ManagedObject, V: ValueConvertible, W>(
  value: V, keyPath: KeyPath<Object, W>
) -> TypedPredicate<Object> { trap(refusal) }

// MARK: - The list in front of ~=

/// Refuses a list in front of its key path.
@available(*, unavailable, message: "write the key path on the left: \\.age ~= [3, 4]")
public func ~= <Object: ManagedObject, V: ValueConvertible>(
  values: [V], keyPath: KeyPath<Object, V>
) -> TypedPredicate<Object> { trap(refusal) }

/// Refuses a range in front of its key path.
@available(*, unavailable, message: "write the key path on the left: \\.age ~= 3...4")
public func ~= <Object: ManagedObject, V: ValueConvertible & Comparable>(
  range: ClosedRange<V>, keyPath: KeyPath<Object, V>
) -> TypedPredicate<Object> { trap(refusal) }

// MARK: - One value behind ~=

/// Refuses a pattern.
@available(
  *, unavailable,
  message:
    "~= takes a list or a range; write \\.name == \"A\", or (\\User.name).isLike(\"A*\") for a pattern"
)
public func ~= <Object: ManagedObject, V: TextAttribute>(
  keyPath: KeyPath<Object, V>, text: String
) -> TypedPredicate<Object> { trap(refusal) }

/// Refuses a single value.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "~= takes a list or a range, \\.age ~= [3, 4] or \\.age ~= 3...4; write \\.age == 3"
)
public func ~= <Object: ManagedObject, V, W: ValueConvertible>(
  keyPath: KeyPath<Object, V>, value: W
) -> TypedPredicate<Object> { trap(refusal) }

/// Refuses arithmetic with two properties of different types.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "the numbers differ in type; write (\\Book.pages).asDouble + \\.weight, or asDecimal"
)
public func + <Object: ManagedObject, V: NumberAttribute, W: NumberAttribute>(
  left: KeyPath<Object, V>, right: KeyPath<Object, W>
) -> TypedExpression<Object, Double> { trap(refusal) }

/// Refuses arithmetic with two properties of different types.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "the numbers differ in type; write (\\Book.pages).asDouble - \\.weight, or asDecimal"
)
public func - <Object: ManagedObject, V: NumberAttribute, W: NumberAttribute>(
  left: KeyPath<Object, V>, right: KeyPath<Object, W>
) -> TypedExpression<Object, Double> { trap(refusal) }

/// Refuses arithmetic with two properties of different types.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "the numbers differ in type; write (\\Book.pages).asDouble * \\.weight, or asDecimal"
)
public func * <Object: ManagedObject, V: NumberAttribute, W: NumberAttribute>(
  left: KeyPath<Object, V>, right: KeyPath<Object, W>
) -> TypedExpression<Object, Double> { trap(refusal) }

/// Refuses arithmetic with two properties of different types.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "the numbers differ in type; write (\\Book.pages).asDouble / \\.weight, or asDecimal"
)
public func / <Object: ManagedObject, V: NumberAttribute, W: NumberAttribute>(
  left: KeyPath<Object, V>, right: KeyPath<Object, W>
) -> TypedExpression<Object, Double> { trap(refusal) }

extension KeyPath where Root: ManagedObject {
  /// Refuses a search in an encoded array.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "the array is stored as an encoding, in which no store searches; store what is to be found in an attribute or an entity of its own, or fetch the objects and filter them"
  )
  public func contains<Element>(_ element: Element) -> TypedPredicate<Root>
  where Value == [Element] { trap(refusal) }

  /// Refuses a search in an encoded array.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "the array is stored as an encoding, in which no store searches; store what is to be found in an attribute or an entity of its own, or fetch the objects and filter them"
  )
  public func contains<Element>(_ element: Element) -> TypedPredicate<Root>
  where Value == [Element]? { trap(refusal) }
}
