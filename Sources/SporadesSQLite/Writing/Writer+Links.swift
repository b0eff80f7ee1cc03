// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

extension Writer {
  mutating func link(_ change: LinkChange) throws(StoreError) {
    let join = plan.layout.joins[change.join]
    for other in change.removed {
      try unlink(change.owner, other, change, join)
      if join.isReflexive { try unlink(other, change.owner, change, join) }
    }
    for link in change.added {
      try add(change.owner, link.other, link.position, link.ownerPosition, change, join)
      if join.isReflexive, link.other != change.owner {
        try add(link.other, change.owner, link.ownerPosition, link.position, change, join)
      }
    }
    for link in change.moved {
      try move(change.owner, link.other, link.position, link.ownerPosition, change, join)
      if join.isReflexive, link.other != change.owner {
        try move(link.other, change.owner, link.ownerPosition, link.position, change, join)
      }
    }
  }

  /// `UPDATE Z_1PETS SET Z_FOK_2PETS = ? WHERE Z_1OWNERS = ? AND Z_2PETS = ?`
  private func move(
    _ owner: RowKey, _ other: RowKey, _ position: Int64?, _ ownerPosition: Int64?,
    _ change: LinkChange, _ join: StoreLayout.JoinTable
  ) throws(StoreError) {
    let (first, second) = change.isFirst ? (owner, other) : (other, owner)
    let (ofSecond, ofFirst) =
      change.isFirst ? (position, ownerPosition) : (ownerPosition, position)
    for (number, (column, place)) in [
      (join.secondPosition, ofSecond), (join.firstPosition, ofFirst),
    ].enumerated() {
      guard let column, let place else { continue }
      let statement = try statement(
        .move, change.join * 2 + number,
        "UPDATE \(sqlName(join.name)) SET \(sqlName(column)) = ? WHERE \(sqlName(join.first)) = ? "
          + "AND \(sqlName(join.second)) = ?")
      statement.bind(place, at: 1)
      statement.bind(first.primaryKey, at: 2)
      statement.bind(second.primaryKey, at: 3)
      try statement.run()
    }
  }

  private func unlink(
    _ owner: RowKey, _ other: RowKey, _ change: LinkChange, _ join: StoreLayout.JoinTable
  ) throws(StoreError) {
    let statement = try statement(
      .unlink, change.join,
      "DELETE FROM \(sqlName(join.name)) WHERE \(sqlName(join.first)) = ? "
        + "AND \(sqlName(join.second)) = ?")
    statement.bind((change.isFirst ? owner : other).primaryKey, at: 1)
    statement.bind((change.isFirst ? other : owner).primaryKey, at: 2)
    try statement.run()
  }

  /// `INSERT OR REPLACE INTO Z_1PETS (Z_1OWNERS, Z_2PETS, Z_FOK_2PETS) VALUES (?, ?, ?)`
  private func add(
    _ owner: RowKey, _ other: RowKey, _ position: Int64?, _ ownerPosition: Int64?,
    _ change: LinkChange, _ join: StoreLayout.JoinTable
  ) throws(StoreError) {
    let first = change.isFirst ? owner : other
    let second = change.isFirst ? other : owner
    // The second object's place is the owner's order where the owner stands first.
    let secondPosition = try place(
      change.isFirst ? position : ownerPosition, join.secondPosition, among: join.first,
      (first, second),
      change.join * 2, join)
    let firstPosition = try place(
      change.isFirst ? ownerPosition : position, join.firstPosition, among: join.second,
      (first, second),
      change.join * 2 + 1, join)
    let positions = [join.firstPosition, join.secondPosition].compactMap(\.self)
    let names = ([join.first, join.second] + positions).map(sqlName)
    let statement = try statement(
      .link, change.join,
      "INSERT OR REPLACE INTO \(sqlName(join.name)) (\(names.joined(separator: ", "))) VALUES "
        + "(\(names.map { _ in "?" }.joined(separator: ", ")))")
    statement.bind(first.primaryKey, at: 1)
    statement.bind(second.primaryKey, at: 2)
    for (place, value) in [firstPosition, secondPosition].compactMap(\.self).enumerated() {
      statement.bind(value, at: Int32(3 + place))
    }
    try statement.run()
  }

  /// The given place, or the one a link has that is there already, or one behind all others, as far
  /// from the last as Core Data leaves room; nil where the side is not ordered.
  private func place(
    _ given: Int64?, _ column: String?, among side: String, _ link: (first: RowKey, second: RowKey),
    _ number: Int, _ join: StoreLayout.JoinTable
  ) throws(StoreError) -> Int64? {
    guard let column else { return nil }
    if let given { return given }
    let (place, table) = (sqlName(column), sqlName(join.name))
    let statement = try statement(
      .lastPosition, number,
      "SELECT IFNULL((SELECT \(place) FROM \(table) WHERE \(sqlName(join.first)) = ?1 "
        + "AND \(sqlName(join.second)) = ?2), (SELECT MAX(\(place)) + 1024 FROM \(table) "
        + "WHERE \(sqlName(side)) = ?\(side == join.first ? 1 : 2)))")
    statement.bind(link.first.primaryKey, at: 1)
    statement.bind(link.second.primaryKey, at: 2)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return 2048 }
    // A sum beyond the last integer is a real to SQLite, and of a text the number it begins with.
    guard case .integer(let place) = statement.value(0) else {
      throw StoreError(
        .full,
        "\(join.name).\(column) has no place left behind the last one, or holds something else than "
          + "places. Put the members of that relationship into a new order, which numbers them anew."
      )
    }
    return place
  }
}
