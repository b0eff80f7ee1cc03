// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// The program that writes: each save inserts, changes and deletes some products, or renames a category.
struct Shopkeeper {
  private let service: DALService
  private let seed: UInt64

  init(_ service: DALService, seed: UInt64) {
    self.service = service
    self.seed = seed
  }

  func write(_ count: Int, _ durability: Durability) throws {
    var random = SplitMix(state: seed)
    for _ in 0..<count {
      var dice = random
      _ = random.next()
      try service.writeSync(durability: durability) { context in
        change(context, &dice)
      }.get()
    }
    Catalog.say("wrote \(count) times")
  }

  private func change(_ context: ReportingContext, _ dice: inout SplitMix) {
    let categories = Category.all(sortedBy: \.name, in: context)
    var products = Product.all(sortedBy: \.name, in: context).shuffled(using: &dice)
    if categories.count < 3 {
      Category.create(in: context).name = "category\(categories.count)"
    } else if Int.random(in: 0..<5, using: &dice) == 0 {
      categories.randomElement(using: &dice)?.name = "category\(dice.next() % 1_000)"
    }
    for product in products.suffix(Int.random(in: 0...3, using: &dice)) {
      product.price = Int(dice.next() % 1_000)
      if Int.random(in: 0..<4, using: &dice) == 0 { product.isForSale.toggle() }
      if Bool.random(using: &dice) { product.category = categories.randomElement(using: &dice) }
      products.removeLast()
    }
    if products.count > 40 { for product in products.prefix(3) { context.delete(product) } }
    if let product = products.first, Int.random(in: 0..<4, using: &dice) == 0 {
      context.delete(product)
    }
    let isBook = Bool.random(using: &dice)
    let product = isBook ? Book.create(in: context) : Product.create(in: context)
    product.name = "thing\(dice.next() % 100_000)"
    product.category = categories.randomElement(using: &dice)
    (product as? Book)?.author = Self.authors.randomElement(using: &dice) ?? ""
  }

  private static let authors = ["Austen", "Borges", "Chekhov", "Dinesen"]
}

/// Random numbers from a seed, so that a run can be repeated.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
