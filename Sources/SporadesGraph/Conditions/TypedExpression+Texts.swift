// SPDX-License-Identifier: MIT
import SporadesModel

// Parts of texts, and texts put together. They count characters. Where a text is missing, so is the result.
extension TypedOperand where Operand: TextAttribute {
  private func apply(
    _ function: FetchFunction, _ others: FetchExpression...
  ) -> TypedExpression<Object, String> {
    TypedExpression(.function(function, [operandExpression] + others))
  }

  /// The first characters of the text, at most as many.
  public func prefix(_ count: Int) -> TypedExpression<Object, String> {
    apply(.prefix, .constant(.integer(Int64(count))))
  }

  /// The last characters of the text, at most as many.
  public func suffix(_ count: Int) -> TypedExpression<Object, String> {
    apply(.suffix, .constant(.integer(Int64(count))))
  }

  /// The characters from a place on, which counts from 0, at most as many.
  public func substring(from start: Int, count: Int = .max) -> TypedExpression<Object, String> {
    apply(
      .substring, .constant(.integer(Int64(start))), .constant(.integer(Int64(count))))
  }

  /// The text with another text wherever it has the first.
  public func replacing(_ text: String, with other: String) -> TypedExpression<Object, String> {
    apply(.replace, .constant(.string(text)), .constant(.string(other)))
  }

  /// The text, and another text behind it.
  public func appending(_ text: String) -> TypedExpression<Object, String> {
    apply(.concat, .constant(.string(text)))
  }

  /// The text, and the text of another property or expression behind it.
  public func appending(
    _ other: some TypedOperand<Object, some TextAttribute>
  ) -> TypedExpression<Object, String> { apply(.concat, other.operandExpression) }
}

/// A property, and a text behind it.
@_disfavoredOverload
public func + <Object: ManagedObject, Text: TextAttribute>(
  left: KeyPath<Object, Text>, right: String
) -> TypedExpression<Object, String> { left.appending(right) }

/// A text, and a property behind it.
@_disfavoredOverload
public func + <Object: ManagedObject, Text: TextAttribute>(
  left: String, right: KeyPath<Object, Text>
) -> TypedExpression<Object, String> {
  TypedExpression(.function(.concat, [.constant(.string(left)), FetchExpression(of: right)]))
}

/// A property, and another property behind it.
@_disfavoredOverload
public func + <Object: ManagedObject, Left: TextAttribute, Right: TextAttribute>(
  left: KeyPath<Object, Left>, right: KeyPath<Object, Right>
) -> TypedExpression<Object, String> { left.appending(right) }

/// A computed text, and a text behind it.
@_disfavoredOverload
public func + <Object: ManagedObject>(
  left: TypedExpression<Object, String>, right: String
) -> TypedExpression<Object, String> { left.appending(right) }

/// A computed text, and a property behind it.
@_disfavoredOverload
public func + <Object: ManagedObject, Text: TextAttribute>(
  left: TypedExpression<Object, String>, right: KeyPath<Object, Text>
) -> TypedExpression<Object, String> { left.appending(right) }

/// A computed text, and another one behind it.
@_disfavoredOverload
public func + <Object: ManagedObject>(
  left: TypedExpression<Object, String>, right: TypedExpression<Object, String>
) -> TypedExpression<Object, String> { left.appending(right) }
