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
    let compiler = try plan.compiler(fetch)
    let root = fetch.entity.rootNumber
    if compiler.isDecidedByOther {
      let best = try keys(
        of: compiler.keysOfBest(in: other, where: condition, by: key, rankedBy: rank), root, view)
      // A row of the other table that is gone here took the place of another one.
      if best.count == fetch.limit { return best }
    }
    return try keys(
      of: compiler.keys(foundIn: other, where: condition, by: key, rankedBy: rank), root, view)
  }

  private func keys(
    of statement: SQLStatement, _ root: Int, _ view: StoreView
  ) throws(StoreError) -> [(key: RowKey, rank: Double)] {
    let (numbers, table) = (plan.numbers, plan.statements(root).tableName)
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
