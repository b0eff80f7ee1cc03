// SPDX-License-Identifier: MIT
import SporadesGraph
import SporadesModel

/// The bank as dictionaries by number: what one transaction after the other makes of it.
struct PlainBank: Equatable {
  struct Row: Equatable {
    var balance = 0
    var note = ""
    var holder: Int?
    var twin: Int?
    var tags: Set<Int> = []
  }

  struct Label: Equatable {
    let number: Int
    var uses = 0
  }

  var accounts: [Int: Row] = [:]
  var holders: Set<Int> = []
  /// The account of each entry.
  var entries: [Int: Int?] = [:]
  var tags: [String: Label] = [:]
  /// The keeper of each vault.
  var vaults: [Int: Int?] = [:]

  /// Does what a transaction did; the answer says what of it no serial order explains.
  mutating func apply(_ effect: Effect) -> String? {
    switch effect {
    case .transfer(let from, let to, let amount): return transfer(from, to, amount)
    case .note(let account, let text, let after): return note(account, text, after)
    case .open(let number, let holder):
      guard holder.map(holders.contains) ?? true else { return "holder \(holder ?? 0) is gone" }
      accounts[number] = Row(holder: holder)
    case .relink(let account, let holder):
      guard holder.map(holders.contains) ?? true else { return "holder \(holder ?? 0) is gone" }
      return write(account) { $0.holder = holder }
    case .marry(let one, let two): return marry(one, two)
    case .enter(let number, let account):
      guard accounts[account] != nil else { return "account \(account) is gone" }
      entries[number] = .some(account)
    case .tag(let account, let name, let label, let isOn):
      guard let known = tags[name], known == label else {
        return "\(name) was read as \(label), and is \(tags[name] as Any)"
      }
      tags[name]?.uses += 1
      // a link is a change of its ends' sets alone: it meets no change of their rows
      if isOn {
        guard accounts[account] != nil else { return "account \(account) is gone" }
        accounts[account]?.tags.insert(label.number)
      } else {
        accounts[account]?.tags.remove(label.number)
      }
    case .makeTag(let name, let number):
      guard tags[name] == nil else { return "\(name) is there twice" }
      tags[name] = Label(number: number)
    case .dropTag(let name):
      guard let label = tags.removeValue(forKey: name) else { return "\(name) is gone" }
      for key in accounts.keys { accounts[key]?.tags.remove(label.number) }
    case .guardVault(let number, let keeper):
      guard holders.contains(keeper) else { return "keeper \(keeper) is gone" }
      vaults[number] = .some(keeper)
    case .freeVault(let number):
      guard vaults[number] != nil else { return "vault \(number) is gone" }
      vaults[number] = .some(nil)
    case .dropHolder(let holder, let new): return drop(holder, new)
    case .dropAccount(let account, let heir): return drop(account, heir)
    }
    return nil
  }

  private mutating func write(
    _ seen: Seen, _ change: (inout Row) -> Void
  ) -> String? {
    guard let row = accounts[seen.number] else { return "account \(seen.number) is gone" }
    var read = seen.row
    // links come and go as members of a set, and are nobody's conflict
    read.tags = row.tags
    change(&accounts[seen.number, default: row])
    return row == read
      ? nil : "account \(seen.number) was read as \(seen.row), and is \(row)"
  }

  private mutating func transfer(_ from: Seen, _ to: Seen, _ amount: Int) -> String? {
    write(from) { $0.balance -= amount } ?? write(to) { $0.balance += amount }
  }

  private mutating func note(_ account: Int, _ text: String, _ after: Row) -> String? {
    guard var row = accounts[account] else { return "account \(account) is gone" }
    let former = row.note
    row.note = after.note
    accounts[account] = row
    row.tags = after.tags
    // a holder that was deleted since has no number any more
    if after.holder == 0 { row.holder = 0 }
    guard row == after else { return "account \(account) was merged to \(after), not \(row)" }
    return after.note == text || after.note == former ? nil : "a note from nowhere: \(after.note)"
  }

  private mutating func marry(_ one: Seen, _ two: Seen) -> String? {
    if let problem = write(one, { _ in }) ?? write(two, { _ in }) { return problem }
    for seen in [one, two] {
      if let former = seen.row.twin { accounts[former]?.twin = nil }
    }
    accounts[one.number]?.twin = two.number
    accounts[two.number]?.twin = one.number
    return nil
  }

  private mutating func drop(_ holder: Int, _ new: Int) -> String? {
    guard holders.remove(holder) != nil else { return "holder \(holder) is gone" }
    if vaults.values.contains(holder) { return "holder \(holder) still keeps a vault" }
    for key in accounts.keys where accounts[key]?.holder == holder { accounts[key]?.holder = nil }
    holders.insert(new)
    return nil
  }

  private mutating func drop(_ account: Seen, _ heir: Seen) -> String? {
    if let problem = write(account, { _ in }) ?? write(heir, { $0.balance += account.row.balance })
    {
      return problem
    }
    accounts[account.number] = nil
    if let twin = account.row.twin { accounts[twin]?.twin = nil }
    entries = entries.filter { $0.value != account.number }
    return nil
  }
}

extension PlainBank {
  /// An account as a transaction read it before it changed it.
  struct Seen {
    let number: Int
    let row: Row

    init(_ account: Account) {
      number = account.number
      row = Row(account)
    }
  }

  /// What one transaction did, and what it had read of what it changed.
  enum Effect {
    case transfer(Seen, Seen, Int)
    /// Saved with a merge policy: what others changed of the account stays.
    case note(Int, String, after: Row)
    case open(Int, holder: Int?)
    case relink(Seen, holder: Int?)
    case marry(Seen, Seen)
    case enter(Int, account: Int)
    case tag(Int, String, Label, Bool)
    case makeTag(String, Int)
    case dropTag(String)
    case guardVault(Int, keeper: Int)
    case freeVault(Int)
    case dropHolder(Int, new: Int)
    case dropAccount(Seen, heir: Seen)
  }

  /// What the objects of a context look like.
  init(_ context: ManagedObjectContext) throws {
    for account in try Account.all(in: context) { accounts[account.number] = Row(account) }
    holders = Set(try Holder.all(in: context).map(\.number))
    for entry in try Entry.all(in: context) { entries[entry.amount] = .some(entry.account?.number) }
    for tag in try Tag.all(in: context) {
      tags[tag.name] = Label(number: tag.number, uses: tag.uses)
    }
    for vault in try Vault.all(in: context) { vaults[vault.number] = .some(vault.keeper?.number) }
  }
}

extension PlainBank.Row {
  init(_ account: Account) {
    self.init(
      balance: account.balance, note: account.note, holder: account.holder?.number,
      twin: account.twin?.number, tags: Set(account.tags.map(\.number)))
  }
}
