// SPDX-License-Identifier: MIT
import SporadesModel

/// The objects that a batch changes or deletes.
enum BatchRows<Object: ManagedObject>: Sendable {
  case typed(TypedRequest<Object>)
  case untyped(FetchRequest)
  case ids([ManagedObjectID])

  /// The request for the objects; nil for an empty list of ids.
  func fetchRequest(in context: ManagedObjectContext) throws -> FetchRequest? {
    switch self {
    case .typed(let request): return try request.fetchRequest(in: context)
    case .untyped(let request): return request
    case .ids(let ids): return try Self.request(for: ids, in: context)
    }
  }

  private static func request(
    for ids: [ManagedObjectID], in context: ManagedObjectContext
  ) throws -> FetchRequest? {
    guard let first = ids.first else { return nil }
    if let foreign = ids.first(where: { $0.scope != context.stack.scope }) {
      throw ContextError.foreignObject(foreign)
    }
    let permanent = ids.map { context.permanentID(of: $0) }
    if let temporary = permanent.first(where: \.isTemporaryID) {
      throw ContextError.objectNotFound(temporary)
    }
    func root(_ id: ManagedObjectID) -> Int {
      context.model.shape(numbered: id.key.entity).rootNumber
    }
    guard let other = permanent.first(where: { root($0) != root(permanent[0]) }) else {
      let entity = context.model.shape(numbered: root(permanent[0]))
      return FetchRequest(
        entity.name,
        where: .comparison(
          .init(.subject, .isIn, .constant(.list(permanent.map { .objectID($0) })))))
    }
    throw ContextError.unsupportedRequest(
      "A batch has the ids \(first) and \(other), whose entities have no superentity in common. Use one batch for each "
        + "of them.")
  }
}
