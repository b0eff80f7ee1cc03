// SPDX-License-Identifier: MIT
public import FoundationEssentials

/// Names one object, in whatever context it is.
///
/// An id is a value: send it between contexts and tasks, log it, keep it in a set. To get the
/// object back, ask a context for it. Ids are temporary until the object's first save, and
/// permanent from then on.
@frozen
public struct ManagedObjectID: Hashable, Sendable {
  public let key: RowKey
  public let scope: StoreScope

  @inlinable
  public init(key: RowKey, scope: StoreScope) {
    self.key = key
    self.scope = scope
  }

  public var isTemporaryID: Bool { key.isTemporary }
  public var entityName: String { scope.entityName(key.entity) }

  /// The identifier of the object's store. An object that was never saved has none yet: that of the
  /// context's store or coordinator stands for it.
  public var storeIdentifier: String {
    isTemporaryID ? scope.identifier : scope.identifier(ofStore: key.store)
  }

  /// `x-coredata://STORE/Entity/p12`, or `…/t12` while the id is temporary.
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
