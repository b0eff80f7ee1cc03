// SPDX-License-Identifier: MIT
import SporadesStore

extension FetchCompiler {
  /// The other table alone decides which rows are the best, because the fetch has no other condition.
  package var isDecidedByOther: Bool {
    rowCondition.isEmpty && fetch.offset == 0 && fetch.limit != nil
  }

  /// The keys, the entities and the ranks of the rows of a fetch that another table finds too, the best first. `key` is the
  /// column of the rows' keys in the other table.
  package func keys(
    foundIn other: SQLFragment, where condition: SQLFragment, by key: SQLFragment,
    rankedBy rank: SQLFragment
  ) -> SQLStatement {
    let own = rowCondition
    let start: SQLFragment = own.isEmpty ? " WHERE" : "\(own) AND"
    // The other table finds few rows, and comes first.
    return
      ("""
    \(columns), \(rank) FROM \(other) \(table)\(scope.joins)\(start) \(condition) \
    AND \(key) = \(sql: entity.key) ORDER BY 3, 1\(bounds)
    """ as SQLFragment).rendered(in: entity.dialect)
  }

  /// The same of the best rows of the other table, which may be gone from this one. Only they are read.
  package func keysOfBest(
    in other: SQLFragment, where condition: SQLFragment, by key: SQLFragment,
    rankedBy rank: SQLFragment
  ) -> SQLStatement {
    ("""
    \(columns), z_rank FROM (SELECT \(key) z_key, \(rank) z_rank FROM \(other) WHERE \(condition) \
    ORDER BY 2, 1\(bounds)) \(table) ON \(sql: entity.key) = z_key ORDER BY 3, 1
    """ as SQLFragment).rendered(in: entity.dialect)
  }

  private var columns: SQLFragment { "SELECT \(sql: entity.key), \(sql: entity.entityColumn)" }
  private var table: SQLFragment { "CROSS JOIN \(sql: entity.tableName) t0" }
}
