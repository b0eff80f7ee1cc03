// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGraph
import SporadesModel

/// The items of some objects, out of one state of the store.
struct ReadItems: Sendable {
  var items: [IndexItem] = []
  /// The identifiers of the objects that have no item.
  var removals: [String] = []
}

/// Makes items of objects in a context of a read.
struct ItemReader {
  let context: ManagedObjectContext
  let plan: IndexPlan
  let hooks: any IndexHooks
  let edition: Int64

  /// Reads the objects with the ids. Those that are gone become removals.
  func read(_ ids: [ManagedObjectID]) throws -> ReadItems {
    var read = ReadItems()
    var missing = Set(ids)
    for (entity, ids) in Dictionary(grouping: ids, by: \.key.entity).sorted(by: { $0.key < $1.key })
    {
      let shape = context.model.shape(numbered: entity)
      var request = FetchRequest(
        shape.name,
        where: .comparison(
          FetchPredicate.Comparison(.subject, .isIn, .constant(.list(ids.map { .objectID($0) })))))
      request.includesSubentities = false
      request.relationshipKeyPathsForPrefetching = plan.prefetching(for: shape, context.model)
      for object in try context.fetch(request) {
        missing.remove(object.objectID)
        try add(object, to: &read)
      }
    }
    read.removals += ids.filter(missing.contains).map(\.indexIdentifier)
    return read
  }

  /// Reads the objects of an entity behind one of them, in the order of their keys. Returns the last key; nil if no object
  /// follows.
  func page(
    of entity: EntityShape, after last: ManagedObjectID?, _ count: Int
  ) throws -> (read: ReadItems, last: Int64?) {
    var request = FetchRequest(entity.name, sortedBy: [SortTerm(.subject)], limit: count)
    request.relationshipKeyPathsForPrefetching = plan.prefetching(for: entity, context.model)
    if let last {
      request.predicate = .comparison(
        FetchPredicate.Comparison(.subject, .greater, .constant(.objectID(last))))
    }
    var read = ReadItems()
    let objects = try context.fetch(request)
    for object in objects { try add(object, to: &read) }
    return (read, objects.count < count ? nil : objects.last?.objectID.key.primaryKey)
  }

  private func add(_ object: ManagedObject, to read: inout ReadItems) throws {
    let identifier = object.objectID.indexIdentifier
    guard let attributes = try hooks.attributes(for: object) else {
      return read.removals.append(identifier)
    }
    read.items.append(
      IndexItem(
        identifier: identifier, entityName: object.objectID.entityName,
        domainIdentifier: try hooks.domainIdentifier(for: object), edition: edition,
        attributes: attributes))
  }
}

extension ManagedObjectID {
  /// The name of the object's item.
  var indexIdentifier: String { uriRepresentation().absoluteString }
}
