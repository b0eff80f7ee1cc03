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

  /// The id as a URI: `x-coredata://STORE/Entity/p12`. While the id is temporary, the URI names no
  /// store: `x-coredata:///Entity/tUUID`.
  public func uriRepresentation() -> URL {
    let text =
      isTemporaryID
      ? "x-coredata:///\(entityName)/t\(temporaryUUID.uuidString)"
      : "x-coredata://\(storeIdentifier)/\(entityName)/p\(key.primaryKey)"
    guard let url = URL(string: text) else {
      trap("An entity is named \(entityName), which no URI can hold; rename it.")
    }
    return url
  }

  /// The UUID of a temporary key: the process's own, with the key in its last bytes.
  private var temporaryUUID: UUID {
    var bytes = Self.processUUID.uuid
    let number = UInt64(bitPattern: -key.primaryKey)
    bytes.11 = UInt8(truncatingIfNeeded: number >> 32)
    bytes.12 = UInt8(truncatingIfNeeded: number >> 24)
    bytes.13 = UInt8(truncatingIfNeeded: number >> 16)
    bytes.14 = UInt8(truncatingIfNeeded: number >> 8)
    bytes.15 = UInt8(truncatingIfNeeded: number)
    return UUID(uuid: bytes)
  }

  private static let processUUID = UUID()
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
