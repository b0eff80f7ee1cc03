// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesAudit
import SporadesContainers
import SporadesHistory
import SporadesTesting
import Testing

// The second version of the model: one attribute has another name, one another type, one is gone.
private enum Later {
  @Entity("Account") final class Account: ManagedObject {
    @Attribute(.renamed(from: "balance"), .keepsValuesInHistory) var funds: Decimal = 0
    @Attribute(.keepsValuesInHistory) var owner: String?
    var note: String = ""
  }
}

/// What becomes of kept values beside the saves: other programs, migrations, shortening, copies.
@Suite struct ValueHistoryCareTests {
  private let bank: Bank

  init() throws { bank = try Bank([Account.self]) }

  private func makeAccount() throws -> ManagedObjectID {
    try bank.save { context in
      let account = Account.create(in: context)
      account.balance = 1
      account.owner = "Ada"
      return account
    }.objectID
  }

  private func change(_ id: ManagedObjectID, to balance: Decimal) throws {
    try bank.save { context in
      try #require(try context.existingObject(with: id) as? Account).balance = balance
    }
  }

  private func history(_ id: ManagedObjectID, _ name: String = "balance") throws
    -> [ValueChange<Value>]
  { try bank.read { try $0.valueHistory(of: id, name) } }

  @Test func aFileOfOtherModelsHasNoTableOfThem() throws {
    let other = try Bank([Plain.self])
    try other.save { Plain.create(in: $0).name = "x" }
    try other.stack.store.close()
    let tables = try ForeignFile(other.url).tables
    #expect(!tables.contains { $0.hasPrefix("SPORADES") })
  }

  @Test func changesOfOtherProgramsAreUnknown() throws {
    let id = try makeAccount()
    try bank.stack.store.commit(.immediate)
    // Another program writes the row and the history, and no former values.
    try bank.runElsewhere(
      """
      BEGIN; UPDATE ZACCOUNT SET ZBALANCE = 5, Z_OPT = Z_OPT + 1;
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP)
      SELECT 2, Z_ENT, 1, ZTIMESTAMP + 1 FROM ATRANSACTION WHERE Z_PK = 1;
      INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
      SELECT 2, Z_ENT, 1, 1, ZENTITY, ZENTITYPK, 2, NULL FROM ACHANGE WHERE Z_PK = 1;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME IN ('TRANSACTION', 'CHANGE'); COMMIT
      """)
    try change(id, to: 7)
    let changes = try history(id)
    #expect(changes.map(\.isKnown) == [true, false, true])
    #expect(changes.map(\.before) == [nil, nil, .decimal(5)])
    #expect(changes.map(\.after) == [.decimal(1), nil, .decimal(7)])
  }

  @Test func aMigrationCarriesThemToTheNewNames() throws {
    let id = try makeAccount()
    try change(id, to: 2)
    let (url, key) = (bank.url, id.key.primaryKey)
    try bank.stack.store.close()
    let stack = try Bank.open(url, [Later.Account.self]) { $0.migration.losses = .allowed }
    try stack.newContext().performAndWait { context in
      let account = try #require(try Later.Account.first(in: context))
      #expect(account.objectID.key.primaryKey == key)
      account.funds = 3
      try context.save()
      let changes = try context.valueHistory(of: account, \.funds)
      #expect(changes.map(\.before) == [nil, 1, 2])
      #expect(changes.map(\.after) == [1, 2, 3])
      #expect(try context.valueHistory(of: account, \.owner).map(\.after) == ["Ada"])
    }
    try stack.store.close()
    #expect(try ForeignFile(url).names == ["funds", "owner"])
  }

  @Test func aShorterHistoryHasFewerOfThem() throws {
    let id = try makeAccount()
    for balance in 2...5 { try change(id, to: Decimal(balance)) }
    try bank.stack.flush()
    _ = try bank.read { context in
      try context.execute(
        .deleteHistory(before: PersistentHistoryToken([id.storeIdentifier: 4])))
    }
    #expect(try history(id).map(\.before) == [.decimal(3), .decimal(4)])
    try bank.stack.store.close()
    #expect(try ForeignFile(bank.url).count("SPORADES_VALUE") == 2)
  }

  @Test func aCopyHasThem() throws {
    let id = try makeAccount()
    try change(id, to: 2)
    let copy = bank.folder.file("copy.sqlite")
    try bank.stack.store.commit(.immediate)
    try bank.stack.store.copy(to: copy.path, replacing: false)
    let stack = try Bank.open(copy, [Account.self])
    let balances = try stack.newContext().performAndWait { context in
      let account = try #require(try Account.first(in: context))
      return try context.valueHistory(of: account, \.balance)
    }
    #expect(balances.map(\.after) == [1, 2])
  }

  @Test func aRefusedSaveKeepsNothing() throws {
    let id = try makeAccount()
    try bank.stack.newContext().performAndWait { first in
      let account = try #require(try first.existingObject(with: id) as? Account)
      first.automaticallyMergesChangesFromParent = false
      account.balance = 8
      try change(id, to: 9)
      #expect(throws: (any Error).self) { try first.save() }
    }
    #expect(try history(id).map(\.after) == [.decimal(1), .decimal(9)])
  }

  @Test func attributesWithoutThemAreRefusedByName() throws {
    let id = try makeAccount()
    for name in ["note", "scan", "nothing"] {
      let error = #expect(throws: ValueHistoryError.self) { _ = try history(id, name) }
      #expect(error?.code == .notKept)
      #expect(error?.description.contains("Account.\(name)") == true)
    }
  }

  @Test func objectsWithoutAHistoryAreRefusedByName() throws {
    try bank.read { context in
      let account = Account.create(in: context)
      let error = #expect(throws: ValueHistoryError.self) {
        _ = try context.valueHistory(of: account, \.balance)
      }
      #expect(error?.code == .temporaryObject)
    }
    let memory = DataStack(
      store: MemoryStore(model: try ManagedObjectModel([Account.self]), keepsHistory: true),
      classes: [Account.self])
    try memory.newContext().performAndWait { context in
      let account = Account.create(in: context)
      try context.save()
      let error = #expect(throws: ValueHistoryError.self) {
        _ = try context.valueHistory(of: account, \.balance)
      }
      #expect(error?.code == .store)
    }
  }

  @Test func aStoreWithoutAHistoryRefuses() throws {
    let folder = try TemporaryFolder()
    let stack = try Bank.open(folder.file("plain.sqlite"), [Account.self]) {
      $0.persistentHistory = .asInFile
    }
    try stack.newContext().performAndWait { context in
      let account = Account.create(in: context)
      try context.save()
      let error = #expect(throws: StoreError.self) {
        _ = try context.valueHistory(of: account, \.balance)
      }
      #expect("\(error.map { "\($0)" } ?? "")".contains("history"))
    }
    try stack.store.close()
    let tables = try ForeignFile(folder.file("plain.sqlite")).tables
    #expect(!tables.contains { $0.hasPrefix("SPORADES") })
  }

  @Test func theMarkIsANoteAndNoPartOfTheHash() throws {
    var plain = AttributeDescription("balance", .decimal)
    var kept = plain
    kept.keepsValuesInHistory = true
    #expect(kept.userInfo == [AttributeDescription.keepsValuesKey: "YES"])
    plain.userInfo = [AttributeDescription.keepsValuesKey: "NO"]
    #expect(!plain.keepsValuesInHistory)
    let model = try ManagedObjectModel([Account.self])
    guard case .attribute(let opened)? = model.shape(named: "Account")?["opened"] else {
      Issue.record("Account has no opened")
      return
    }
    #expect(opened.description.userInfo["who"] == "audit")
    #expect(opened.description.keepsValuesInHistory)
  }
}

@Entity final class Plain: ManagedObject { var name: String = "" }

/// Two stores of one coordinator, each with its own history.
@Suite struct ValueHistorySeveralStoresTests {
  @Test func eachStoreIsAskedForItsOwn() throws {
    let folder = try TemporaryFolder()
    let entities: [ManagedObject.Type] = [Account.self, Plain.self, Wallet.self]
    let model = try ManagedObjectModel(
      entities, configurations: ["Accounts": [Account.self, Plain.self], "Wallets": [Wallet.self]])
    let coordinator = PersistentStoreCoordinator(model: model)
    for name in ["Accounts", "Wallets"] {
      var options = SQLiteStoreOptions()
      options.persistentHistory = .on
      options.configuration = name
      try coordinator.addPersistentStore(
        SQLiteStore(url: folder.file("\(name).sqlite"), model: model, options: options))
    }
    let stack = DataStack(store: coordinator, classes: entities)
    try stack.newContext().performAndWait { context in
      let (account, wallet) = (Account.create(in: context), Wallet.create(in: context))
      (account.balance, wallet.funds) = (1, 10)
      try context.save()
      (account.balance, wallet.funds) = (2, 20)
      try context.save()
      #expect(try context.valueHistory(of: account, \.balance).map(\.before) == [nil, 1])
      #expect(try context.valueHistory(of: wallet, \.funds).map(\.after) == [10, 20])
    }
  }
}
