// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import Testing

// Derived counts and sums of every kind: over one relationship and several, of every number, of
// links, and of other derived values.

enum Carts {
  static let classes: [ManagedObject.Type] = [
    Customer.self, Cart.self, Item.self, BigItem.self, Mark.self,
  ]
  static let model = try! ManagedObjectModel(classes)
}

@Entity final class Customer: ManagedObject {
  var number: Int = 0
  // Before what they are derived from, as the names of attributes may have it.
  @Derived("carts.@sum.amount") var amount: Int
  @Derived("carts.@count") var cartCount: Int
  @Derived("carts.items.@count") var itemCount: Int
  @Relationship(inverse: "customer") var carts: Set<Cart>
}

@Entity final class Cart: ManagedObject {
  var number: Int = 0
  @Derived("items.@sum.amount") var amount: Int
  @Derived("items.@count") var itemCount: Int
  @Derived("items.@count") var shortCount: Int16
  @Derived("items.@count") var realCount: Float
  @Derived("items.@sum.price") var price: Decimal
  @Derived("items.@sum.weight") var weight: Double
  @Derived("marks.@count") var markCount: Int
  @Derived("marks.@sum.number") var markSum: Int
  @Relationship(deleteRule: .cascade, inverse: "cart") var items: Set<Item>
  @Relationship(inverse: "carts") var customer: Customer?
  @Relationship(inverse: "carts") var marks: Set<Mark>
}

@Entity class Item: ManagedObject {
  var number: Int = 0
  var amount: Int?
  var price: Decimal = 0
  var weight: Double = 0
  @Relationship(inverse: "items") var cart: Cart?
}

@Entity final class BigItem: Item { var size: Int = 0 }

@Entity final class Mark: ManagedObject {
  var number: Int = 0
  @Relationship(inverse: "marks") var carts: Set<Cart>
}

extension StoreKind {
  func carts() throws -> DataStack {
    DataStack(store: try store(Carts.model), classes: Carts.classes)
  }
}

extension Cart {
  @discardableResult
  func add(_ amount: Int?, _ context: ManagedObjectContext) -> Item {
    let item = Item.create(in: context)
    item.amount = amount
    item.cart = self
    return item
  }

  var itemTotals: [Int] { [itemCount, amount] }

  /// The derived values that differ from what they are derived from.
  var wrongTotals: [String] {
    var wrong: [String] = []
    func check<V: Equatable>(_ name: String, _ value: V, _ expected: V) {
      if value != expected { wrong.append("Cart \(number).\(name): \(value), not \(expected)") }
    }
    check("amount", amount, items.reduce(0) { $0 + ($1.amount ?? 0) })
    check("itemCount", itemCount, items.count)
    check("shortCount", shortCount, Int16(items.count))
    check("realCount", realCount, Float(items.count))
    check("price", price, items.reduce(0) { $0 + $1.price })
    check("weight", weight, items.reduce(0) { $0 + $1.weight })
    check("markCount", markCount, marks.count)
    check("markSum", markSum, marks.reduce(0) { $0 + $1.number })
    return wrong
  }
}

extension Customer {
  /// The derived values that differ from what they are derived from.
  var wrongTotals: [String] {
    let expected = [
      carts.count, carts.reduce(0) { $0 + $1.amount }, carts.reduce(0) { $0 + $1.items.count },
    ]
    let values = [cartCount, amount, itemCount]
    return values == expected ? [] : ["Customer \(number): \(values), not \(expected)"]
  }
}

extension ManagedObjectContext {
  /// The derived values in the context that differ from what they are derived from.
  func wrongTotals() throws -> [String] {
    try Cart.all(sortedBy: "number", in: self).flatMap(\.wrongTotals)
      + Customer.all(sortedBy: "number", in: self).flatMap(\.wrongTotals)
  }
}
