// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesHistory

/// A copy of the probe's model. The file must fit it.
enum Bank {
  @Entity final class Account: ManagedObject {
    var number: Int = 0
    var balance: Int = 0
  }

  @Entity final class Note: ManagedObject {
    var title: String = ""
    var body: String?
    @Relationship(inverse: "notes") var folder: Folder?
    @Relationship(inverse: "notes") var labels: Set<Label>
  }

  @Entity final class Folder: ManagedObject {
    var name: String = ""
    @Relationship(inverse: "folder") var notes: Set<Note>
  }

  @Entity final class Label: ManagedObject {
    var name: String = ""
    @Relationship(inverse: "labels") var notes: Set<Note>
  }

  static let classes: [ManagedObject.Type] = [
    Account.self, Note.self, Folder.self, Label.self,
  ]
}

/// A store with accounts, in its own folder.
final class BankFile: Sendable {
  let folder: URL
  let store: URL
  /// The sum of all balances.
  static let sum = 1_000

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("bank-\(UUID().uuidString)")
    store = folder.appendingPathComponent("Bank.sqlite")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let stack = try open()
    try stack.newContext().performAndWait { context in
      for number in 1...10 {
        let account = Bank.Account.create(in: context)
        (account.number, account.balance) = (number, Self.sum / 10)
      }
      context.durability = .immediate
      try context.save()
    }
    try stack.store.close()
  }

  deinit {
    // A temporary folder that stays does not affect later tests.
    try? FileManager.default.removeItem(at: folder)
  }

  /// Opens the store, with a history of all saves.
  func open() throws -> DataStack {
    var options = SQLiteStoreOptions()
    options.persistentHistory = .on
    return try DataStack(sqlite: store, entities: Bank.classes, options: options)
  }
}

extension DataStack {
  func balances() throws -> [Int] {
    try newContext().performAndWait { context in
      try Bank.Account.all(sortedBy: \.number, in: context).map(\.balance)
    }
  }

  func history(
    after token: PersistentHistoryToken? = nil
  ) throws -> [PersistentHistoryTransaction] {
    try newContext().performAndWait { try $0.execute(.fetchHistory(after: token)).transactions }
  }
}
