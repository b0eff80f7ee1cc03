// SPDX-License-Identifier: MIT
package import SporadesModel
package import SporadesSQL
package import SporadesStore

extension SQLiteStore {
  /// The keys of the rows of a fetch that another table finds too by a column of keys, with the ranks by which they are
  /// ordered.
  package func keys(
    _ fetch: StoreFetch, foundIn other: SQLFragment, where condition: SQLFragment,
    by key: SQLFragment, rankedBy rank: SQLFragment, in view: StoreView
  ) throws(StoreError) -> [(key: RowKey, rank: Double)] {
    let fetch = try bound(fetch, in: view)
    let statement = try plan.compiler(fetch).keys(
      foundIn: other, where: condition, by: key, rankedBy: rank)
    let (root, numbers) = (fetch.entity.rootNumber, plan.numbers)
    let table = plan.statements(root).tableName
    return try read(view) { (connection) throws(StoreError) in
      let prepared = try connection.statement(statement)
      defer { prepared.reset() }
      var keys: [(key: RowKey, rank: Double)] = []
      var bound = RowBound()
      while try prepared.step() {
        try bound.count(1, of: prepared)
        let entity = numbers.modelNumber(prepared.integer(1), else: root)
        let key = RowKey(entity: entity, primaryKey: try prepared.key(0, of: table))
        keys.append((key, prepared.real(2)))
      }
      return keys
    }
  }
}
