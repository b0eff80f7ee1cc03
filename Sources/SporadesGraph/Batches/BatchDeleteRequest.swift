// SPDX-License-Identifier: MIT
public import SporadesModel

/// Deletes objects without loading them:
///
/// ```swift
/// try context.execute(User.where(\.state == .closed).delete())
/// ```
///
/// The delete rules of the model are carried out.
public struct BatchDeleteRequest<Object: ManagedObject>: Sendable {
  let rows: BatchRows<Object>
  /// Whether the batch goes on where classes override methods that a deletion of objects would call. If false,
  /// it is refused.
  private(set) var skipsHooks = false

  /// Deletes the objects of a request.
  public init(_ request: TypedRequest<Object>) { rows = .typed(request) }

  /// Deletes the objects with the ids.
  public init(objectIDs: [ManagedObjectID]) where Object == ManagedObject { rows = .ids(objectIDs) }

  /// Deletes the objects of a request.
  public init(fetchRequest: FetchRequest) where Object == ManagedObject {
    rows = .untyped(fetchRequest)
  }

  /// The same batch, which goes on where classes override methods that a deletion of objects would call.
  public func skippingHooks() -> Self {
    var copy = self
    copy.skipsHooks = true
    return copy
  }
}

extension TypedRequest {
  /// The batch that deletes the objects without loading them. A context or a service executes it.
  public func delete() -> BatchDeleteRequest<Object> { BatchDeleteRequest(self) }
}
