// SPDX-License-Identifier: MIT
import SporadesModel

/// Inserts many objects:
///
/// ```swift
/// let batch = BatchInsertRequest(User.self, from: names) { user, name in user.name = name }
/// try context.execute(batch)
/// ```
///
/// The object of the closure belongs to the batch. Set its attributes, and its relationships to objects of the context
/// that executes the batch, or by ids: `line.setValue(id, forKey: "order")`.
public struct BatchInsertRequest<Object: ManagedObject> {
  /// The decision about an object whose unique values an object in the store has.
  public enum UniqueConflict: Sendable {
    /// The batch fails and inserts nothing.
    case fail
    /// The new object is left out.
    case skip
    /// The object in the store takes the values of the new one.
    case update
  }

  /// The name of the entity; nil for that of the class.
  let entityName: String?
  /// Fills the next object. Returns false if there is none.
  let fill: (Object) throws -> Bool
  /// The decision about unique values that are taken.
  private(set) var onUniqueConflict = UniqueConflict.fail
  /// Whether the batch goes on where classes override methods that an insertion of objects would call. If
  /// false, it is refused.
  private(set) var skipsHooks = false

  /// Inserts one object after the other until the closure returns true. The object of that last call is not
  /// inserted.
  public init(_ type: Object.Type, fill: @escaping (Object) throws -> Bool) {
    entityName = nil
    self.fill = { try !fill($0) }
  }

  /// Inserts an object for each element.
  public init<Elements: Sequence>(
    _ type: Object.Type, from elements: Elements,
    fill: @escaping (Object, Elements.Element) throws -> Void
  ) {
    entityName = nil
    self.fill = Self.next(of: elements, fill)
  }

  /// Inserts an object for each dictionary of values by the names of attributes. Members of a composite have paths:
  /// `"address.street"`.
  public init(_ type: Object.Type, objects: [[String: Any?]]) {
    entityName = nil
    fill = Self.next(of: objects.enumerated()) { try $0.setValues($1.element, row: $1.offset + 1) }
  }

  /// Inserts an object of the named entity for each dictionary of values by the names of attributes.
  public init(entityName: String, objects: [[String: Any?]]) where Object == ManagedObject {
    self.entityName = entityName
    fill = Self.next(of: objects.enumerated()) { try $0.setValues($1.element, row: $1.offset + 1) }
  }

  /// Inserts one object of the named entity after the other, until the closure returns false. The object of that last call is
  /// not inserted.
  package init(
    entityName: String, filling fill: @escaping (ManagedObject) throws -> Bool
  ) where Object == ManagedObject {
    self.entityName = entityName
    self.fill = fill
  }

  private static func next<Elements: Sequence>(
    of elements: Elements, _ fill: @escaping (Object, Elements.Element) throws -> Void
  ) -> (Object) throws -> Bool {
    var iterator = elements.makeIterator()
    return { object in
      guard let element = iterator.next() else { return false }
      try fill(object, element)
      return true
    }
  }

  /// The same batch with a decision about unique values that are taken.
  public func onUniqueConflict(_ decision: UniqueConflict) -> Self {
    var copy = self
    copy.onUniqueConflict = decision
    return copy
  }

  /// The same batch, which goes on where classes override methods that an insertion of objects would call.
  public func skippingHooks() -> Self {
    var copy = self
    copy.skipsHooks = true
    return copy
  }
}
