// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// A question for values makes no objects, whatever its context has not saved: changed, new, moved and deleted objects
/// that the question concerns, and those that they are linked to.
@Suite struct ObjectlessQuestionTests {
  private typealias Ask = @Sendable (ManagedObjectContext) throws -> String

  private static let questions: [(name: String, ask: Ask)] = [
    ("count", { try "\(Deal.count(where: \.buyer?.city == "Oslo", in: $0))" }),
    ("count of members", { try "\(Buyer.count(where: \.deals.count > 1, in: $0))" }),
    ("count by members", { try "\(Buyer.where("ANY deals.freight > 40").count(in: $0))" }),
    ("count by joins", { try "\(Seller.where("ANY districts.name == 'Fjords'").count(in: $0))" }),
    ("count far away", { try "\(DealLine.where(\.deal?.buyer?.city == "Oslo").count(in: $0))" }),
    ("bounded count", { try "\(Deal.where(\.buyer?.city != nil).limit(4).count(in: $0))" }),
    ("exists", { try "\(Deal.where(\.seller?.name == "Nora").exists(in: $0))" }),
    ("ids", { try "\(Deal.where(\.buyer?.city == "Oslo").ids(in: $0).count)" }),
    (
      "pluck",
      { try "\(Deal.sorted(by: \.number).pluck(\.number, \.buyer?.name, in: $0))" }
    ),
    (
      "pluck of orders of members",
      { try "\(Deal.sorted(by: \.number).pluck((\Deal.lines).sum(\.quantity), in: $0))" }
    ),
    (
      "first members",
      {
        let price = TypedExpression<Deal, Double>(try FetchExpression(format: "lines[FIRST].price"))
        return try "\(Deal.sorted(by: \.number).pluck(price, in: $0))"
      }
    ),
    ("sum", { try "\(Deal.where(\.buyer?.country == "UK").sum(\.freight, in: $0))" }),
    ("sum of doubles", { try "\(Deal.sum(\.freight, in: $0))" }),
    ("mean of dates", { try "\(Deal.average(\.day, in: $0) as Date?)" }),
    (
      "groups",
      {
        try
          "\(Deal.request.grouped(by: \.buyer?.city) { ($0.count, $0.sum(\.freight)) }.fetch(in: $0))"
      }
    ),
    (
      "groups of different values",
      {
        try
          "\(Deal.request.grouped(by: \.seller?.name) { $0.count(distinct: \.buyer) }.fetch(in: $0))"
      }
    ),
    (
      "dictionaries",
      { context in
        var request = FetchRequest("Deal", sortedBy: [SortTerm("buyer.name"), SortTerm("number")])
        request.propertiesToFetch = ["number", "buyer.city", "lines.@count"]
        return try "\(Array(context.fetchDictionaries(request)))"
      }
    ),
  ]

  /// Changes objects at both ends of links.
  private func change(_ context: ManagedObjectContext) throws {
    func buyer(_ code: String) throws -> Buyer {
      try #require(try Buyer.first(where: \.code == code, in: context))
    }
    try buyer("CORAL").city = "Oslo"
    let new = Buyer.create(in: context)
    (new.code, new.name, new.city) = ("NEWER", "Newer", "Oslo")
    let moved = try #require(try Deal.first(where: \.number == 105, in: context))
    moved.buyer = new
    moved.lines.swapAt(0, 1)
    try #require(try Deal.first(where: \.number == 110, in: context)).seller = nil
    context.delete(try buyer("FJORD"))
    context.delete(try #require(try Deal.first(where: \.number == 101, in: context)))
    let line = DealLine.create(in: context)
    (line.quantity, line.price, line.deal) = (7, 0.1, moved)
    let seller = try #require(try Seller.first(where: \.number == 2, in: context))
    let district = District.create(in: context)
    district.name = "Fjords"
    seller.districts = [district]
    try #require(try Seller.first(where: \.number == 4, in: context)).districts.insert(district)
  }

  @Test(arguments: StoreKind.allCases, [1, 2])
  func noObjectIsMade(in kind: StoreKind, depth: Int) throws {
    for question in Self.questions {
      let stack = DataStack(store: try kind.store(Trade.model), classes: Trade.classes)
      try stack.newContext().performAndWait { context in
        Trade.fill(context)
        try context.save()
      }
      let queue = try #require(stack.chain(depth: depth).last)
      let before = try queue.performAndWait { context in
        try change(context)
        context.retainsRegisteredObjects = true
        let known = context.registeredObjects
        let answer = try question.ask(context)
        let made = context.registeredObjects.subtracting(known)
        #expect(made.isEmpty, "\(question.name) made \(made)")
        return answer
      }
      let after = try queue.performAndWait { context in
        try context.save()
        context.reset()
        return try question.ask(context)
      }
      #expect(before == after, "\(question.name)")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func aFetchMakesOnlyTheObjectsThatItReturns(in kind: StoreKind) throws {
    let stack = DataStack(store: try kind.store(Trade.model), classes: Trade.classes)
    try stack.newContext().performAndWait { context in
      Trade.fill(context)
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      try change(context)
      context.retainsRegisteredObjects = true
      let known = context.registeredObjects
      let found = try Deal.where(\.buyer?.city == "Oslo").fetch(in: context)
      #expect(found.count == 4)
      #expect(context.registeredObjects.subtracting(known).isSubset(of: Set(found)))
    }
  }
}
