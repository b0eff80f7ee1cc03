// SPDX-License-Identifier: MIT
public import FoundationEssentials

/// Names one object, the same in every context.
///
/// An id is a value: send it between contexts and tasks, log it, keep it in a set. To get the
/// object back, ask a context for it. An id is temporary until the first save of its object, and
/// permanent from then on.
@frozen
public struct ManagedObjectID: Hashable, Sendable {
  /// The key of the object's row within its stack.
  public let key: RowKey
  /// The store or coordinator that the key belongs to.
  public let scope: StoreScope

  /// Names the object whose row has the key.
  @inlinable
  public init(key: RowKey, scope: StoreScope) {
    self.key = key
    self.scope = scope
  }

  /// No save of the object has succeeded yet.
  public var isTemporaryID: Bool { key.isTemporary }
  /// The name of the object's entity.
  public var entityName: String { scope.entityName(key.entity) }

  /// The identifier of the object's store; for a temporary id, the identifier of the context's store
  /// or coordinator.
  public var storeIdentifier: String {
    isTemporaryID ? scope.identifier : scope.identifier(ofStore: key.store)
  }

  /// The id as a URI: `x-coredata://STORE/Entity/p12`, or `…/t12` while the id is temporary.
  public func uriRepresentation() -> URL {
    let letter = isTemporaryID ? "t" : "p"
    let text =
      "x-coredata://\(storeIdentifier)/\(entityName)/\(letter)\(abs(key.primaryKey))"
    guard let url = URL(string: text) else {
      preconditionFailure("An entity is named \(entityName), which no URI can hold; rename it.")
    }
    return url
  }
}

extension ManagedObjectID: CustomStringConvertible {
  public var description: String {
    "\(entityName)/\(isTemporaryID ? "t" : "p")\(abs(key.primaryKey))"
  }
}

extension ManagedObjectID: Comparable {
  public static func < (left: ManagedObjectID, right: ManagedObjectID) -> Bool {
    (left.scope.number, left.key) < (right.scope.number, right.key)
  }
}
