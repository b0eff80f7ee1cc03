// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

// Every delete rule over every kind of relationship, and no derived values: what a store can change by itself.

enum Depot {
  static let classes: [ManagedObject.Type] = [
    Ware.self, GiftWare.self, Aisle.self, Opinion.self, Sticker.self, Maker.self, Tally.self,
    Parcels.self,
  ]
  static let model = try! ManagedObjectModel(classes)
}

enum WarePhase: Int16, CaseIterable { case open, sold, closed }

@Entity class Ware: ManagedObject {
  var number: Int = 0
  var name: String = ""
  var price: Double = 0
  var stock: Int16 = 0
  var phase: WarePhase = .open
  var label: String?
  var added: Date?
  var cost: Decimal?
  @Attribute(.unique) var code: String?
  @Attribute(.length(1...4)) var mark: String?
  @Relationship(inverse: "wares") var aisle: Aisle?
  @Relationship(inverse: "window") var windowOf: Aisle?
  @Relationship(deleteRule: .cascade, inverse: "ware") var opinions: Set<Opinion>
  @Relationship(inverse: "wares") var stickers: [Sticker]
  @Relationship(inverse: "similar") var similar: Set<Ware>
  @Relationship(inverse: "ware") var tally: Tally?
  @Relationship(inverse: "wares") var maker: Maker?
  @Relationship(deleteRule: .cascade, inverse: "whole") var parts: Set<Ware>
  @Relationship(inverse: "parts") var whole: Ware?
}

@Entity final class GiftWare: Ware { var ribbon: String? }

@Entity final class Aisle: ManagedObject {
  var number: Int = 0
  @Relationship(inverse: "aisle") var wares: Set<Ware>
  @Relationship(inverse: "windowOf") var window: [Ware]
  var extras: Set<Sticker>
}

@Entity final class Opinion: ManagedObject {
  var number: Int = 0
  var stars: Int = 0
  @Relationship(inverse: "opinions") var ware: Ware?
}

@Entity final class Sticker: ManagedObject {
  var number: Int = 0
  @Relationship(inverse: "stickers") var wares: Set<Ware>
}

@Entity final class Maker: ManagedObject {
  var number: Int = 0
  @Relationship(deleteRule: .deny, inverse: "maker") var wares: Set<Ware>
}

@Entity final class Tally: ManagedObject {
  var number: Int = 0
  @Relationship(inverse: "tally") var ware: Ware?
}

@Entity final class Parcels: ManagedObject {
  var number: Int = 0
  override func willSave() {
    if number < 0 { number = 0 }
  }
}

extension StoreKind {
  func depot() throws -> DataStack {
    DataStack(store: try store(Depot.model), classes: Depot.classes)
  }
}

extension Ware {
  @discardableResult
  static func make(
    _ number: Int, price: Double = 0, stock: Int16 = 0, in context: ManagedObjectContext
  ) -> Self {
    let ware = Self.create(in: context)
    ware.number = number
    ware.name = "ware \(number)"
    ware.price = price
    ware.stock = stock
    return ware
  }
}

extension DataStack {
  /// Runs `body` in a new context, and saves it.
  func saving(_ body: (ManagedObjectContext) throws -> Void) throws {
    try newContext().performAndWait { context in
      try body(context)
      try context.save()
    }
  }

  /// Saves as many wares, numbered from 1, with the prices 1, 2, 3 and so on.
  func saveWares(_ count: Int) throws {
    try saving { context in
      for number in 1...count { Ware.make(number, price: Double(number), in: context) }
    }
  }

  /// The version of each object of an entity in the store, by its number.
  func versions(of entity: String = "Ware") throws -> [Int: Int64] {
    let shape = try #require(model.shape(named: entity))
    let slot = try #require(shape.attributes.first { $0.name == "number" }?.slot)
    var versions: [Int: Int64] = [:]
    for page in try store.rows(StoreFetch(shape), in: .accepted) {
      for index in 0..<page.count {
        versions[Int(Int64(bitPattern: page.word(index, slot: slot)))] = page.version(index)
      }
    }
    return versions
  }
}
