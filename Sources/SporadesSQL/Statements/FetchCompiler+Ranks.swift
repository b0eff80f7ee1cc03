// SPDX-License-Identifier: MIT

extension FetchCompiler {
  /// The keys, the entities and the ranks of the rows of a fetch that another table finds too, the best first. `key` is the
  /// column of the rows' keys in the other table.
  package func keys(
    foundIn other: SQLFragment, where condition: SQLFragment, by key: SQLFragment,
    rankedBy rank: SQLFragment
  ) -> SQLStatement {
    let own = rowCondition
    let joined: SQLFragment = "CROSS JOIN \(sql: entity.tableName) t0"
    let columns: SQLFragment = "SELECT \(sql: entity.key), \(sql: entity.entityColumn)"
    guard !own.isEmpty else {
      // The other table alone decides, so that only the best rows are read.
      return
        ("""
      \(columns), z_rank FROM (SELECT \(key) z_key, \(rank) z_rank FROM \(other) WHERE \(condition) \
      ORDER BY 2, 1\(bounds)) \(joined) ON \(sql: entity.key) = z_key ORDER BY 3, 1
      """ as SQLFragment).rendered(in: entity.dialect)
    }
    // The other table finds few rows, and comes first.
    return
      ("""
    \(columns), \(rank) FROM \(other) \(joined)\(scope.joins)\(own) AND \(condition) \
    AND \(key) = \(sql: entity.key) ORDER BY 3, 1\(bounds)
    """ as SQLFragment).rendered(in: entity.dialect)
  }
}
