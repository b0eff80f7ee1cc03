// SPDX-License-Identifier: MIT
package import SporadesModel

/// Tells where the rows of an older version go: their entities, numbers, tables and keys in the newer one.
///
/// A row keeps its key, unless the rows of two tables come together and their keys collide. Then the keys of the later
/// table grow by an offset.
package final class RowSuccession: Sendable {
  package let old: MigrationSide
  package let new: MigrationSide
  package let evolution: ModelEvolution
  /// The offsets of keys; a piece without one keeps its keys.
  package let offsets: [Piece: Int64]
  /// The parts of tables that move together, those of each new table with the one that keeps its keys first.
  package let pieces: [Piece]
  private let successors: [Int: Int]
  private let sources: [Int: Int]

  /// The rows of one old table that go to one new table.
  package struct Piece: Hashable, Sendable {
    package let old: Int
    package let new: Int
  }

  /// The same succession with offsets.
  package init(_ succession: RowSuccession, offsets: [Piece: Int64]) {
    old = succession.old
    new = succession.new
    evolution = succession.evolution
    pieces = succession.pieces
    successors = succession.successors
    sources = succession.sources
    self.offsets = offsets
  }

  package init(_ old: MigrationSide, _ new: MigrationSide, _ evolution: ModelEvolution) {
    self.old = old
    self.new = new
    self.evolution = evolution
    var successors: [Int: Int] = [:]
    var sources: [Int: Int] = [:]
    for shape in new.model.shapes where new.scheme.holds(shape.number) {
      guard let name = evolution.source(ofEntity: shape.name),
        let source = old.model.shape(named: name)?.number, old.scheme.holds(source)
      else { continue }
      sources[shape.number] = source
      successors[source] = shape.number
    }
    self.successors = successors
    self.sources = sources
    offsets = [:]
    pieces = Self.pieces(old, new, sources)
  }

  private static func pieces(
    _ old: MigrationSide, _ new: MigrationSide, _ sources: [Int: Int]
  ) -> [Piece] {
    var pieces: [Piece] = []
    // The entities follow in the order of their numbers, so that the root's rows come first.
    for entity in sources.keys.inOrder() {
      guard let source = sources[entity] else { continue }
      let piece = Piece(
        old: old.place(ofEntity: source), new: new.place(ofEntity: entity))
      if !pieces.contains(piece) { pieces.append(piece) }
    }
    return pieces
  }

  /// The entity that the rows of an old entity get; nil if they go.
  package func successor(of entity: Int) -> Int? { successors[entity] }
  /// The entity that the rows of a new entity had; nil if it has none yet.
  package func source(of entity: Int) -> Int? { sources[entity] }

  package func pieces(of table: Int) -> [Piece] { pieces.filter { $0.new == table } }

  /// The old entities whose rows belong to a piece.
  package func entities(of piece: Piece) -> [Int] {
    old.entities(inTable: piece.old).filter { entity in
      successors[entity].map { new.place(ofEntity: $0) == piece.new } ?? false
    }
  }

  /// The piece that the rows of an old entity belong to; nil if they go.
  package func piece(of entity: Int) -> Piece? {
    successors[entity].map {
      Piece(old: old.place(ofEntity: entity), new: new.place(ofEntity: $0))
    }
  }

  package func offset(of entity: Int) -> Int64 {
    piece(of: entity).flatMap { offsets[$0] } ?? 0
  }

  /// Where the rows go, by the entities of the older version.
  package var rowSuccessors: RowSuccessors {
    RowSuccessors(
      Dictionary(
        uniqueKeysWithValues: successors.map { former, entity in
          (former, .init(entity: entity, offset: offset(of: former)))
        }))
  }

  /// The entities of an old table whose rows go.
  package func gone(fromTable place: Int) -> [Int] {
    old.entities(inTable: place).filter { successors[$0] == nil }
  }
}

// MARK: - Expressions

// Each expression reads a row of an old table, which the statement calls `o`.
extension RowSuccession {
  private var row: LayoutNames.Row { old.layout.names.row }

  /// `o.key`, or with the offset
  package func key(of piece: Piece) -> SQLFragment {
    shifted("o.\(name: row.key)", by: offsets[piece] ?? 0)
  }

  func shifted(_ key: SQLFragment, by offset: Int64) -> SQLFragment {
    offset == 0 ? key : "\(key) + \(sql: String(offset))"
  }

  /// The number of the row's entity, `CASE o.entity WHEN 3 THEN 4 ELSE o.entity END`; nil if it stays.
  package func entityNumber(of piece: Piece) -> SQLFragment? {
    let changes = entities(of: piece).compactMap { entity -> (String, SQLFragment)? in
      guard let successor = successors[entity] else { return nil }
      let (from, to) = (old.mark(entity), new.mark(successor))
      return from == to ? nil : (from, "\(sql: to)")
    }
    guard !changes.isEmpty else { return nil }
    let column: SQLFragment = "o.\(name: row.entity)"
    return Self.choice(column, changes, else: column)
  }

  /// The condition for the rows of a piece; nil if the whole table belongs to it. The first piece of a table takes
  /// rows with a number that no entity has, too.
  package func condition(of piece: Piece) -> SQLFragment? {
    let own = Set(entities(of: piece))
    let others = old.entities(inTable: piece.old).filter { !own.contains($0) }
    let isFirst = pieces.first { $0.old == piece.old } == piece
    let column: SQLFragment = "o.\(name: row.entity)"
    guard isFirst else { return "\(column) IN (\(numbers(own.sorted())))" }
    let excluded = others.filter { !isNeverStored($0) }
    guard !excluded.isEmpty else { return nil }
    return "(\(column) IS NULL OR \(column) NOT IN (\(numbers(excluded))))"
  }

  private func isNeverStored(_ entity: Int) -> Bool {
    old.model.shape(numbered: entity).isAbstract
  }

  func numbers(_ entities: [Int]) -> SQLFragment {
    "\(sql: entities.map(old.mark).joined(separator: ", "))"
  }

  static func choice(
    _ value: SQLFragment, _ cases: [(Int64, SQLFragment)], else other: SQLFragment
  ) -> SQLFragment {
    choice(value, cases.map { (String($0.0), $0.1) }, else: other)
  }

  static func choice(
    _ value: SQLFragment, _ cases: [(mark: String, term: SQLFragment)], else other: SQLFragment
  ) -> SQLFragment {
    let terms = cases.map { " WHEN \(sql: $0.mark) THEN \($0.term)" as SQLFragment }
    return "CASE \(value)\(terms.joined(by: "")) ELSE \(other) END"
  }
}
