// SPDX-License-Identifier: MIT
import SporadesExplaining
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// The ways in which SQLite finds the answers. Cities of buyers, numbers and days of deals, and all relationships have
/// indexes.
@Suite struct TradePlanQuestionTests {
  private func plan(_ request: FetchRequest) throws -> FetchPlan {
    let stack = DataStack(store: try StoreKind.sqlite.store(Trade.model), classes: Trade.classes)
    return try stack.newContext().performAndWait { try $0.explain(request) }
  }

  private func plan(_ entity: String, _ format: String, limit: Int? = nil) throws -> FetchPlan {
    var request = FetchRequest(entity, where: try FetchPredicate(format: format))
    request.fetchLimit = limit
    return try plan(request)
  }

  /// A program's own SQL would be served by indexes, so that this one must be, too.
  @Test(arguments: [
    ("Deal", "buyer.city == 'London'"),
    ("Deal", "buyer.city IN {'London', 'Bergen'}"),
    ("Deal", "buyer.city IN {'London', 'Bergen'} AND freight > 10"),
    ("DealLine", "deal.buyer.city == 'London'"),
    ("DealLine", "deal.buyer.city IN {'London', 'Kiel'} AND article != nil"),
    ("Deal", "buyer.city == 'London' OR buyer.city == 'Kiel'"),
    ("DealLine", "deal.number == 105 OR deal.buyer.city == 'Kiel' AND deal.number == 102"),
    ("DealLine", "deal.number == 105"), ("DealLine", "deal.number BETWEEN {105, 107}"),
    ("Buyer", "ANY deals.number == 105"), ("Buyer", "ANY deals.number IN {105, 107}"),
    ("Buyer", "name != 'x' AND ANY deals.number == 105"),
    ("Buyer", "SUBQUERY(deals, $d, $d.number == 105 AND $d.freight > 3).@count > 0"),
    ("Buyer", "SUBQUERY(deals, $d, $d.seller.boss == nil AND $d.number == 105).@count != 0"),
    ("Vendor", "ANY articles.lines.deal.number == 105"), ("Buyer", "105 IN deals.number"),
    ("Buyer", "city == 'London' AND ANY deals.number == 105"),
  ])
  func indexesServe(entity: String, format: String) throws {
    let plan = try plan(entity, format)
    #expect(plan.isServedByIndexes, "\(plan)\n\(plan.statement ?? "")")
  }

  @Test func aMembersOwnerIsFoundByTheMember() throws {
    let stack = DataStack(store: try StoreKind.sqlite.store(Trade.model), classes: Trade.classes)
    try stack.newContext().performAndWait { context in
      let (deal, district) = (Deal.create(in: context), District.create(in: context))
      try context.save()
      for plan in [
        try Buyer.where((\Buyer.deals).contains(deal)).explain(in: context),
        try Seller.where((\Seller.districts).contains(district)).explain(in: context),
        try Seller.where("ANY districts == %@", district).explain(in: context),
      ] {
        #expect(plan.isServedByIndexes, "\(plan)")
      }
    }
  }

  /// A condition on the owners goes first where an index finds them, because the members of few are asked then.
  @Test func ownersThatAnIndexFindsAreAskedForTheirMembers() throws {
    let plan = try plan("Buyer", "city == 'London' AND ANY deals.number == 105")
    #expect(plan.statement?.contains("EXISTS (SELECT 1 FROM") == true)
  }

  /// Whether there are members is known after the first one.
  @Test(arguments: [
    ("deals.@count > 0", "EXISTS"), ("deals.@count == 0", "NOT EXISTS"),
    ("NOT deals.@count == 0", "EXISTS"), ("deals.@count >= 1", "EXISTS"),
    ("SUBQUERY(deals, $d, $d.freight > 3).@count == 0", "NOT EXISTS"),
    ("SUBQUERY(deals, $d, $d.freight > 3).@count < 1", "NOT EXISTS"),
  ])
  func existenceIsNotCounted(format: String, words: String) throws {
    let statement = try #require(try plan("Buyer", format).statement)
    #expect(statement.contains(" WHERE \(words) (SELECT 1 FROM"), "\(statement)")
    #expect(!statement.contains("COUNT("))
  }

  /// An object without a linked row satisfies these, so its row must not be left out.
  @Test(arguments: [
    "buyer.city == nil", "buyer.city != 'London'", "buyer.city IN {'London', nil}",
    "buyer.city == 'London' OR freight > 3", "NOT buyer.city == 'London'",
  ])
  func objectsWithoutALinkedRowStay(format: String) throws {
    let statement = try #require(try plan("Deal", format).statement)
    #expect(statement.contains("LEFT JOIN"), "\(statement)")
  }
}
