// SPDX-License-Identifier: MIT
import Sporades
import SporadesGraph
import SporadesModel

// What many contexts change at once: every delete rule, no derived values, which would make every
// link a change of both its rows.

enum Bank {
  static let classes: [ManagedObject.Type] = [
    Account.self, Holder.self, Entry.self, Tag.self, Vault.self,
  ]
  static let model = try! ManagedObjectModel(classes)
}

@Entity final class Account: ManagedObject {
  var number: Int = 0
  var balance: Int = 0
  var note: String = ""
  @Relationship(inverse: "accounts") var holder: Holder?
  @Relationship(deleteRule: .cascade, inverse: "account") var entries: Set<Entry>
  @Relationship(inverse: "twin") var twin: Account?
  @Relationship(inverse: "accounts") var tags: Set<Tag>
}

@Entity final class Holder: ManagedObject {
  var number: Int = 0
  @Relationship(inverse: "holder") var accounts: Set<Account>
  @Relationship(deleteRule: .deny, inverse: "keeper") var vaults: Set<Vault>
}

@Entity final class Entry: ManagedObject {
  var amount: Int = 0
  @Relationship(inverse: "entries") var account: Account?
}

@Entity final class Tag: ManagedObject {
  @Attribute(.unique) var name: String = ""
  /// Another one for each tag, since names come again.
  var number: Int = 0
  var uses: Int = 0
  @Relationship(inverse: "tags") var accounts: Set<Account>
}

@Entity final class Vault: ManagedObject {
  var number: Int = 0
  @Relationship(inverse: "vaults") var keeper: Holder?
}

extension StoreKind {
  func bank() throws -> DataStack {
    DataStack(store: try store(Bank.model), classes: Bank.classes)
  }
}

extension DataStack {
  /// References that lead nowhere and relationships whose sides differ, in a fresh context.
  func brokenLinks() throws -> [String] {
    try newContext().performAndWait { context in
      var found: [String] = []
      func check(_ object: ManagedObject, _ other: ManagedObject?, _ name: String, _ back: Bool) {
        guard let other else { return }
        if (try? context.existingObject(with: other.objectID)) == nil {
          found.append("\(object.objectID).\(name) leads nowhere")
        } else if !back {
          found.append("\(object.objectID).\(name) is not answered")
        }
      }
      for account in try Account.all(in: context) {
        let holder = account.holder
        check(account, holder, "holder", holder?.accounts.contains(account) == true)
        check(account, account.twin, "twin", account.twin?.twin === account)
        for tag in account.tags { check(account, tag, "tags", tag.accounts.contains(account)) }
        for entry in account.entries {
          check(account, entry, "entries", entry.account === account)
        }
      }
      for entry in try Entry.all(in: context) {
        let account = entry.account
        check(entry, account, "account", account?.entries.contains(entry) == true)
      }
      for tag in try Tag.all(in: context) {
        for account in tag.accounts { check(tag, account, "accounts", account.tags.contains(tag)) }
      }
      for vault in try Vault.all(in: context) {
        check(vault, vault.keeper, "keeper", vault.keeper?.vaults.contains(vault) == true)
      }
      return found
    }
  }
}
