// SPDX-License-Identifier: MIT
import SporadesModel

/// A column of a newer version, and what it holds in the rows of an older one.
package struct MigratedColumn: Sendable {
  /// The content of a column in the rows of one piece.
  package enum Content: Hashable, Sendable {
    /// Nothing.
    case absent
    /// The content of the named column.
    case kept(String)
    /// A value that an expression over the old row `o` computes, which may take the place of an old column.
    case computed(SQLFragment, over: String?)

    /// The old column that becomes the new one.
    package var base: String? {
      switch self {
      case .absent: nil
      case .kept(let column): column
      case .computed(_, let column): column
      }
    }

    /// The expression over the old row.
    package var value: SQLFragment {
      switch self {
      case .absent: "NULL"
      case .kept(let column): "o.\(name: column)"
      case .computed(let value, _): value
      }
    }
  }

  package let name: String
  package let declaration: String
  package let contents: [RowSuccession.Piece: Content]

  package func content(_ piece: RowSuccession.Piece) -> Content { contents[piece] ?? .absent }
}

/// The content of a column in the rows of each entity of one piece.
struct EntityTerms {
  private var terms: [Int: MigratedColumn.Content] = [:]

  subscript(entity: Int) -> MigratedColumn.Content? {
    get { terms[entity] }
    set { terms[entity] = newValue }
  }

  /// The content for all rows of the piece. `users` tells which entities of the older version use a column, and `fillsNull`
  /// whether a term makes a value of none.
  func content(
    _ succession: RowSuccession, _ piece: RowSuccession.Piece, fillsNull: Bool = false,
    users: (String) -> Set<Int>
  ) -> MigratedColumn.Content {
    let entities = succession.entities(of: piece)
    let present = terms.filter { $0.value != .absent }
    guard let first = present.values.first else { return .absent }
    let isSame = present.values.allSatisfy { $0 == first }
    // Rows of other entities hold nothing in a column that they do not use, and go on to hold nothing.
    let covered =
      fillsNull
      ? nil : first.base.map { users($0).intersection(entities).isSubset(of: present.keys) }
    if isSame, covered ?? (present.count == entities.count) { return first }
    let bases = Set(present.values.map(\.base))
    let cases = present.keys.inOrder().compactMap { entity in
      present[entity].map { (succession.old.mark(entity), $0.value) }
    }
    let entity = succession.old.layout.names.row.entity
    return .computed(
      RowSuccession.choice("o.\(name: entity)", cases, else: "NULL"),
      over: bases.count == 1 ? first.base : nil)
  }
}
