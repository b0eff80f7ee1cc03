// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel
import SporadesSQL

/// The rows of an answer, and the context whose objects their keys name.
final class ResultTable {
  let columns: [ResultColumn]
  let context: ManagedObjectContext
  let rowCount: Int
  private let values: [SQLValue]
  /// The number of the store in the keys of a coordinator.
  private let store: Int
  /// The identifier of that store.
  private let storeIdentifier: String
  /// The keys of rows with the numbers of their own entities, by the numbers of the roots.
  private var ownKeys: [Int: [Int64: RowKey]] = [:]

  init(
    _ answer: StatementAnswer, columns: [ResultColumn], in context: ManagedObjectContext,
    store: Int, identifier: String
  ) {
    self.columns = columns
    self.context = context
    self.store = store
    storeIdentifier = identifier
    values = answer.values
    rowCount = answer.rowCount
  }

  func value(_ row: Int, _ column: Int) -> SQLValue { values[row * columns.count + column] }

  /// The id of the object with a key from a column; nil for a number that is no key.
  func id(_ key: Int64, ofEntity entity: Int, in column: Int) throws -> ManagedObjectID? {
    guard 1...RowKey.largestPrimaryKey ~= key else { return nil }
    let shape = context.model.shape(numbered: entity)
    let plain = RowKey(entity: entity, primaryKey: key, store: store)
    guard shape.hasSubentities else { return id(plain) }
    if ownKeys[shape.rootNumber]?[key] == nil { try findOwnKeys(of: shape, in: column) }
    // A key without a row keeps the entity that the column leads to.
    return id(ownKeys[shape.rootNumber]?[key] ?? plain)
  }

  private func id(_ key: RowKey) -> ManagedObjectID {
    ManagedObjectID(key: key, scope: context.objectScope)
  }

  /// Asks for the entities of all keys of a column at once.
  private func findOwnKeys(of shape: EntityShape, in column: Int) throws {
    var known = ownKeys[shape.rootNumber] ?? [:]
    var asked: [ManagedObjectID] = []
    for row in 0..<rowCount {
      guard let key = value(row, column).integer, 1...RowKey.largestPrimaryKey ~= key,
        known[key] == nil
      else { continue }
      let plain = RowKey(entity: shape.number, primaryKey: key, store: store)
      known[key] = plain
      asked.append(id(plain))
    }
    for start in stride(from: 0, to: asked.count, by: 500) {
      let part = Array(asked[start..<min(start + 500, asked.count)])
      var request = FetchRequest(shape.name)
      request.predicate = try FetchPredicate(format: "SELF IN %@", part)
      request.affectedStores = [storeIdentifier]
      for id in try context.fetchIDs(request) { known[id.key.primaryKey] = id.key }
    }
    ownKeys[shape.rootNumber] = known
  }
}
