// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGraph
import SporadesModel
import SporadesStore

extension Trade {
  /// Calls the body with a context whose objects are not saved, with one whose objects are, and with one whose saved
  /// objects differ from what the context shows: some have other values, some are missing, and some are deleted.
  static func open(
    _ kind: StoreKind, _ body: (ManagedObjectContext, String) throws -> Void
  ) throws {
    for (isSaved, isDisturbed) in [(false, false), (true, false), (true, true)] {
      let stack = DataStack(store: try kind.store(model), classes: classes)
      try stack.newContext().performAndWait { context in
        let objects = TradeObjects(context)
        let added = isDisturbed ? objects.disturb(context) : []
        if isSaved { try context.save() }
        if isDisturbed { objects.mend() }
        for object in added { context.delete(object) }
        try body(context, isDisturbed ? "changed" : isSaved ? "saved" : "new")
      }
    }
  }

  /// Makes the objects of the company.
  static func fill(_ context: ManagedObjectContext) { _ = TradeObjects(context) }

  /// The beginning of a day in UTC, from a text such as "2024-02-29".
  static func date(_ text: String?) -> Date? {
    guard let parts = text?.split(separator: "-").compactMap({ Int($0) }), parts.count == 3 else {
      return nil
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: DateComponents(year: parts[0], month: parts[1], day: parts[2]))
  }

  /// The text of a day.
  static func text(_ date: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    let numbers = [parts.year ?? 0, parts.month ?? 0, parts.day ?? 0]
    return numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
  }
}

/// The objects of the company in one context.
private struct TradeObjects {
  let buyers: [Buyer]
  let sellers: [Seller]
  let districts: [District]
  let vendors: [Vendor]
  let articles: [Article]
  let deals: [Deal]
  let lines: [DealLine]

  init(_ context: ManagedObjectContext) {
    buyers = Trade.buyers.map { _ in Buyer.create(in: context) }
    sellers = Trade.sellers.map { _ in Seller.create(in: context) }
    districts = Trade.districts.map { _ in District.create(in: context) }
    vendors = Trade.vendors.map { _ in Vendor.create(in: context) }
    articles = Trade.articles.map { _ in Article.create(in: context) }
    deals = Trade.deals.map { _ in Deal.create(in: context) }
    lines = Trade.lines.map { _ in DealLine.create(in: context) }
    fillPeople()
    fillGoods()
    fillDeals()
  }

  private func fillPeople() {
    for (buyer, row) in zip(buyers, Trade.buyers) {
      (buyer.code, buyer.name, buyer.contact) = (row.code, row.name, row.contact)
      (buyer.city, buyer.region, buyer.country) = (row.city, row.region, row.country)
    }
    for (seller, row) in zip(sellers, Trade.sellers) {
      (seller.number, seller.name, seller.title) = (row.number, row.name, row.title)
      (seller.city, seller.born) = (row.city, Trade.date(row.born))
      seller.boss = row.boss.map { sellers[$0 - 1] }
    }
    for (district, name) in zip(districts, Trade.districts) {
      district.name = name
      let numbers = Trade.sellersOfDistricts.filter { $0.district == name }.map(\.seller)
      district.sellers = Set(numbers.map { sellers[$0 - 1] })
    }
  }

  private func fillGoods() {
    for (vendor, row) in zip(vendors, Trade.vendors) {
      (vendor.name, vendor.country) = (row.name, row.country)
    }
    for (article, row) in zip(articles, Trade.articles) {
      (article.number, article.name, article.stock) = (row.number, row.name, row.stock)
      article.price = row.price.flatMap { Decimal(string: $0) }
      article.isDropped = row.isDropped
      article.vendor = vendors.first { $0.name == row.vendor }
    }
  }

  private func fillDeals() {
    for (deal, row) in zip(deals, Trade.deals) {
      (deal.number, deal.day, deal.shipped) = (
        row.number, Trade.date(row.day), Trade.date(row.shipped)
      )
      deal.freight = row.freight
      deal.buyer = zip(buyers, Trade.buyers).first { $0.1.code == row.buyer }?.0
      deal.seller = row.seller.map { sellers[$0 - 1] }
    }
    for (place, (line, row)) in zip(lines, Trade.lines).enumerated() {
      (line.number, line.price, line.quantity) = (place + 1, row.price, row.quantity)
      line.discount = row.discount
      line.article = row.article.map { articles[$0 - 1] }
    }
    for (deal, row) in zip(deals, Trade.deals) {
      deal.lines = zip(lines, Trade.lines).filter { $0.1.deal == row.number }.map(\.0)
    }
  }

  // MARK: - Differences between the context and its store

  /// Gives every third object other values and other links, and returns objects that it adds.
  func disturb(_ context: ManagedObjectContext) -> [ManagedObject] {
    for buyer in buyers.enumerated().filter({ $0.offset % 3 == 0 }).map(\.element) {
      (buyer.city, buyer.country, buyer.name) = ("Nowhere", "London", "zzz")
    }
    for seller in sellers.enumerated().filter({ $0.offset % 3 == 1 }).map(\.element) {
      (seller.boss, seller.title, seller.districts) = (sellers[2], "London", Set(districts))
    }
    for article in articles.enumerated().filter({ $0.offset % 3 == 2 }).map(\.element) {
      (article.price, article.stock, article.isDropped, article.vendor) = (99, 99, true, vendors[0])
    }
    for deal in deals.enumerated().filter({ $0.offset % 3 == 0 }).map(\.element) {
      (deal.buyer, deal.seller, deal.freight, deal.day) = (buyers[8], sellers[4], 1000, nil)
      deal.lines = Array(deal.lines.reversed())
    }
    for line in lines.enumerated().filter({ $0.offset % 3 == 1 }).map(\.element) {
      (line.price, line.quantity, line.article) = (1000, 99, articles[4])
    }
    let extra = (Deal.create(in: context), DealLine.create(in: context), Buyer.create(in: context))
    (extra.0.number, extra.1.number, extra.2.code) = (999, 999, "EXTRA")
    extra.0.lines = [extra.1]
    (extra.0.buyer, extra.0.seller, extra.1.article) = (buyers[0], sellers[0], articles[0])
    let article = Article.create(in: context)
    article.vendor = vendors[1]
    return [extra.0, extra.1, extra.2, article]
  }

  /// Gives all objects their values.
  func mend() {
    fillPeople()
    fillGoods()
    fillDeals()
  }
}
