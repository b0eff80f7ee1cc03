// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesAudit
import SporadesTesting
import Testing

@Suite struct ValueHistoryTests {
  /// The values before and after each known change.
  private func values<Content>(_ changes: [ValueChange<Content>]) -> [[Content?]] {
    changes.map { [$0.before, $0.after] }
  }

  private func account(_ bank: Bank, _ balance: Decimal = 1) throws -> ManagedObjectID {
    try bank.save(by: "opening") { context in
      let account = Account.create(in: context)
      account.balance = balance
      return account
    }.objectID
  }

  private func account(_ id: ManagedObjectID, _ context: ManagedObjectContext) throws -> Account {
    try #require(try context.existingObject(with: id) as? Account)
  }

  private func balances(_ bank: Bank, _ id: ManagedObjectID) throws -> [[Decimal?]] {
    try bank.read { context in
      let changes = try context.valueHistory(of: account(id, context), \.balance)
      #expect(!changes.contains { !$0.isKnown })
      return values(changes)
    }
  }

  @Test func aServiceAsksInItsBlocks() throws {
    let bank = try Bank()
    let id = try account(bank)
    try bank.save(by: "anna") { context in
      let account = try account(id, context)
      (account.balance, account.owner) = (2, "Anna")
    }
    try DALService(stack: bank.stack).read { context in
      let account = try #require(try context.existingObject(with: id) as? Account)
      let owners = try context.valueHistory(of: account, \.owner)
      #expect(values(try context.valueHistory(of: account, \.balance)) == [[nil, 1], [1, 2]])
      #expect(values(owners) == [[nil, nil], [nil, "Anna"]])
      #expect(try context.valueHistory(of: id, "balance").count == 2)
    }.get()
  }

  @Test func eachChangeTellsBothValuesAndWhoMadeIt() throws {
    let bank = try Bank()
    let id = try account(bank)
    let precise = try #require(Decimal(string: "0.1000000000000000000000000000000001"))
    try bank.save(by: "anna") { try account(id, $0).balance = precise }
    try bank.save(by: "bert") { try account(id, $0).note = "no change of the balance" }
    try bank.save(by: "cora") { context in
      let account = try account(id, context)
      account.balance = -7
      account.owner = "Cora"
    }
    try bank.read { context in
      let changes = try context.valueHistory(of: account(id, context), \.balance)
      #expect(values(changes) == [[nil, 1], [1, precise], [precise, -7]])
      #expect(changes.map(\.transaction.author) == ["opening", "anna", "cora"])
      #expect(changes.map(\.kind) == [.insert, .update, .update])
      #expect(changes.map(\.transactionNumber) == [1, 2, 4])
      let owners = try context.valueHistory(of: account(id, context), \.owner)
      #expect(values(owners) == [[nil, nil], [nil, "Cora"]])
    }
  }

  @Test func aDeletedObjectIsAskedByItsID() throws {
    let bank = try Bank()
    let id = try account(bank)
    try bank.save { try account(id, $0).delete(in: $0) }
    let changes = try bank.read { try $0.valueHistory(of: id, "balance") }
    #expect(changes.map(\.before) == [nil, .decimal(1)])
    #expect(changes.map(\.after) == [.decimal(1), nil])
    #expect(changes.last?.kind == .delete)
  }

  @Test func aValueSetBackAndAnUndoneOneAreNoChanges() throws {
    let bank = try Bank()
    let id = try account(bank)
    try bank.save { context in
      let account = try account(id, context)
      account.balance = 2
      account.balance = 1
      account.note = "saved"
    }
    try bank.save { context in
      let account = try account(id, context)
      account.note = "again"
      context.processPendingChanges()
      context.undoManager = ContextUndoManager()
      account.balance = 3
      context.processPendingChanges()
      context.undoManager?.undo()
    }
    #expect(try balances(bank, id) == [[nil, 1]])
  }

  @Test func childrenAndNestedWritesAreOneChange() throws {
    let bank = try Bank()
    let id = try account(bank)
    let parent = bank.stack.newContext()
    try parent.performAndWait { try account(id, $0).balance = 2 }
    try bank.stack.newChild(of: parent).performAndWait { child in
      try account(id, child).balance = 3
      try child.save()
    }
    try parent.performAndWait { try $0.save() }
    let service = DALService(stack: bank.stack)
    try service.writeSync { context in
      try #require(Account.first(in: context)).balance = 4
      service.writeSync { inner in try #require(Account.first(in: inner)).balance = 5 }
    }.get()
    #expect(try balances(bank, id) == [[nil, 1], [1, 3], [3, 5]])
  }

  @Test func severalSavesOfOneCommitAreTold() throws {
    let bank = try Bank()
    let id = try account(bank)
    for balance in 2...4 { try bank.save { try account(id, $0).balance = Decimal(balance) } }
    try bank.stack.flush()
    #expect(try balances(bank, id) == [[nil, 1], [1, 2], [2, 3], [3, 4]])
  }

  @Test func subentitiesKeepTheirOwnAndInheritedValues() throws {
    let bank = try Bank()
    let id = try bank.save { context in
      let savings = Savings.create(in: context)
      (savings.balance, savings.rate) = (10, 0.5)
      return savings
    }.objectID
    try bank.save { context in
      let savings = try #require(try context.existingObject(with: id) as? Savings)
      (savings.balance, savings.rate) = (11, 0.25)
    }
    try bank.read { context in
      let savings = try #require(try context.existingObject(with: id) as? Savings)
      #expect(values(try context.valueHistory(of: savings, \.balance)) == [[nil, 10], [10, 11]])
      #expect(values(try context.valueHistory(of: savings, \.rate)) == [[nil, 0.5], [0.5, 0.25]])
    }
  }

  @Test func batchesKeepValues() throws {
    let bank = try Bank()
    let ids = try (1...3).map { try account(bank, Decimal($0)) }
    try bank.read { context in
      let small = FetchRequest("Account", where: try FetchPredicate(format: "balance < 3"))
      let nine = ["balance": Value.decimal(9)]
      try context.execute(BatchUpdateRequest(fetchRequest: small, propertiesToUpdate: nine))
      let large = FetchRequest("Account", where: try FetchPredicate(format: "balance == 3"))
      try context.execute(BatchDeleteRequest(fetchRequest: large))
    }
    #expect(try balances(bank, ids[0]) == [[nil, 1], [1, 9]])
    #expect(try balances(bank, ids[1]) == [[nil, 2], [2, 9]])
    let gone = try bank.read { try $0.valueHistory(of: ids[2], "balance") }
    #expect(gone.map(\.before) == [nil, .decimal(3)])
  }

  @Test func theRemovalOfAllRowsIsADeletion() throws {
    let bank = try Bank()
    let id = try account(bank, 5)
    try bank.stack.store.commit(.immediate)
    try bank.stack.store.removeAllRows()
    let changes = try bank.read { try $0.valueHistory(of: id, "balance") }
    #expect(changes.map(\.before) == [nil, .decimal(5)])
  }

  @Test func valuesThatChangePlacesAreToldAsTheyEnd() throws {
    let bank = try Bank()
    let ids = try bank.save { context in
      ["a", "b"].map { code in
        let one = Everything.create(in: context)
        one.code = code
        return one
      }
    }.map(\.objectID)
    try bank.save { context in
      let both = try ids.map { try #require(try context.existingObject(with: $0) as? Everything) }
      (both[0].code, both[1].code) = ("b", "a")
    }
    let changes = try bank.read { context in
      try ids.map { try context.valueHistory(of: $0, "code").map { [$0.before, $0.after] } }
    }
    #expect(changes == [[[nil, "a"], ["a", "b"]], [[nil, "b"], ["b", "a"]]])
  }

  @Test func eachTypeComesBackAsItWas() throws {
    let bank = try Bank()
    let token = UUID()
    let id = try bank.save { context in
      let one = Everything.create(in: context)
      one.number = .max
      one.small = -1
      one.middle = 7
      one.isGood = true
      one.ratio = 0.1
      one.part = 0.5
      one.price = Decimal(string: "12.30") ?? 0
      one.text = "é"
      one.day = Date(timeIntervalSinceReferenceDate: 5)
      one.token = token
      one.site = URL(string: "https://example.org")
      one.bytes = Data([1, 2, 0])
      return one
    }.objectID
    try bank.save { context in
      let one = try #require(try context.existingObject(with: id) as? Everything)
      one.number = .min
      one.isGood = false
      one.ratio = -1e300
      one.day = Date(timeIntervalSinceReferenceDate: 0.1)
      one.bytes = nil
    }
    try bank.read { context in
      let one = try #require(try context.existingObject(with: id) as? Everything)
      #expect(values(try context.valueHistory(of: one, \.number)) == [[nil, .max], [.max, .min]])
      #expect(values(try context.valueHistory(of: one, \.small)) == [[nil, -1]])
      #expect(values(try context.valueHistory(of: one, \.middle)) == [[nil, 7]])
      #expect(
        values(try context.valueHistory(of: one, \.isGood)) == [[nil, true], [true, false]])
      #expect(values(try context.valueHistory(of: one, \.ratio)) == [[nil, 0.1], [0.1, -1e300]])
      #expect(values(try context.valueHistory(of: one, \.part)) == [[nil, 0.5]])
      #expect(
        values(try context.valueHistory(of: one, \.price)) == [[nil, Decimal(string: "12.3")]])
      #expect(values(try context.valueHistory(of: one, \.text)) == [[nil, "é"]])
      let days = try context.valueHistory(of: one, \.day)
      #expect(days.map(\.after?.timeIntervalSinceReferenceDate) == [5, 0.1])
      #expect(values(try context.valueHistory(of: one, \.token)) == [[nil, token]])
      #expect(
        values(try context.valueHistory(of: one, \.site)) == [
          [nil, URL(string: "https://example.org")]
        ])
      #expect(
        values(try context.valueHistory(of: one, \.bytes))
          == [[nil, Data([1, 2, 0])], [Data([1, 2, 0]), nil]])
    }
  }
}
