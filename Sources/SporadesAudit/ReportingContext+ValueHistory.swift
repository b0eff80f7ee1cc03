// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesModel

extension ReportingContext {
  /// The changes of an object's attribute, the oldest first, with the values before and after each.
  public func valueHistory<Object: ManagedObject, Content: AttributeConvertible & Sendable>(
    of object: Object, _ keyPath: KeyPath<Object, Content>
  ) throws -> [ValueChange<Content>] { try managedObjectContext.valueHistory(of: object, keyPath) }

  /// The changes of an object's optional attribute, the oldest first, with the values before and after each.
  public func valueHistory<Object: ManagedObject, Content: AttributeConvertible & Sendable>(
    of object: Object, _ keyPath: KeyPath<Object, Content?>
  ) throws -> [ValueChange<Content>] { try managedObjectContext.valueHistory(of: object, keyPath) }

  /// The changes of the attribute with a name, of an object that may be deleted.
  public func valueHistory(
    of id: ManagedObjectID, _ name: String
  ) throws -> [ValueChange<Value>] { try managedObjectContext.valueHistory(of: id, name) }
}
