// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesSQL
import SporadesSelection
import SporadesStore

/// Reads rows and links on one connection.
package struct ServerReading: RelatedRowSource {
  let connection: ServerConnection
  let plan: ServerPlan

  /// Runs `body`, whose statements all see one state.
  func asOne<Output>(
    _ body: (ServerReading) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try connection.asOne { () throws(StoreError) in try body(self) }
  }

  // MARK: - By key

  func rows(for keys: [RowKey]) throws(StoreError) -> [RowPage] {
    guard let first = keys.first else { return [] }
    let root = plan.model.shape(
      numbered: plan.model.shape(numbered: first.entity).rootNumber)
    let rows = try connection.run(
      plan.select(byKeysOf: root.number), [.int8List(keys.map(\.primaryKey))])
    return try ServerRowReader(plan, root).pages(rows)
  }

  func absent(_ keys: [RowKey]) throws(StoreError) -> [RowKey] {
    var absent: [RowKey] = []
    let groups = Dictionary(grouping: keys) { plan.model.shape(numbered: $0.entity).rootNumber }
    for (root, keys) in groups {
      let known = try versions(of: keys, ofEntity: root)
      absent += keys.filter { known[$0.primaryKey] == nil }
    }
    return absent
  }

  private func versions(
    of keys: [RowKey], ofEntity entity: Int
  ) throws(StoreError) -> [Int64: Int64] {
    let answer = try connection.run(
      plan.versions(ofEntity: entity), [.int8List(keys.map(\.primaryKey))])
    return Self.versions(answer)
  }

  /// The versions of rows by their keys.
  package static func versions(_ answer: ServerRows) -> [Int64: Int64] {
    var known: [Int64: Int64] = [:]
    for row in 0..<answer.count {
      if let key = answer.integer(row, 0), let version = answer.integer(row, 1) {
        known[key] = version
      }
    }
    return known
  }

  // MARK: - Relationships

  func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int, position: Int?
  ) throws(StoreError) -> [RowPage] {
    guard !owners.isEmpty else { return [] }
    let table = plan.layout.table(ofEntity: entity.number)
    let statements = plan.entity(entity.number).statements
    let column = plan.dialect.quoted(table.columns[slot].name)
    let family = statements.familyCondition
    let sql =
      "SELECT \(statements.selectList) FROM \(statements.tableName) t0 WHERE t0.\(column) = ANY($1)"
      + (family.isEmpty ? "" : " AND \(family)")
    let rows = try connection.run(sql, [.int8List(owners.map(\.primaryKey))])
    return Self.sorted(try ServerRowReader(plan, entity).pages(rows), byOwnerIn: slot, position)
  }

  func links(
    of relationship: RelationshipShape, owners: [RowKey]
  ) throws(StoreError) -> [StoredLink] {
    guard !owners.isEmpty else { return [] }
    let destination = plan.model.shape(numbered: relationship.destination)
    let sql: String
    switch relationship.storage {
    case .reference, .memory: return []
    case .inverseReference(let slot, let position):
      let (table, row) = (plan.layout.table(ofEntity: destination.number), plan.layout.names.row)
      let owner = plan.dialect.quoted(table.columns[slot].name)
      let place = position.map { plan.dialect.quoted(table.columns[$0].name) } ?? "NULL::bigint"
      sql =
        "SELECT \(owner), \(row.key), \(row.entity), \(place) FROM \(plan.dialect.quoted(table.name)) t "
        + "WHERE \(owner) = ANY($1)"
    case .join(let join, let isFirst):
      sql = ServerJoin(plan.layout.joins[join], plan.dialect).linked(
        toFirst: isFirst, in: plan.layout.table(ofEntity: destination.number),
        plan.layout.names.row)
    }
    let answer = try connection.run(sql, [.int8List(owners.map(\.primaryKey))])
    return try links(answer, owners, destination)
  }

  private func links(
    _ answer: ServerRows, _ owners: [RowKey], _ destination: EntityShape
  ) throws(StoreError) -> [StoredLink] {
    let reader = ServerRowReader(plan, destination)
    let own = Dictionary(owners.map { ($0.primaryKey, $0) }) { first, _ in first }
    var links: [StoredLink] = []
    for row in 0..<answer.count {
      let other = try reader.key(answer, row, at: 1)
      guard destination.family.contains(other.entity),
        let owner = answer.integer(row, 0).flatMap({ own[$0] })
      else { continue }
      links.append(StoredLink(owner: owner, other: other, position: answer.integer(row, 3)))
    }
    links.sort {
      ($0.owner, $0.position ?? .min, $0.other) < ($1.owner, $1.position ?? .min, $1.other)
    }
    return links
  }

  // MARK: - Orders

  /// A row in the order of rows that refer to owners.
  private struct Ordered {
    let owner: UInt64
    let position: Int64
    let key: UInt64
    let page: Int
    let row: Int

    static func isAscending(_ left: Ordered, _ right: Ordered) -> Bool {
      (left.owner, left.position, left.key) < (right.owner, right.position, right.key)
    }
  }

  /// The rows of pages by the owner in a slot, then by the number in another, if there is one, then by their keys.
  private static func sorted(
    _ pages: [RowPage], byOwnerIn slot: Int, _ position: Int?
  ) -> [RowPage] {
    var rows: [Ordered] = []
    rows.reserveCapacity(pages.reduce(0) { $0 + $1.count })
    for (number, page) in pages.enumerated() {
      for row in 0..<page.count {
        let place = position.map { page.isNull(row, slot: $0) ? .min : page.number(row, $0) } ?? 0
        rows.append(
          Ordered(
            owner: page.word(row, slot: slot), position: place, key: page.key(row).rawValue,
            page: number, row: row))
      }
    }
    // Rows of one owner mostly come in the order of their keys.
    let isInOrder = zip(rows, rows.dropFirst()).allSatisfy { Ordered.isAscending($0, $1) }
    guard !isInOrder, let layout = pages.first?.layout else { return pages }
    rows.sort(by: Ordered.isAscending)
    var copies = RowCopies(layout, count: rows.count)
    for row in rows { copies.append(row.row, of: pages[row.page]) }
    return copies.finish()
  }

  static func pages(of places: [RowPlace], _ layout: RowLayout) -> [RowPage] {
    guard !places.isEmpty else { return [] }
    var copies = RowCopies(layout, count: places.count)
    for place in places { copies.append(place.index, of: place.page) }
    return copies.finish()
  }
}

extension RowPage {
  /// The number in a slot that is not null.
  fileprivate func number(_ row: Int, _ slot: Int) -> Int64 {
    Int64(bitPattern: word(row, slot: slot))
  }
}

extension ServerReading: ReferencedRows {
  func rows(
    of entity: EntityShape, referencing owners: [RowKey], in slot: Int
  ) throws(StoreError) -> [RowPage] {
    try rows(of: entity, referencing: owners, in: slot, position: nil)
  }
}
