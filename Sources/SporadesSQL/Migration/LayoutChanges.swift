// SPDX-License-Identifier: MIT
import SporadesModel

/// The changes of all tables and links from one version of a model to another.
package struct LayoutChanges: Sendable {
  /// The tables of the newer version in its order.
  package let tables: [TableChange]
  package let joins: [JoinChange]
  /// The links that are collected before the tables change, and written afterwards.
  package let fills: [LinkFill]

  /// `roots` are the numbers of root entities whose old values are read after the change.
  package init(
    _ succession: RowSuccession, keepingOldValuesOf roots: [Int] = [], leavesColumns: Bool = false
  ) {
    let new = succession.new
    var fills: [LinkFill] = []
    tables = new.tables.map { place in
      let slots = new.table(place).columns.indices
      var references: [Int: ReferenceSource] = [:]
      for slot in slots {
        guard let source = ReferenceSource(place, slot, succession) else { continue }
        references[slot] = source
        if let fill = LinkFill(source, number: fills.count, succession) { fills.append(fill) }
      }
      return TableChange(
        place, succession, references,
        keepsOldValues: roots.contains(new.table(place).rootEntity),
        leavesColumns: leavesColumns)
    }
    var joins: [JoinChange] = []
    for join in new.model.joins where new.scheme.holds(join) {
      let change = JoinChange(join, number: fills.count, succession)
      if case .filled(let fill) = change.form { fills.append(fill) }
      joins.append(change)
    }
    self.joins = joins
    self.fills = fills
  }

  /// The columns that stay though the newer version lacks them, by their tables.
  package var leftColumns: [String: [String]] {
    var left: [String: [String]] = [:]
    for change in tables {
      guard case .altered(let alteration) = change.form, !alteration.left.isEmpty else { continue }
      left[change.name] = alteration.left
    }
    return left
  }

  /// Whether no table changes.
  package var isEmpty: Bool {
    tables.allSatisfy(\.isUnchanged) && joins.allSatisfy(\.isUnchanged) && fills.isEmpty
  }
}
