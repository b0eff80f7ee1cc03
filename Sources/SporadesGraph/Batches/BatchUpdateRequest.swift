// SPDX-License-Identifier: MIT
public import SporadesModel

/// Sets attributes, and relationships to one object, of objects that the context does not load:
///
/// ```swift
/// let batch = Product.where(\.isOld).update(\.price, to: \.price * 0.9).update(\.label, to: "sale")
/// try context.execute(batch)
/// ```
///
/// All expressions read the objects as they were before the batch.
public struct BatchUpdateRequest<Object: ManagedObject>: Sendable {
  let rows: BatchRows<Object>
  private(set) var values: [NewValue] = []
  /// The first mistake in the words.
  private(set) var mistake: FetchPredicateError?
  /// Whether the batch goes on where classes override methods that a change of objects would call. If false, it
  /// is refused.
  private(set) var skipsHooks = false

  /// A property and the expression of its new value.
  struct NewValue: Sendable {
    let path: [String]
    let expression: FetchExpression
  }

  /// Changes the objects of a request. `update(_:to:)` names the new values.
  public init(_ request: TypedRequest<Object>) { rows = .typed(request) }

  /// Changes the objects of a request. Each value is a value of Swift or a `FetchExpression`, by the name of its
  /// attribute; for a relationship to one object it is the object or its id.
  public init(
    fetchRequest: FetchRequest, propertiesToUpdate: [String: Any?]
  ) where Object == ManagedObject {
    rows = .untyped(fetchRequest)
    for (name, value) in propertiesToUpdate.inOrder {
      add(name.propertyNames, Self.expression(of: value, for: name))
    }
  }

  /// The same batch, which goes on where classes override methods that a change of objects would call.
  public func skippingHooks() -> Self {
    var copy = self
    copy.skipsHooks = true
    return copy
  }

  private mutating func add(_ path: [String], _ expression: FetchExpression) {
    values.removeAll { $0.path == path }
    values.append(NewValue(path: path, expression: expression))
  }

  func setting(_ keyPath: PartialKeyPath<Object>, _ expression: FetchExpression) -> Self {
    var copy = self
    do throws(FetchPredicateError) {
      copy.add(try KeyPathNames.names(of: keyPath), expression)
    } catch {
      copy.mistake = copy.mistake ?? error
    }
    return copy
  }

  private static func expression(of value: Any?, for name: String) -> FetchExpression {
    if let expression = value as? FetchExpression { return expression }
    if let value = Value(converting: value) { return .constant(value) }
    let type = value.map { "\(Swift.type(of: $0))" } ?? "nil"
    return .refused(
      FetchPredicateError(
        .wrongOperands,
        "\(name) is set to a value of type \(type), which no attribute holds. Set a value of the attribute's type, "
          + "nil, or a FetchExpression."))
  }
}

// MARK: - New values

extension BatchUpdateRequest {
  /// Sets the attribute to a value, or the relationship to a saved object or to nil.
  public func update<V: ValueConvertible>(_ keyPath: KeyPath<Object, V>, to value: V) -> Self {
    setting(keyPath, .constant(value.value))
  }

  /// Sets the attribute to a case of its enum.
  @_disfavoredOverload
  public func update<V: RawRepresentable>(_ keyPath: KeyPath<Object, V>, to value: V) -> Self
  where V.RawValue: ValueConvertible {
    setting(keyPath, .constant(value.rawValue.value))
  }

  /// Sets the optional attribute to a case of its enum, or to nil.
  @_disfavoredOverload
  public func update<V: RawRepresentable>(_ keyPath: KeyPath<Object, V?>, to value: V?) -> Self
  where V.RawValue: ValueConvertible {
    setting(keyPath, .constant(value?.rawValue.value ?? .null))
  }

  /// Sets the attribute to the result of an expression: `update(\.price, to: \.price * 1.1)`.
  public func update<V>(
    _ keyPath: KeyPath<Object, V>, to expression: TypedExpression<Object, V>
  ) -> Self { setting(keyPath, expression.expression) }

  /// Sets the optional attribute to the result of an expression.
  @_disfavoredOverload
  public func update<V>(
    _ keyPath: KeyPath<Object, V?>, to expression: TypedExpression<Object, V>
  ) -> Self { setting(keyPath, expression.expression) }

  /// Sets the attribute to the value of another attribute.
  @_disfavoredOverload
  public func update<V>(_ keyPath: KeyPath<Object, V>, to other: KeyPath<Object, V>) -> Self {
    setting(keyPath, FetchExpression(of: other))
  }
}

extension TypedRequest {
  /// The batch that sets an attribute, or a relationship to one object, of the objects without loading them. A context or a service executes it.
  public func update<V: ValueConvertible>(
    _ keyPath: KeyPath<Object, V>, to value: V
  ) -> BatchUpdateRequest<Object> { BatchUpdateRequest(self).update(keyPath, to: value) }

  /// The batch that sets an attribute to a case of its enum.
  @_disfavoredOverload
  public func update<V: RawRepresentable>(
    _ keyPath: KeyPath<Object, V>, to value: V
  ) -> BatchUpdateRequest<Object> where V.RawValue: ValueConvertible {
    BatchUpdateRequest(self).update(keyPath, to: value)
  }

  /// The batch that sets an optional attribute to a case of its enum, or to nil.
  @_disfavoredOverload
  public func update<V: RawRepresentable>(
    _ keyPath: KeyPath<Object, V?>, to value: V?
  ) -> BatchUpdateRequest<Object> where V.RawValue: ValueConvertible {
    BatchUpdateRequest(self).update(keyPath, to: value)
  }

  /// The batch that sets an attribute to the result of an expression: `update(\.price, to: \.price * 1.1)`.
  public func update<V>(
    _ keyPath: KeyPath<Object, V>, to expression: TypedExpression<Object, V>
  ) -> BatchUpdateRequest<Object> { BatchUpdateRequest(self).update(keyPath, to: expression) }

  /// The batch that sets an optional attribute to the result of an expression.
  @_disfavoredOverload
  public func update<V>(
    _ keyPath: KeyPath<Object, V?>, to expression: TypedExpression<Object, V>
  ) -> BatchUpdateRequest<Object> { BatchUpdateRequest(self).update(keyPath, to: expression) }

  /// The batch that sets an attribute to the value of another one.
  @_disfavoredOverload
  public func update<V>(
    _ keyPath: KeyPath<Object, V>, to other: KeyPath<Object, V>
  ) -> BatchUpdateRequest<Object> { BatchUpdateRequest(self).update(keyPath, to: other) }
}
