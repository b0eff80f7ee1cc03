// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesStore

extension Writer {
  mutating func link(_ change: LinkChange) throws(StoreError) {
    let isReflexive = plan.layout.joins[change.join].isReflexive
    for other in change.removed {
      let row = JoinRow(change, other)
      try unlink(row)
      if isReflexive { try unlink(row.turned) }
    }
    for link in change.added {
      let row = JoinRow(
        change, link.other, place: link.position, ownerPlace: link.ownerPosition)
      try add(row)
      if isReflexive, link.other != change.owner { try add(row.turned) }
    }
    for link in change.moved {
      let row = JoinRow(
        change, link.other, place: link.position, ownerPlace: link.ownerPosition)
      try move(row)
      if isReflexive, link.other != change.owner { try move(row.turned) }
    }
  }

  private func move(_ row: JoinRow) throws(StoreError) {
    for isFirst in [false, true] {
      guard let column = column(of: row, first: isFirst), let place = row.position(first: isFirst)
      else { continue }
      let statement = try statement(
        .move, row.number(first: isFirst), plan.joinStatements(row.join).set(column))
      statement.bind([place, row.first, row.second])
      try statement.run()
    }
  }

  private func unlink(_ row: JoinRow) throws(StoreError) {
    let statement = try statement(.unlink, row.join, plan.joinStatements(row.join).remove)
    statement.bind(row.first, at: 1)
    statement.bind(row.second, at: 2)
    try statement.run()
  }

  private func add(_ row: JoinRow) throws(StoreError) {
    let secondPosition = try place(of: row, first: false)
    let firstPosition = try place(of: row, first: true)
    let statement = try statement(.link, row.join, plan.joinStatements(row.join).add)
    statement.bind(row.first, at: 1)
    statement.bind(row.second, at: 2)
    var place: Int32 = 3
    for case let position? in [firstPosition, secondPosition] {
      statement.bind(position, at: place)
      place += 1
    }
    try statement.run()
    if connection.changes == 0 { try checkPresence(of: row) }
  }

  /// A link that was not inserted is there already, or a trigger of the file has ignored it.
  private func checkPresence(of row: JoinRow) throws(StoreError) {
    let statement = try connection.statement(plan.joinStatements(row.join).isPresent)
    statement.bind([row.first, row.second])
    defer { statement.reset() }
    guard try statement.step() else { throw plan.refusedLink(row.join) }
  }

  /// The column for one side's places; nil for an unordered side.
  private func column(of row: JoinRow, first isFirst: Bool) -> String? {
    let join = plan.layout.joins[row.join]
    return isFirst ? join.firstPosition : join.secondPosition
  }

  /// Core Data's distance between two places, which leaves room for insertions.
  private static let gap = 1024

  /// The given place; else the link's present place; else a place after all others. Nil for an unordered
  /// side.
  private func place(of row: JoinRow, first isFirst: Bool) throws(StoreError) -> Int64? {
    guard let column = column(of: row, first: isFirst) else { return nil }
    if let given = row.position(first: isFirst) { return given }
    // The first side's place counts among the links of the second side.
    let statement = try statement(
      .lastPosition, row.number(first: isFirst),
      plan.joinStatements(row.join).place(in: column, ofFirst: !isFirst, gap: Self.gap))
    statement.bind([row.first, row.second, isFirst ? row.second : row.first])
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return Int64(2 * Self.gap) }
    // SQLite turns an integer overflow into a real number, and a text into the number at its start.
    guard case .integer(let place) = statement.value(0) else {
      throw StoreError(
        .full,
        "\(plan.layout.joins[row.join].name).\(column) has no place left after the last one, or holds a value that is no "
          + "place. Put the members of that relationship into a new order, which numbers them again."
      )
    }
    return place
  }
}
