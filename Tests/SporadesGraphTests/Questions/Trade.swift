// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

/// Who buys.
@Entity final class Buyer: ManagedObject {
  #Index<Buyer>([\.city])
  var code: String = ""
  var name: String = ""
  var contact: String?
  var city: String?
  var region: String?
  var country: String = ""
  @Relationship(inverse: \Deal.buyer) var deals: Set<Deal>
}

/// Who sells. A seller may report to another one.
@Entity final class Seller: ManagedObject {
  var number: Int = 0
  var name: String = ""
  var title: String?
  var city: String?
  var born: Date?
  @Relationship(inverse: \Seller.reports) var boss: Seller?
  var reports: Set<Seller>
  @Relationship(inverse: \Deal.seller) var deals: Set<Deal>
  @Relationship(inverse: \District.sellers) var districts: Set<District>
}

@Entity final class District: ManagedObject {
  var name: String = ""
  var sellers: Set<Seller>
}

/// What a buyer ordered. Its lines have an order.
@Entity final class Deal: ManagedObject {
  #Index<Deal>([\.number], [\.day])
  var number: Int = 0
  var day: Date?
  var shipped: Date?
  var freight: Double?
  var buyer: Buyer?
  var seller: Seller?
  @Relationship(inverse: \DealLine.deal) var lines: [DealLine]
}

@Entity final class DealLine: ManagedObject {
  var number: Int = 0
  var price: Double = 0
  var quantity: Int = 0
  var discount: Double = 0
  var deal: Deal?
  var article: Article?
}

@Entity final class Article: ManagedObject {
  var number: Int = 0
  var name: String = ""
  var price: Decimal?
  var stock: Int16 = 0
  var isDropped: Bool = false
  var vendor: Vendor?
  @Relationship(inverse: \DealLine.article) var lines: Set<DealLine>
}

@Entity final class Vendor: ManagedObject {
  var name: String = ""
  var country: String?
  @Relationship(inverse: \Article.vendor) var articles: Set<Article>
}

/// A company that trades in goods: the rows of its tables, from which the objects and the plain tables are made.
enum Trade {
  static let classes: [ManagedObject.Type] = [
    Buyer.self, Seller.self, District.self, Deal.self, DealLine.self, Article.self, Vendor.self,
  ]
  // The model is written here, so a mistake in it is a mistake of the tests.
  static let model = try! ManagedObjectModel(classes)

  typealias BuyerRow = (
    code: String, name: String, contact: String?, city: String?, region: String?, country: String
  )
  static let buyers: [BuyerRow] = [
    ("ANKER", "Anker Tools", "Mia Berg", "Bergen", nil, "Norway"),
    ("BIRKE", "Birke & Sons", "Tom Birke", "Kiel", "North", "Germany"),
    ("CORAL", "Coral Trading", "Ann Reed", "London", nil, "UK"),
    ("DELTA", "delta foods", "Tom Hall", "London", "South", "UK"),
    ("EBONY", "Ebony Crafts", nil, nil, nil, "Ghana"),
    ("FJORD", "Fjord Fish", "Åse Lund", "Bergen", "West", "Norway"),
    ("GRANO", "Grano's Bakery", "Ugo Neri", "Torino", nil, "Italy"),
    ("HELIX", "Helix 100% Ltd", "Ann Hill", "London", nil, "UK"),
    ("IDAHO", "Idaho_Seeds", "Mia Ford", "Boise", "West", "USA"),
  ]

  typealias SellerRow = (
    number: Int, name: String, title: String?, city: String?, born: String?, boss: Int?
  )
  static let sellers: [SellerRow] = [
    (1, "Nora", "Director", "London", "1970-03-15", nil),
    (2, "Otto", "Agent", "Kiel", "1982-12-01", 1), (3, "Pia", "Agent", "London", "1990-07-30", 1),
    (4, "Quentin", "Trainee", nil, "2001-02-28", 2), (5, "Rosa", nil, "Boise", nil, 2),
  ]
  static let districts = ["Coast", "Hills", "Islands", "Plains"]
  static let sellersOfDistricts: [(seller: Int, district: String)] = [
    (1, "Coast"), (1, "Hills"), (2, "Coast"), (3, "Islands"), (3, "Coast"), (4, "Hills"),
  ]

  static let vendors: [(name: String, country: String?)] = [
    ("Alma", "Italy"), ("Bloom", "UK"), ("Cirrus", nil),
  ]
  typealias ArticleRow = (
    number: Int, name: String, price: String?, stock: Int16, isDropped: Bool, vendor: String?
  )
  static let articles: [ArticleRow] = [
    (1, "Rope", "12.5", 30, false, "Alma"), (2, "Lamp", "40", 0, false, "Bloom"),
    (3, "Nail", "0.25", 500, false, "Alma"), (4, "Tent", "180", 7, true, "Bloom"),
    (5, "Oar", nil, 12, false, "Cirrus"), (6, "Net", "22.75", 0, true, nil),
    (7, "Ösfass", "9.5", 19, false, "Cirrus"), (8, "lantern", "40", 3, false, "Bloom"),
  ]

  typealias DealRow = (
    number: Int, day: String?, shipped: String?, freight: Double?, buyer: String?, seller: Int?
  )
  static let deals: [DealRow] = [
    (101, "2023-01-05", "2023-01-09", 12.5, "ANKER", 1),
    (102, "2023-01-31", "2023-02-02", 50, "BIRKE", 2), (103, "2023-03-12", nil, nil, "CORAL", 3),
    (104, "2023-11-30", "2023-12-24", 7.25, "ANKER", 3),
    (105, "2024-02-29", "2024-03-01", 110, "DELTA", 2),
    (106, "2024-03-01", "2024-03-01", 50, "CORAL", nil), (107, nil, nil, 3.5, nil, 4),
    (108, "2024-06-15", "2024-06-20", 64.75, "FJORD", 1), (109, "2024-06-15", nil, 0, "HELIX", 3),
    (110, "2024-12-31", "2025-01-08", 22, "ANKER", 2),
    (111, "2025-01-01", "2025-01-03", 18.5, "DELTA", 3), (112, "2025-05-20", nil, 41, "CORAL", 1),
  ]

  typealias LineRow = (price: Double, quantity: Int, discount: Double, deal: Int, article: Int?)
  /// The number of a line is its place here, from 1 on.
  static let lines: [LineRow] = [
    (12.5, 10, 0, 101, 1), (40, 2, 0.25, 101, 2), (0.25, 400, 0, 102, 3), (12, 5, 0, 102, 1),
    (180, 1, 0.5, 103, 4), (22.5, 4, 0, 104, 6), (9.5, 12, 0, 105, 7), (38, 3, 0, 105, 2),
    (12.5, 20, 0.25, 105, 1), (40, 1, 0, 106, 8), (0.25, 1000, 0.5, 108, 3), (175, 2, 0, 108, 4),
    (12.5, 8, 0, 109, 1), (40, 6, 0.25, 110, 2), (9.5, 2, 0, 110, 7), (22.75, 1, 0, 110, 6),
    (12.25, 30, 0, 111, 1), (5, 1, 0, 111, nil), (0.5, 40, 0, 112, 3), (41.5, 2, 0, 112, 8),
  ]
}
