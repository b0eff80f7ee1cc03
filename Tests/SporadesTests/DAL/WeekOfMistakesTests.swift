// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesChain
import SporadesGraph
import SporadesHistory
import SporadesModel
import SporadesStore
import Testing

/// Mistakes of a first week that were silent, or whose sentences led nowhere.
@Suite struct WeekOfMistakesTests {
  @Entity final class Invoice: ManagedObject {
    @Relationship(deleteRule: .cascade, inverse: \Item.invoice) var items: Set<Item>
    @Derived("items.@count") var itemCount: Int
  }
  @Entity final class Item: ManagedObject {
    var invoice: Invoice?
    @Attribute(.range(1...5)) var rating: Int?
    var code: String
  }
  @Entity final class Label: ManagedObject { var name: String = "" }
  @Entity final class Post: ManagedObject { var labels: Set<Label> }
  @Entity final class Page: ManagedObject {
    @Relationship(inverse: nil) var labels: Set<Label>
  }

  private func makeService() throws -> RecordingService {
    try RecordingService(stack: DataStack(inMemory: [Invoice.self, Item.self]))
  }

  // MARK: - Objects

  @Test func aDerivedAttributeIsNotSet() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try DataStack(inMemory: [Invoice.self])
      stack.newContext().performAndWait { Invoice.create(in: $0).setValue(3, forKey: "itemCount") }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Invoice.itemCount is derived, so each save computes it"), "\(text)")
  }

  @Test func aToManyRelationshipWithoutInverseGetsAHint() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      _ = try DataStack(inMemory: [Invoice.self, Page.self])
      _ = try DataStack(inMemory: [Post.self])
      _ = try DataStack(inMemory: [Post.self])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("Sporades: ") }
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("Sporades: Post.labels without an inverse:") == true, "\(text)")
  }

  @Test func changesOfDidSaveAtTheEndOfAWriteGetAHint() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let service = DALService(inMemory: [Late.self])
      try service.writeSync { Late.create(in: $0).count = 1 }.get()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains("Sporades: Late/p1 was changed in didSave, at the end of a write"), "\(text)")
  }

  @Entity final class Late: ManagedObject {
    var count: Int = 0
    override func didSave() { if count < 3 { count += 1 } }
  }

  // MARK: - Conditions

  @Test func aRelationshipIsComparedWithIDs() async throws {
    let service = try makeService()
    let ids = try await service.write { context in
      let invoices = [Invoice.create(in: context), Invoice.create(in: context)]
      for (index, invoice) in invoices.enumerated() {
        for number in 0...index {
          let item = Item.create(in: context)
          (item.code, item.invoice) = ("\(index)\(number)", invoice)
        }
      }
      Item.create(in: context).code = "x"
      try context.obtainPermanentIDs(for: invoices)
      return invoices.map(\.objectID)
    }
    func codes(_ condition: TypedPredicate<Item>) throws -> [String] {
      try service.readValue { try Item.all(where: condition, sortedBy: "code", in: $0).map(\.code) }
    }
    #expect(try codes(\.invoice == ids[1]) == ["10", "11"])
    #expect(try codes(\.invoice != ids[1]) == ["00", "x"])
    #expect(try codes(\.invoice ~= ids) == ["00", "10", "11"])
    #expect(try codes(\.invoice ~= [ids[0]] && \.code == "00") == ["00"])
  }

  @Test func theIDOfAnotherEntityIsNamed() throws {
    let service = try makeService()
    service.writeSync { context in
      let item = Item.create(in: context)
      item.code = "a"
      try context.obtainPermanentIDs(for: [item])
      let error = #expect(throws: FetchPredicateError.self) {
        try context.fetch(
          FetchRequest("Item", where: FetchPredicate(format: "invoice == %@", item.objectID)))
      }
      #expect(
        error?.description.contains("an object of Invoice, and its right side is an object of Item")
          == true, "\(error as Any)")
    }
  }

  @Test func aNameInTheFormOfAValueIsRefused() throws {
    let service = try makeService()
    func count(_ predicate: FetchPredicate) throws -> Int {
      try service.readValue { try Item.count(where: predicate, in: $0) }
    }
    for format in ["%@ == %@", "%@ CONTAINS %@", "NOT %@ == %@"] {
      let error = #expect(throws: DALError.self) {
        try count(FetchPredicate(format: format, "code", "x"))
      }
      #expect(error?.description.contains("write %K") == true, "\(error as Any)")
    }
    #expect(try count(FetchPredicate(format: "%@ == %@", "cod", "x")) == 0)
    // A text that a user typed may be the name of a property.
    #expect(try count(FetchPredicate(format: "%@ == '' OR code == %@", "code", "x")) == 0)
    #expect(try count(FetchPredicate(format: "%@ == code", "code")) == 0)
  }

  // MARK: - Batches

  @Test func aBatchNamesTheRowThatItRefuses() throws {
    let service = try makeService()
    let failure = { (error: DALError?) in "\(error as Any)" }
    var error = #expect(throws: DALError.self) {
      try service.writeSync { context in
        try context.execute(
          BatchInsertRequest(Item.self, from: 1...1000) { item, number in
            if number != 777 { item.code = "n\(number)" }
          })
      }.get()
    }
    #expect(failure(error).contains("It is row 777 of the batch."), "\(failure(error))")
    error = #expect(throws: DALError.self) {
      try service.writeSync { context in
        try context.execute(
          BatchInsertRequest(Item.self, objects: [["code": "a"], ["rating": 3]]).onUniqueConflict(
            .skip))
      }.get()
    }
    #expect(failure(error).contains("It is row 2 of the batch."), "\(failure(error))")
  }

  @Test func aBatchThatSetsAWrongValueNamesAnObjectOfTheStore() throws {
    let service = try makeService()
    try service.writeSync { Item.create(in: $0).code = "a" }.get()
    let error = #expect(throws: DALError.self) {
      try service.writeSync { context in
        try context.execute(Item.where(\.code == "a").update(\.rating, to: 9))
      }.get()
    }
    #expect("\(error as Any)".contains("Item/p1.rating"), "\(error as Any)")
  }

  // MARK: - Histories

  @Test func aTokenOfAnotherStoreIsExpired() async throws {
    let folder = try TemporaryFolder()
    var options = SQLiteStoreOptions()
    options.persistentHistory = .on
    let stacks = try ["a", "b"].map {
      try DataStack(sqlite: folder.file("\($0).sqlite"), entities: [Label.self], options: options)
    }
    for stack in stacks {
      try stack.main.performAndWait { context in
        _ = Label.create(in: context)
        try context.save()
      }
    }
    let token = try #require(try stacks[0].currentPersistentHistoryToken())
    for request in [
      PersistentHistoryChangeRequest.fetchHistory(after: token), .deleteHistory(before: token),
    ] {
      let error = #expect(throws: StoreError.self) {
        try stacks[1].newContext().performAndWait { try $0.execute(request) }
      }
      #expect(error?.code == .historyExpired)
      #expect(error?.description.contains("belongs to another store") == true)
    }
    let service = RecordingService(stack: stacks[1])
    var changes = try service.history(after: token).makeAsyncIterator()
    do throws(DALError) {
      _ = try await changes.next()
      Issue.record("A token of another store was taken.")
    } catch {
      #expect(error.description.contains("belongs to another store"))
    }
  }
}
