// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesSQL
public import SporadesStore

extension SQLiteStore {
  public func links(
    of relationship: RelationshipShape, owners: [RowKey], in view: StoreView
  ) throws(StoreError) -> [StoredLink] {
    guard !owners.isEmpty, let statement = LinkStatement(plan, relationship) else { return [] }
    let keys = Dictionary(owners.map { ($0.primaryKey, $0) }, uniquingKeysWith: { one, _ in one })
    return try read(view) { (connection) throws(StoreError) in
      var links: [StoredLink] = []
      for group in KeyGroups(owners.map(\.primaryKey)) {
        let select = try connection.statement(statement.sql(group))
        group.bind(to: select)
        defer { select.reset() }
        while try select.step() {
          guard let owner = keys[select.integer(0)] else { continue }
          let entity = statement.otherEntity(select, plan)
          links.append(
            StoredLink(
              owner: owner,
              other: RowKey(
                entity: entity, primaryKey: try select.key(1, of: statement.tableName)),
              position: statement.position(select)))
        }
      }
      return links
    }
  }

  public func lastPosition(
    in relationship: RelationshipShape, of owner: RowKey, in view: StoreView
  ) throws(StoreError) -> Int64? {
    guard let sql = LinkStatement(plan, relationship)?.lastPosition else { return nil }
    return try read(view) { (connection) throws(StoreError) in
      let select = try connection.statement(sql)
      defer { select.reset() }
      select.bind(owner.primaryKey, at: 1)
      return try select.step() && !select.isNull(0) ? select.integer(0) : nil
    }
  }
}

/// Keys and places, and no rows, of what a to-many relationship leads to.
///
/// `SELECT j.Z_1OWNERS, j.Z_2PETS, t0.Z_ENT FROM Z_1PETS j JOIN ZPET t0 ON t0.Z_PK = j.Z_2PETS WHERE …
/// ORDER BY j.Z_1OWNERS, j.Z_FOK_2PETS, j.Z_2PETS`, or, where members hold their owner's key,
/// `SELECT t0.ZOWNER, t0.Z_PK FROM ZPET t0 WHERE … ORDER BY t0.ZOWNER, t0.Z_FOK_OWNER, t0.Z_PK`
private struct LinkStatement {
  let tableName: String
  private let source: String
  private let near: String
  private let far: String
  private let place: String?
  /// Narrows the rows to those of the destination.
  private let family: String
  private let destination: EntityShape

  init?(_ plan: StorePlan, _ relationship: RelationshipShape) {
    destination = plan.model.shape(numbered: relationship.destination)
    let statements = plan.statements(destination.number)
    switch relationship.storage {
    case .reference, .memory: return nil
    case .inverseReference(let slot, let position):
      let columns = plan.layout.tables[statements.table].columns
      near = "t0.\(sqlName(columns[slot].name))"
      far = "t0.Z_PK"
      place = position.map { "t0.\(sqlName(columns[$0].name))" }
      tableName = statements.tableName
      source = "\(statements.tableName) t0"
      family = statements.familyCondition.isEmpty ? "" : "+\(statements.familyCondition) AND "
    case .join(let index, let isFirst):
      let join = plan.layout.joins[index]
      near = "j.\(sqlName(isFirst ? join.first : join.second))"
      far = "j.\(sqlName(isFirst ? join.second : join.first))"
      tableName = join.name
      place = (isFirst ? join.secondPosition : join.firstPosition).map { "j.\(sqlName($0))" }
      source =
        "\(sqlName(join.name)) j"
        + (destination.hasSubentities
          ? " JOIN \(statements.tableName) t0 ON t0.Z_PK = \(far)" : "")
      family = ""
    }
  }

  func sql(_ group: KeyGroups.Group) -> String {
    let entity = destination.hasSubentities ? ["t0.Z_ENT"] : []
    let columns = [near, far] + entity + [place].compactMap(\.self)
    let order = [near] + [place].compactMap(\.self) + entity + [far]
    return "SELECT \(columns.joined(separator: ", ")) FROM \(source) WHERE \(family)"
      + group.condition(near) + " ORDER BY \(order.joined(separator: ", "))"
  }

  /// Nil where there is no order.
  var lastPosition: String? {
    place.map { "SELECT MAX(\($0)) FROM \(source) WHERE \(family)\(near) = ?" }
  }

  func position(_ statement: Statement) -> Int64? {
    let column: Int32 = destination.hasSubentities ? 3 : 2
    return place != nil && !statement.isNull(column) ? statement.integer(column) : nil
  }

  func otherEntity(_ statement: Statement, _ plan: StorePlan) -> Int {
    destination.hasSubentities
      ? plan.numbers.modelNumber(statement.integer(2), else: destination.number)
      : destination.number
  }
}
