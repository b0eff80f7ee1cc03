// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesChain
import SporadesModel
import SporadesStore

/// Objects of a context that have the same unique values as each other or as a stored row.
struct Rivals {
  let properties: [String]
  let shape: EntityShape
  /// The changed objects, in the order of their first change.
  var objects: [ManagedObject]
  var stored: RowPlace?

  func conflict(scope: StoreScope, readingFiles: Bool) -> ConstraintConflict {
    let snapshots = objects.map {
      $0.place?.snapshot($0.home.shape, for: $0, readingFiles: readingFiles) ?? [:]
    }
    return ConstraintConflict(
      constraint: properties,
      constraintValues: objects.first.flatMap {
        $0.place?.snapshot($0.home.shape, for: $0, only: properties)
      } ?? [:],
      databaseObjectID: stored.map { ManagedObjectID(key: $0.key, scope: scope) },
      databaseSnapshot: objects.first.flatMap {
        stored?.snapshot(shape, for: $0, readingFiles: readingFiles)
      },
      conflictingObjectIDs: objects.map(\.objectID), conflictingSnapshots: snapshots)
  }
}

// The search for objects with the same unique values.
extension ManagedObjectContext {
  /// The most objects whose stored rivals one fetch looks for.
  private static var rowsPerFetch: Int { 200 }

  func rivals(_ entity: String, _ properties: [String]) throws -> [Rivals] {
    // Without properties, the file's own rule or trigger refused the row.
    guard !properties.isEmpty, let shape = model.shape(named: entity) else { return [] }
    var order: [[Value]] = []
    var groups: [[Value]: Rivals] = [:]
    for object in changes.listed
    where object.isRowChanged && !object.isDeleted
      && shape.family.contains(object.home.shape.number)
    {
      guard let place = object.place, let values = try uniqueValues(properties, of: place, shape)
      else {
        continue
      }
      if groups[values] == nil { order.append(values) }
      groups[values, default: Rivals(properties: properties, shape: shape, objects: [])]
        .objects.append(object)
    }
    for start in stride(from: 0, to: order.count, by: Self.rowsPerFetch) {
      let part = order[start..<min(order.count, start + Self.rowsPerFetch)]
      for row in try stored(shape, properties, part.compactMap { groups[$0]?.objects.first }) {
        guard let values = try uniqueValues(properties, of: row, shape),
          try isStillThere(row, values, properties)
        else { continue }
        groups[values]?.stored = row
      }
    }
    return order.compactMap { groups[$0] }.compactMap { rivals in
      var rivals = rivals
      // because a changed object finds its own stored row
      if let key = rivals.stored?.key, rivals.objects.contains(where: { $0.key == key }) {
        rivals.stored = nil
      }
      return rivals.objects.count > 1 || rivals.stored != nil ? rivals : nil
    }
  }

  /// Whether the stored row keeps its values after this save.
  private func isStillThere(_ row: RowPlace, _ values: [Value], _ properties: [String]) throws
    -> Bool
  {
    guard let object = registered(row.key), object.isRowChanged else { return true }
    guard !object.isDeleted, let place = object.place else { return false }
    return try uniqueValues(properties, of: place, object.home.shape) == values
  }

  /// The stored rows with the same values as the objects.
  private func stored(
    _ shape: EntityShape, _ properties: [String], _ objects: [ManagedObject]
  ) throws -> [RowPlace] {
    let snapshots = objects.compactMap {
      $0.place?.snapshot($0.home.shape, for: $0, only: properties)
    }
    let predicate: FetchPredicate
    if properties.count == 1 {
      // because an index serves a list better than alternatives
      let values = snapshots.map { FetchExpression.constant($0[properties[0]] ?? .null) }
      predicate = .comparison(.init(.keyPath([properties[0]]), .isIn, .list(values)))
    } else {
      predicate = .or(
        snapshots.map { values in
          .and(properties.map { FetchPredicate.equals($0, values[$0] ?? .null) })
        })
    }
    return try source.rows(StoreFetch(shape, where: predicate)).flatMap { page in
      (0..<page.count).map { RowPlace(page: page, index: $0) }
    }
  }

  /// A row's values of the properties; nil if one of them is null. Texts are compared as bytes,
  /// because equal Swift strings may be different texts.
  private func uniqueValues(
    _ properties: [String], of row: RowPlace, _ shape: EntityShape
  ) throws(StoreError) -> [Value]? {
    // Rows of different stores may have the same values.
    var values: [Value] = [.integer(Int64(row.key.store))]
    for name in properties {
      let value: Value
      switch shape[name] {
      case .attribute(let attribute)?: value = try row.page.storedValue(row.index, of: attribute)
      case .relationship(let relationship)?:
        guard case .reference(let slot, _) = relationship.storage, let key = row.reference(slot)
        else { return nil }
        value = .integer(key.primaryKey)
      default: return nil
      }
      switch value {
      case .null: return nil
      case .string(let text): values.append(.list(text.utf8.map { .integer(Int64($0)) }))
      case .url(let url):
        values.append(.list(url.absoluteString.utf8.map { .integer(Int64($0)) }))
      default: values.append(value)
      }
    }
    return values
  }
}
