// SPDX-License-Identifier: MIT
public import SporadesModel
import SporadesSQL
public import SporadesStore

// The links of to-many relationships, with their places in an order.

extension SQLiteStore {
  public func links(
    of relationship: RelationshipShape, owners: [RowKey], in view: StoreView
  ) throws(StoreError) -> [StoredLink] {
    guard !owners.isEmpty, let members = members(of: relationship) else { return [] }
    let keys = Dictionary(owners.map { ($0.primaryKey, $0) }, uniquingKeysWith: { one, _ in one })
    return try read(view, isLookUp: owners.count == 1) { (connection) throws(StoreError) in
      var links: [StoredLink] = []
      var bound = RowBound()
      for group in KeyGroups(owners.map(\.primaryKey)) {
        let select = try connection.statement(members.select(group))
        group.bind(to: select)
        defer { select.reset() }
        while try select.step() {
          try bound.count(1, of: select)
          guard let owner = keys[select.integer(0)] else { continue }
          let key = try select.key(1, of: members.tableName)
          let entity = members.entityPlace.map {
            plan.numbers.modelNumber(select.integer($0), else: relationship.destination)
          }
          let position = members.positionPlace.flatMap {
            select.isNull($0) ? nil : select.integer($0)
          }
          links.append(
            StoredLink(
              owner: owner,
              other: RowKey(entity: entity ?? relationship.destination, primaryKey: key),
              position: position))
        }
      }
      return links
    }
  }

  public func lastPosition(
    in relationship: RelationshipShape, of owner: RowKey, in view: StoreView
  ) throws(StoreError) -> Int64? {
    guard let statement = members(of: relationship)?.lastPosition else { return nil }
    return try read(view, isLookUp: true) { (connection) throws(StoreError) in
      let select = try connection.statement(statement)
      defer { select.reset() }
      select.bind(owner.primaryKey, at: 1)
      return try select.step() && !select.isNull(0) ? select.integer(0) : nil
    }
  }

  private func members(of relationship: RelationshipShape) -> MemberStatement? {
    MemberStatement(relationship, to: plan.statements(relationship.destination), plan.layout)
  }
}
