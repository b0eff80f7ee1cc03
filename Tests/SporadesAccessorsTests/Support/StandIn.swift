// SPDX-License-Identifier: MIT

/// A module CoreData with the functions that accessors call, and no store behind them.
enum StandIn {
  static let text = """
    @_exported public import Foundation
    public import Dispatch
    open class NSManagedObject: NSObject {
      public var box: [String: Any] = [:]
      public convenience init(context: NSManagedObjectContext) { self.init() }
      public func _getManaged<V>(_ key: String) -> V { box[key] as! V }
      public func _getManagedOptional<V>(_ key: String) -> V? { box[key] as? V }
      public func _setManaged<V>(_ key: String, _ value: V) { box[key] = value }
      public func _setManagedOptional<V>(_ key: String, _ value: V?) { box[key] = value }
      public func _getManaged<V: RawRepresentable>(_ key: String) -> V { V(rawValue: box[key] as! V.RawValue)! }
      public func _setManaged<V: RawRepresentable>(_ key: String, _ value: V) { box[key] = value.rawValue }
      public func _getPrimitiveOptional<V>(_ key: String) -> V? { box[key] as? V }
      public func _setPrimitiveOptional<V>(_ key: String, _ value: V?) { box[key] = value }
      public func _addManaged(_ key: String, _ value: NSManagedObject) { print("add", key, type(of: value)) }
      public func _addManaged(_ key: String, _ value: NSSet) { print("add", key, value.count) }
      public func _addManaged<T>(_ key: String, _ value: Set<T>) { print("add", key, value.count) }
      public func _addManaged(_ key: String, _ value: NSOrderedSet) { print("add", key, value.count) }
      public func _removeManaged(_ key: String, _ value: NSManagedObject) { print("remove", key, type(of: value)) }
      public func _removeManaged(_ key: String, _ value: NSSet) { print("remove", key, value.count) }
      public func _removeManaged(_ key: String, _ value: NSOrderedSet) { print("remove", key, value.count) }
      public func _removeManaged<T>(_ key: String, _ value: Set<T>) { print("remove", key, value.count) }
      public func _insertManaged(_ key: String, _ value: NSManagedObject, at: Int) { print("insert", key, at) }
      public func _insertManaged<T: NSManagedObject>(_ key: String, _ value: [T], at: NSIndexSet) { print("insert", key, at.count) }
      public func _removeManaged(_ key: String, at: Int) { print("remove", key, at) }
      public func _removeManaged(_ key: String, at: NSIndexSet) { print("remove", key, at.count) }
      public func _replaceManaged(_ key: String, at: Int, with: NSManagedObject) { print("replace", key, at) }
      public func _replaceManaged<T: NSManagedObject>(_ key: String, at: NSIndexSet, with: [T]) { print("replace", key, at.count) }
    }
    public final class NSManagedObjectContext: NSObject {}
    open class KeyPathTable { open class var names: [AnyKeyPath: String] { [:] } }
    public final class NSFetchRequest<Result>: NSObject {
      public let entityName: String
      public init(entityName: String) { self.entityName = entityName }
    }
    """
}
