// SPDX-License-Identifier: MIT
import SporadesModel

/// The indexes that a migration drops, keeps and creates.
package struct IndexChanges: Sendable {
  /// The names of indexes that differ or go.
  package private(set) var dropped: [String] = []
  /// The indexes to create, once the tables have their new form.
  package private(set) var created: [CreateStatements.NamedIndex] = []

  /// `tables` are the changes of tables and `joins` those of joins. `present` are the names of the file's indexes. The unique
  /// indexes of the new tables that `reworked` names are built anew, because rows may pass through equal values.
  package init(
    _ succession: RowSuccession, _ tables: [TableChange], _ joins: [JoinChange],
    present: Set<String>, reworked: Set<String> = [], _ dialect: any SQLDialect
  ) {
    let (old, new) = (succession.old, succession.new)
    let before = CreateStatements(old.scheme, dialect, in: old.layout).namedIndexes
    let after = CreateStatements(new.scheme, dialect, in: new.layout).namedIndexes
    let names = Self.keptNames(succession, tables, joins)
    // An index of a table that is written again goes with the old table.
    let survivors = before.filter { names[$0.table] != nil }
    var kept: Set<String> = []
    for index in survivors {
      let renamed = index.creation.renaming(names[index.table] ?? [:])
      let isSame = after.contains {
        $0.name == index.name && $0.creation == renamed
          && !($0.isUnique && reworked.contains($0.table) && present.contains($0.name))
      }
      if isSame {
        kept.insert(index.name)
      } else if present.contains(index.name) {
        dropped.append(index.name)
      }
    }
    // An older program left out some indexes. What it left out stays so.
    created = after.filter { !kept.contains($0.name) }
    // Another program may have taken the name.
    dropped += created.map(\.name).filter { present.contains($0) && !dropped.contains($0) }
  }

  /// The new names of tables that stay and of their columns, by the old names of the tables.
  private static func keptNames(
    _ succession: RowSuccession, _ tables: [TableChange], _ joins: [JoinChange]
  ) -> [String: [String: String]] {
    var names: [String: [String: String]] = [:]
    for change in tables {
      guard case .altered(let alteration) = change.form else { continue }
      names[alteration.oldName] = alteration.renamed.merging([alteration.oldName: change.name]) {
        first, _ in first
      }
    }
    for change in joins {
      guard case .renamed(let old, let columns) = change.form else { continue }
      let name = succession.old.layout.joins[old].name
      names[name] = columns.merging([name: change.table.name]) { first, _ in first }
    }
    return names
  }
}
