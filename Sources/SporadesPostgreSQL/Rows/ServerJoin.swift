// SPDX-License-Identifier: MIT
import SporadesSQL

/// The statements about the links in one join table. Both keys are the first parameters, and the places follow.
struct ServerJoin {
  private let join: StoreLayout.JoinTable
  private let dialect: PostgreSQLDialect

  init(_ join: StoreLayout.JoinTable, _ dialect: PostgreSQLDialect) {
    (self.join, self.dialect) = (join, dialect)
  }

  private var table: String { dialect.quoted(join.name) }
  private var first: String { dialect.quoted(join.first) }
  private var second: String { dialect.quoted(join.second) }
  private var isLink: String { "\(first) = $1 AND \(second) = $2" }

  /// The columns of places, with the side that each numbers the links of.
  private var places: [(column: String, side: String, parameter: String)] {
    var all: [(column: String, side: String, parameter: String)] = []
    if let place = join.firstPosition { all.append((dialect.quoted(place), second, "$2")) }
    if let place = join.secondPosition { all.append((dialect.quoted(place), first, "$1")) }
    return all
  }

  /// The values of a link's parameters.
  func values(_ row: JoinRow) -> [ServerValue] {
    var values: [ServerValue] = [.int8(row.first), .int8(row.second)]
    if join.firstPosition != nil { values.append(.int8(row.firstPosition)) }
    if join.secondPosition != nil { values.append(.int8(row.secondPosition)) }
    return values
  }

  /// Adds a link. One without a place becomes the last; a link that is there keeps its own.
  var add: String {
    let columns = [first, second] + places.map(\.column)
    let values =
      ["$1", "$2"]
      + places.enumerated().map { place, part in
        "COALESCE($\(place + 3), (SELECT COALESCE(MAX(\(part.column)), -1) + 1 FROM \(table) "
          + "WHERE \(part.side) = \(part.parameter)))"
      }
    let changes = assignments(qualified: true)
    return
      "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values.joined(separator: ", "))) "
      + "ON CONFLICT (\(first), \(second)) DO "
      + (changes.isEmpty ? "NOTHING" : "UPDATE SET \(changes)")
  }

  /// Gives a link new places, if it is there.
  var move: String { "UPDATE \(table) SET \(assignments(qualified: false)) WHERE \(isLink)" }

  /// Whether the links have places, so that they can move.
  var hasPlaces: Bool { !places.isEmpty }

  /// Removes a link.
  var remove: String { "DELETE FROM \(table) WHERE \(isLink)" }

  private func assignments(qualified isQualified: Bool) -> String {
    places.enumerated().map { place, part in
      "\(part.column) = COALESCE($\(place + 3), \(isQualified ? "\(table)." : "")\(part.column))"
    }.joined(separator: ", ")
  }

  /// Selects the owner, the key and the entity's name of each linked row, and its place.
  func linked(
    toFirst isFirst: Bool, in other: StoreLayout.Table, _ row: LayoutNames.Row
  ) -> String {
    let (own, far) = isFirst ? (first, second) : (second, first)
    let place = isFirst ? join.secondPosition : join.firstPosition
    return "SELECT j.\(own), t.\(row.key), t.\(row.entity), "
      + (place.map { "j.\(dialect.quoted($0))" } ?? "NULL::bigint")
      + " FROM \(table) j JOIN \(dialect.quoted(other.name)) t ON t.\(row.key) = j.\(far) WHERE j.\(own) = ANY($1)"
  }
}
