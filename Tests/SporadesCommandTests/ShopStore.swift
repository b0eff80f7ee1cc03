// SPDX-License-Identifier: MIT
import Foundation
import Sporades

@Entity final class Customer: ManagedObject {
  var name: String = ""
  var age: Int?
  var city: String?
  var joined: Date?
  var balance: Decimal?
  var isActive: Bool = true
  var photo: Data?
  var code: UUID?
  @Relationship(deleteRule: .cascade, inverse: \Order.customer) var orders: Set<Order>
}

@Entity final class Order: ManagedObject {
  var number: Int = 0
  var total: Double = 0
  var customer: Customer?
}

/// A store with known contents.
struct ShopStore {
  let path: String

  init(in folder: WorkFolder, named name: String = "Shop.sqlite", customers: Int = 5) throws {
    path = folder.path(name)
    let store = try SQLiteStore(
      path: path, model: try ManagedObjectModel([Customer.self, Order.self]))
    try DataStack(store: store, classes: [Customer.self, Order.self]).newContext().performAndWait {
      context in
      for number in 1...customers {
        let customer = Customer.create(in: context)
        customer.name = number == 3 ? "O'Hara \"Ann\"" : "Customer \(number)"
        customer.age = number == 2 ? nil : 15 + number
        customer.city = number % 2 == 0 ? "Kiel" : "Ulm"
        customer.joined = Date(timeIntervalSinceReferenceDate: Double(number) * 86_400)
        customer.balance = Decimal(number) / 4
        customer.isActive = number != 4
        customer.photo = number == 1 ? Data([1, 2, 3]) : nil
        customer.code = number == 1 ? UUID(uuidString: "0F0E0D0C-0B0A-0908-0706-050403020100") : nil
        for place in 0..<(number % 3) {
          let order = Order.create(in: context)
          order.number = number * 10 + place
          order.total = Double(number) * 1.5
          order.customer = customer
        }
      }
      try context.save()
    }
    try store.commit(.immediate)
    try store.close()
  }
}
