// SPDX-License-Identifier: MIT

extension FetchCompiler {
  /// The keys, the entities and the ranks of the rows of a fetch that another table finds too, the best first. The condition
  /// joins the other table with the row `t0`.
  package func keys(
    foundIn other: SQLFragment, where condition: SQLFragment, rankedBy rank: SQLFragment
  ) -> SQLStatement {
    let own = rowCondition
    let both: SQLFragment = own.isEmpty ? " WHERE \(condition)" : "\(own) AND \(condition)"
    // The other table finds few rows, and comes first.
    return
      ("""
    SELECT \(sql: entity.key), \(sql: entity.entityColumn), \(rank) FROM \(other) CROSS JOIN \
    \(sql: entity.tableName) t0\(scope.joins)\(both) ORDER BY 3, \(sql: entity.key)\(bounds)
    """ as SQLFragment)
    .rendered(in: entity.dialect)
  }
}
