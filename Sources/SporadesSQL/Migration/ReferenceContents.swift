// SPDX-License-Identifier: MIT
import SporadesModel

/// A column of keys in the older version, which becomes one in the newer version.
struct ReferenceChange {
  let succession: RowSuccession
  let column: StoreLayout.Column
  /// The entity that the column leads to in the older version, and its successor's in the newer one.
  let destinations: (old: Int, new: Int)

  private enum Fate: Equatable {
    case gone
    case stays(mark: String, offset: Int64)
  }

  private func fate(_ entity: Int) -> Fate {
    let new = succession.new
    guard let successor = succession.successor(of: entity),
      new.model.shape(numbered: destinations.new).family.contains(successor)
    else { return .gone }
    return .stays(mark: new.mark(successor), offset: succession.offset(of: entity))
  }

  /// The entities that linked rows can have.
  private var targets: [Int] {
    let model = succession.old.model
    return model.shape(numbered: destinations.old).family.filter {
      succession.old.scheme.holds($0) && !model.shape(numbered: $0).isAbstract
    }
  }

  private func key(_ fate: Fate) -> SQLFragment {
    guard case .stays(_, let offset) = fate else { return "NULL" }
    return succession.shifted("o.\(name: column.name)", by: offset)
  }

  /// Whether the keys can be found without the numbers of the linked rows' entities.
  var isClear: Bool {
    column.entityColumn != nil || Set(targets.map { key(fate($0)) }).count <= 1
  }

  var key: MigratedColumn.Content {
    let keys = targets.map { ($0, key(fate($0))) }
    let usual = key(fate(destinations.old))
    guard let first = keys.first?.1 else { return .absent }
    if keys.allSatisfy({ $0.1 == first }) {
      return first == "NULL"
        ? .absent
        : first == "o.\(name: column.name)"
          ? .kept(column.name) : .computed(first, over: column.name)
    }
    guard let entityColumn = column.entityColumn else {
      return usual == "NULL" ? .absent : .computed(usual, over: column.name)
    }
    let cases = keys.map { (succession.old.mark($0.0), $0.1) }
    return .computed(
      RowSuccession.choice("o.\(name: entityColumn)", cases, else: usual), over: column.name)
  }

  /// The content of the column with the numbers of the linked rows' entities.
  var number: MigratedColumn.Content {
    guard let entityColumn = column.entityColumn else {
      guard case .stays(let mark, _) = fate(destinations.old) else { return .absent }
      return .computed(
        "CASE WHEN o.\(name: column.name) IS NOT NULL THEN \(sql: mark) END", over: nil)
    }
    let changes = targets.compactMap { entity -> (String, SQLFragment)? in
      let old = succession.old.mark(entity)
      switch fate(entity) {
      case .gone: return (old, "NULL")
      case .stays(let mark, _): return mark == old ? nil : (old, "\(sql: mark)")
      }
    }
    guard !changes.isEmpty else { return .kept(entityColumn) }
    return .computed(
      RowSuccession.choice("o.\(name: entityColumn)", changes, else: "o.\(name: entityColumn)"),
      over: entityColumn)
  }
}
