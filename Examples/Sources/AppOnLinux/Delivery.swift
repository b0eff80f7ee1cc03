// SPDX-License-Identifier: MIT
import CoreData

/// What a server would send: things to buy, with their shops.
struct Delivery: Decodable {
  struct Entry: Decodable {
    let name: String
    let shop: String
    let count: Int
    let price: Decimal?
  }

  let items: [Entry]

  static let first = """
    {"items": [
      {"name": "Milk", "shop": "Dairy", "count": 2, "price": 1.25},
      {"name": "Cheese", "shop": "Dairy", "count": 1, "price": 4.5},
      {"name": "Bread", "shop": "Bakery", "count": 3}
    ]}
    """

  /// Decodes a text, and puts its things into a context of the background.
  static func `import`(_ text: String, into container: NSPersistentContainer) async throws {
    let delivery = try JSONDecoder().decode(Delivery.self, from: Data(text.utf8))
    try await container.performBackgroundTask { context in
      for entry in delivery.items {
        let item = Item(context: context)
        item.name = entry.name
        item.count = Int64(entry.count)
        // Without a price the item keeps the default of the model.
        if let price = entry.price { item.price = price as NSDecimalNumber }
        try shop(named: entry.shop, in: context).addToItems(item)
      }
      try context.save()
    }
  }

  private static func shop(named name: String, in context: NSManagedObjectContext) throws -> Shop {
    let request: NSFetchRequest<Shop> = Shop.fetchRequest()
    request.predicate = NSPredicate(format: "name == %@", name)
    request.fetchLimit = 1
    if let shop = try context.fetch(request).first { return shop }
    let shop = Shop(context: context)
    shop.name = name
    return shop
  }
}
