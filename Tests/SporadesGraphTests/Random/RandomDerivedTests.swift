// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

/// Random changes in several contexts and a child, saved in any order. After each save to the store,
/// every derived value is what its expression says of all that is stored.
@Suite struct RandomDerivedTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  @Test(arguments: StoreKind.allCases)
  func derivedValuesAreWhatTheirExpressionsSay(_ kind: StoreKind) throws {
    let seeds = Self.number("SPORADES_SEED").map { $0...$0 } ?? 1...12
    let steps = Self.number("SPORADES_STEPS") ?? 400
    var saves = 0
    for seed in seeds {
      let run = try DerivedRun(kind, seed: UInt64(seed))
      for step in 1...steps {
        try run.step()
        guard let failure = run.failure else { continue }
        Issue.record(
          "seed \(seed), step \(step): \(failure)\n\(run.history.suffix(40).joined(separator: "\n"))"
        )
        return
      }
      saves += run.saves
    }
    #expect(saves * 20 > seeds.count * steps, "most saves were refused")
  }
}

private final class DerivedRun {
  private(set) var failure: String?
  private(set) var saves = 0
  private(set) var history: [String] = []
  private let stack: DataStack
  private let queues: [ContextQueue]
  private var random: SeededGenerator
  private var lastNumber = 0

  /// The last context is a child of the first.
  private var isChild: Bool { current == queues.count - 1 }
  private var current = 0

  init(_ kind: StoreKind, seed: UInt64) throws {
    stack = try kind.carts()
    random = SeededGenerator(seed: seed)
    let parent = stack.newContext()
    queues = [parent, stack.newContext(), stack.newContext(), stack.newChild(of: parent)]
    for (queue, policy) in zip(queues, [MergePolicy.objectTrump, .storeTrump, .overwrite]) {
      queue.performAndWait { $0.mergePolicy = policy }
    }
    parent.performAndWait { $0.undoManager = ContextUndoManager() }
    queues[1].performAndWait { $0.automaticallyMergesChangesFromParent = false }
    queues[3].performAndWait { $0.mergePolicy = .objectTrump }
  }

  func step() throws {
    current = Int.random(in: 0..<queues.count, using: &random)
    let kind = Int.random(in: 0..<100, using: &random)
    history.append("context \(current): \(kind)")
    if kind < 25 { return try save() }
    try queues[current].performAndWait { context in
      switch kind {
      case ..<30: context.refreshAllObjects()
      case ..<33: context.rollback()
      case ..<36: context.undo()
      case ..<38: context.redo()
      case ..<40: try refreshOne(context)
      default: try change(context)
      }
    }
  }

  // MARK: - Saves

  private func save() throws {
    let isSaved = queues[current].performAndWait { context in
      history.append("saves \(context.pendingChanges)")
      do {
        try context.save()
        return true
      } catch {
        history.append("refused: \(error)")
        context.rollback()
        return false
      }
    }
    guard isSaved, !isChild else { return }
    saves += 1
    let stored = try stack.newContext().performAndWait { context in
      let wrong = try context.wrongTotals()
      if !wrong.isEmpty { failure = "stored: \(wrong)" }
      return try totals(context)
    }
    // The context that keeps older rows shows what it saved, and what others saved later on.
    guard failure == nil, current != 1 else { return }
    let shown = try queues[current].performAndWait { try totals($0) }
    if shown != stored { failure = "shown \(shown), stored \(stored)" }
    try checkLists()
  }

  /// The lists in memory are those that the totals count.
  private func checkLists() throws {
    try queues[current].performAndWait { context in
      for cart in try Cart.all(in: context) {
        let counts = [cart.items.count, cart.marks.count]
        guard counts != [cart.itemCount, cart.markCount] else { continue }
        failure = "lists of \(cart.number) have \(counts), not \(cart.itemCount), \(cart.markCount)"
      }
      for customer in try Customer.all(in: context)
      where customer.carts.count != customer.cartCount {
        failure = "customer \(customer.number) has \(customer.carts.count) carts in memory"
      }
    }
  }

  private func totals(_ context: ManagedObjectContext) throws -> [[Int]] {
    try Cart.all(sortedBy: "number", in: context).map {
      [$0.number, $0.amount, $0.itemCount, $0.markCount, $0.markSum]
    }
      + Customer.all(sortedBy: "number", in: context).map {
        [$0.number, $0.amount, $0.cartCount, $0.itemCount]
      }
  }

  // MARK: - Changes

  private func pick<Object: ManagedObject>(
    _ type: Object.Type, _ context: ManagedObjectContext
  ) throws -> Object? {
    let object = try Object.all(sortedBy: "number", in: context).randomElement(using: &random)
    if let object { history.append("    \(object.objectID) \(object["number"])") }
    return object
  }

  private func next() -> Int {
    lastNumber += 1
    return lastNumber
  }

  private func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }

  private func refreshOne(_ context: ManagedObjectContext) throws {
    guard let cart = try pick(Cart.self, context), !cart.isInserted else { return }
    context.refresh(cart, mergeChanges: true)
  }

  private func change(_ context: ManagedObjectContext) throws {
    let kind = Int.random(in: 0..<16, using: &random)
    history.append("  change \(kind)")
    switch kind {
    case 0: try makeOwner(context)
    case 1...3: try makeItem(context)
    case 4, 5: try pick(Item.self, context)?.cart = chance(4) ? nil : pick(Cart.self, context)
    case 6, 7: if let item = try pick(Item.self, context) { fill(item) }
    case 8, 9: if let item = try pick(Item.self, context) { context.delete(item) }
    case 10: if chance(2), let cart = try pick(Cart.self, context) { context.delete(cart) }
    case 11: try pick(Cart.self, context)?.customer = pick(Customer.self, context)
    case 12: try moveAll(context)
    case 13, 14: try link(context)
    default: try changeMarks(context)
    }
  }

  private func makeOwner(_ context: ManagedObjectContext) throws {
    if chance(3) {
      Customer.create(in: context).number = next()
    } else if chance(6), let customer = try pick(Customer.self, context) {
      context.delete(customer)
    } else {
      let cart = Cart.create(in: context)
      cart.number = next()
      cart.customer = try pick(Customer.self, context)
    }
  }

  private func makeItem(_ context: ManagedObjectContext) throws {
    let item = chance(3) ? BigItem.create(in: context) : Item.create(in: context)
    item.number = next()
    fill(item)
    item.cart = try pick(Cart.self, context)
  }

  private func fill(_ item: Item) {
    item.amount = chance(5) ? nil : Int.random(in: -50...50, using: &random)
    item.price = Decimal(Int.random(in: -999...999, using: &random)) / 100
    item.weight = Double(Int.random(in: -40...40, using: &random)) / 4
  }

  private func moveAll(_ context: ManagedObjectContext) throws {
    guard let source = try pick(Cart.self, context), let target = try pick(Cart.self, context)
    else { return }
    let items = source.items
    source.items = []
    if !chance(3) { target.items.formUnion(items) }
  }

  private func link(_ context: ManagedObjectContext) throws {
    guard let cart = try pick(Cart.self, context), let mark = try pick(Mark.self, context)
    else { return }
    if chance(3) { cart.marks.remove(mark) } else { cart.marks.insert(mark) }
  }

  private func changeMarks(_ context: ManagedObjectContext) throws {
    if chance(2) {
      Mark.create(in: context).number = next()
    } else if let mark = try pick(Mark.self, context) {
      if chance(3) { context.delete(mark) } else { mark.number = next() }
    }
  }
}

extension ManagedObjectContext {
  /// What the next save writes, for the history of a failure.
  fileprivate var pendingChanges: [String] {
    [("new", insertedObjects), ("changed", updatedObjects), ("deleted", deletedObjects)].flatMap {
      kind, objects in
      objects.map { "\(kind) \($0.objectID) \($0.isDeleted ? [:] : $0.changedValues())" }
    }
  }
}
