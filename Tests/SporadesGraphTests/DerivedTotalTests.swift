// SPDX-License-Identifier: MIT
import Foundation
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Derived counts and sums follow what a save changes, and read none of the other members.
@Suite struct DerivedTotalTests {
  // MARK: - What is read

  @Test(arguments: StoreKind.allCases)
  func noOtherMemberIsRead(in kind: StoreKind) throws {
    let members = 10_000
    let store = RefusingStore(try kind.store(People.model))
    let stack = DataStack(store: store, classes: People.classes)
    let id = try stack.newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      for _ in 0..<members { Dog.create(in: context).owner = ann }
      try context.save()
      return ann.objectID
    }
    /// Saves one change in a context of its own, and tells how many rows were read for it.
    func rowsRead(_ change: (Person, Dog, ManagedObjectContext) throws -> Void) throws -> Int {
      try stack.newContext().performAndWait { context in
        let ann = try #require(try context.existingObject(with: id) as? Person)
        let dog = try #require(try Dog.first(in: context))
        try change(ann, dog, context)
        let before = store.rowsRead
        try context.save()
        return store.rowsRead - before
      }
    }
    #expect(try rowsRead { ann, _, context in Dog.create(in: context).owner = ann } == 0)
    #expect(try rowsRead { _, dog, _ in dog.weight = 5 } <= 1)
    #expect(try rowsRead { _, dog, _ in dog.owner = nil } <= 1)
    #expect(try rowsRead { _, dog, context in context.delete(dog) } <= 1)
    #expect(try rowsRead { ann, _, _ in ann.age = 7 } == 0)
    try stack.newContext().performAndWait { context in
      let ann = try #require(try Person.first(in: context))
      #expect(ann.dogCount == ann.dogs.count)
      #expect(ann.dogWeight == ann.dogs.reduce(0) { $0 + $1.weight })
      #expect(ann.dogCount >= members - 1)
    }
  }

  /// A save that others have overtaken reads the owner again, and no member.
  @Test(arguments: StoreKind.allCases)
  func aSaveThatWasOvertakenReadsTheOwnerAlone(in kind: StoreKind) throws {
    let store = RefusingStore(try kind.store(Carts.model))
    let stack = DataStack(store: store, classes: Carts.classes)
    try stack.newContext().performAndWait { context in
      let cart = Cart.create(in: context)
      for amount in 1...1_000 { cart.add(amount, context) }
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      let cart = try #require(try Cart.first(in: context))
      cart.add(7, context)
      try stack.newContext().performAndWait { other in
        try #require(try Cart.first(in: other)).add(11, other)
        try other.save()
      }
      let before = store.rowsRead
      try context.save()
      #expect(store.rowsRead - before < 10)
      #expect(cart.itemTotals == [1_002, 500_518])
    }
    #expect(try stack.newContext().performAndWait { try $0.wrongTotals() } == [])
  }

  /// Of links, keys are enough for a count.
  @Test(arguments: StoreKind.allCases)
  func linkedObjectsAreCountedWithoutTheirRows(in kind: StoreKind) throws {
    var count = AttributeDescription("tagCount", .integer64, isOptional: true)
    count.derivationExpression = "tags.@count"
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Page", attributes: [count], relationships: [.toMany("tags", "Tag", inverse: "pages")]),
      EntityDescription("Tag", relationships: [.toMany("pages", "Page", inverse: "tags")]),
    ])
    let store = RefusingStore(try kind.store(model))
    let stack = DataStack(store: store)
    try stack.newContext().performAndWait { context in
      let page = try context.insert(entityNamed: "Page")
      page.setObjects(
        try (0..<100).map { _ in try context.insert(entityNamed: "Tag") }, forKey: "tags")
      try context.save()
    }
    try stack.newContext().performAndWait { context in
      let page = try #require(try context.fetch(FetchRequest("Page")).first)
      #expect(page["tagCount"] == 100)
      let tag = try context.insert(entityNamed: "Tag")
      tag.setObjects([page], forKey: "pages")
      let before = store.rowsRead
      try context.save()
      #expect(store.rowsRead - before == 0)
      #expect(page["tagCount"] == 101)
    }
  }

  // MARK: - What is computed

  @Test(arguments: StoreKind.allCases)
  func valuesThatAreDerivedFromDerivedOnesFollow(in kind: StoreKind) throws {
    let stack = try kind.carts()
    try stack.newContext().performAndWait { context in
      let customer = Customer.create(in: context)
      let cart = Cart.create(in: context)
      cart.customer = customer
      cart.add(4, context)
      try context.save()
      #expect(customer.amount == 4)
    }
    try stack.newContext().performAndWait { context in
      try #require(try Cart.first(in: context)).add(3, context)
      try context.save()
      #expect(try Customer.first(in: context)?.amount == 7)
      #expect(try context.wrongTotals() == [])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func decimalsAreAddedWithoutRounding(in kind: StoreKind) throws {
    let stack = try kind.carts()
    try stack.newContext().performAndWait { context in
      let cart = Cart.create(in: context)
      let large = cart.add(nil, context)
      large.price = try #require(Decimal(string: "10000000000000000000000000000000000"))
      try context.save()
      let small = cart.add(nil, context)
      small.price = try #require(Decimal(string: "0.0000000001"))
      try context.save()
      context.delete(large)
      try context.save()
      #expect(cart.price == small.price)
      for _ in 0..<10 {
        cart.add(nil, context).price = try #require(Decimal(string: "0.1"))
        try context.save()
      }
      #expect(cart.price == Decimal(string: "1.0000000001"))
    }
  }

  /// Sums of real numbers are computed of all members, because differences would drift.
  @Test(arguments: StoreKind.allCases)
  func realNumbersDoNotDrift(in kind: StoreKind) throws {
    let stack = try kind.carts()
    try stack.newContext().performAndWait { context in
      let cart = Cart.create(in: context)
      let large = cart.add(nil, context)
      large.weight = 1e17
      cart.add(nil, context).weight = 0.25
      try context.save()
      large.weight = 0.5
      try context.save()
      #expect(cart.weight == 0.75)
      context.delete(large)
      try context.save()
      #expect(cart.weight == 0.25)
      for item in cart.items { context.delete(item) }
      try context.save()
      #expect(cart.value(forKey: "weight") == .double(0))
    }
  }

  /// A file may have been written without derived values.
  @Test func aTotalThatIsNotStoredIsComputed() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("Carts.sqlite")
    func withCart(_ change: (Cart, ManagedObjectContext) throws -> Void) throws {
      let store = try SQLiteStore(url: url, model: Carts.model)
      let stack = DataStack(store: store, classes: Carts.classes)
      try stack.newContext().performAndWait { context in
        try change(try Cart.first(in: context) ?? Cart.create(in: context), context)
        try context.save()
        #expect(try context.wrongTotals() == [])
      }
      try store.close()
    }
    try withCart { cart, context in for amount in 1...3 { cart.add(amount, context) } }
    try OtherProgram.run(
      ["UPDATE ZCART SET ZITEMCOUNT = NULL, ZAMOUNT = NULL, ZPRICE = NULL, ZWEIGHT = NULL"], on: url
    )
    try withCart { cart, context in cart.add(4, context) }
    try OtherProgram.run(["UPDATE ZCART SET ZITEMCOUNT = NULL, ZAMOUNT = NULL"], on: url)
    try withCart { cart, _ in cart.items.first?.amount = 9 }
    try OtherProgram.run(["UPDATE ZCART SET ZITEMCOUNT = NULL, ZAMOUNT = NULL"], on: url)
    try withCart { cart, _ in cart.number = 9 }
  }

  /// What another process writes shows in the version of the owner's row alone.
  @Test func membersOfAnotherProcessAreCounted() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("Carts.sqlite")
    func open() throws -> DataStack {
      DataStack(store: try SQLiteStore(url: url, model: Carts.model), classes: Carts.classes)
    }
    let (mine, theirs) = (try open(), try open())
    try mine.newContext().performAndWait { context in
      let cart = Cart.create(in: context)
      cart.add(1, context)
      try context.save()
    }
    #expect(mine.root.commit(.eventual) == nil)
    try mine.newContext().performAndWait { context in
      let cart = try #require(try Cart.first(in: context))
      cart.add(10, context)
      try theirs.newContext().performAndWait { other in
        try #require(try Cart.first(in: other)).add(100, other)
        try other.save()
      }
      #expect(theirs.root.commit(.eventual) == nil)
      try context.save()
      #expect(cart.itemTotals == [3, 111])
    }
    #expect(try mine.newContext().performAndWait { try $0.wrongTotals() } == [])
    try mine.store.close()
    try theirs.store.close()
  }

  /// An app's trigger changes members, and no save knows of it.
  @Test func whereTriggersChangeMembersAllAreCounted() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("Carts.sqlite")
    try SQLiteStore(url: url, model: Carts.model).close()
    let trigger = """
      CREATE TRIGGER leave AFTER UPDATE OF ZNUMBER ON ZITEM WHEN NEW.ZNUMBER = 9 BEGIN
        UPDATE ZITEM SET ZCART = NULL WHERE Z_PK = NEW.Z_PK; END
      """
    try OtherProgram.run([trigger], on: url)
    let store = try SQLiteStore(url: url, model: Carts.model)
    let stack = DataStack(store: store, classes: Carts.classes)
    try stack.newContext().performAndWait { context in
      let cart = Cart.create(in: context)
      let item = cart.add(1, context)
      cart.add(2, context)
      try context.save()
      item.number = 9
      try context.save()
      cart.add(4, context)
      try context.save()
      #expect(cart.itemTotals == [2, 6])
    }
    try store.close()
  }

  /// A count over two relationships asks once for each of them, however many objects lie between.
  @Test(arguments: StoreKind.allCases)
  func aCountOverTwoRelationshipsAsksOncePerStep(in kind: StoreKind) throws {
    let store = RefusingStore(try kind.store(Carts.model))
    let stack = DataStack(store: store, classes: Carts.classes)
    let customer = try stack.newContext().performAndWait { context in
      let customer = Customer.create(in: context)
      for _ in 0..<50 {
        let cart = Cart.create(in: context)
        cart.customer = customer
        cart.add(1, context)
      }
      try context.save()
      return customer.objectID
    }
    try stack.newContext().performAndWait { context in
      try #require(try Cart.first(in: context)).add(1, context)
      let before = store.reads
      try context.save()
      #expect(store.reads - before < 15)
      #expect((try context.existingObject(with: customer) as? Customer)?.itemCount == 51)
    }
    try store.close()
  }

  // MARK: - What does not fit

  @Test(arguments: StoreKind.allCases)
  func aTotalBeyondItsTypeIsRefused(in kind: StoreKind) throws {
    let stack = try kind.carts()
    try stack.newContext().performAndWait { context in
      let cart = Cart.create(in: context)
      cart.add(.max, context)
      try context.save()
      let item = cart.add(1, context)
      let error = #expect(throws: StoreError.self) { try context.save() }
      #expect(error?.code == .unsupported)
      #expect(error?.detail.contains("amount") == true)
      item.amount = 0
      try context.save()
      #expect(cart.itemTotals == [2, .max])
      for _ in 0..<32_766 { cart.add(0, context) }
      let other = #expect(throws: StoreError.self) { try context.save() }
      #expect(other?.detail.contains("Cart.shortCount") == true)
      context.rollback()
      #expect(try context.wrongTotals() == [])
    }
  }
}
