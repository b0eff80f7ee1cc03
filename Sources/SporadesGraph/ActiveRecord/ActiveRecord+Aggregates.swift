// SPDX-License-Identifier: MIT
import SporadesModel

// One number over many objects, worked out by the store.
extension ActiveRecord {
  /// The least value of an attribute; nil where there is none.
  public static func min<V: AttributeConvertible>(
    _ keyPath: KeyPath<Self, V>, where predicate: TypedPredicate<Self>? = nil,
    in context: ManagedObjectContext
  ) throws -> V? { try aggregate(.min, keyPath, predicate, in: context).converted() }

  public static func min<V: AttributeConvertible>(
    _ keyPath: KeyPath<Self, V?>, where predicate: TypedPredicate<Self>? = nil,
    in context: ManagedObjectContext
  ) throws -> V? { try aggregate(.min, keyPath, predicate, in: context).converted() }

  /// The greatest value of an attribute; nil where there is none.
  public static func max<V: AttributeConvertible>(
    _ keyPath: KeyPath<Self, V>, where predicate: TypedPredicate<Self>? = nil,
    in context: ManagedObjectContext
  ) throws -> V? { try aggregate(.max, keyPath, predicate, in: context).converted() }

  public static func max<V: AttributeConvertible>(
    _ keyPath: KeyPath<Self, V?>, where predicate: TypedPredicate<Self>? = nil,
    in context: ManagedObjectContext
  ) throws -> V? { try aggregate(.max, keyPath, predicate, in: context).converted() }

  /// The sum of an attribute; zero where there is none.
  public static func sum<V: AttributeConvertible & Numeric>(
    _ keyPath: KeyPath<Self, V>, where predicate: TypedPredicate<Self>? = nil,
    in context: ManagedObjectContext
  ) throws -> V { try aggregate(.sum, keyPath, predicate, in: context).converted() ?? .zero }

  public static func sum<V: AttributeConvertible & Numeric>(
    _ keyPath: KeyPath<Self, V?>, where predicate: TypedPredicate<Self>? = nil,
    in context: ManagedObjectContext
  ) throws -> V { try aggregate(.sum, keyPath, predicate, in: context).converted() ?? .zero }

  /// The mean value of an attribute; nil where there is none.
  public static func average<V: AttributeConvertible & Numeric>(
    _ keyPath: KeyPath<Self, V>, where predicate: TypedPredicate<Self>? = nil,
    in context: ManagedObjectContext
  ) throws -> Double? { try aggregate(.average, keyPath, predicate, in: context).double }

  public static func average<V: AttributeConvertible & Numeric>(
    _ keyPath: KeyPath<Self, V?>, where predicate: TypedPredicate<Self>? = nil,
    in context: ManagedObjectContext
  ) throws -> Double? { try aggregate(.average, keyPath, predicate, in: context).double }

  private static func aggregate(
    _ function: AggregateFunction, _ keyPath: PartialKeyPath<Self>,
    _ predicate: TypedPredicate<Self>?, in context: ManagedObjectContext
  ) throws -> Value {
    try context.aggregate(
      function, of: KeyPathProbe.names(of: keyPath).joined(separator: "."),
      request(predicate?.predicate, in: context))
  }
}

extension Value {
  /// The value as the Swift type of an attribute; nil where it is null or of another type.
  func converted<V: AttributeConvertible>() -> V? {
    guard let cell = Cell(self, as: V.attributeType) else { return nil }
    return cell.load()
  }
}
