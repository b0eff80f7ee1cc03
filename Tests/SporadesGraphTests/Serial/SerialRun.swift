// SPDX-License-Identifier: MIT
import Foundation
import SporadesChain
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting

/// Many contexts on several threads change the same rows; what each save had read and did is noted
/// with its place in the order of saves, and done again one after the other with dictionaries.
final class SerialRun: Sendable {
  typealias Effect = PlainBank.Effect

  struct Result: Sendable {
    var transactions = 0
    var conflicts = 0
    var problems: [String] = []
  }

  private let stack: DataStack
  private let contexts: [ContextQueue]
  private let state = Guarded(State())
  private static let accounts = 24
  private static let start = 1000

  private struct State {
    var done: [(number: SaveNumber, effect: Effect)] = []
    var conflicts = 0
    var problems: [String] = []
    var lastNumber = 1000
  }

  init(_ stack: DataStack, contexts count: Int) throws {
    self.stack = stack
    try stack.newContext().performAndWait { context in
      for number in 1...Self.accounts {
        let account = Account.create(in: context)
        account.number = number
        account.balance = Self.start
      }
      for number in 1...6 { Holder.create(in: context).number = number }
      try context.save()
    }
    contexts = (0..<count).map { stack.newContext(name: "context \($0)") }
  }

  /// Runs transactions on several threads until each was asked to stop.
  func run(threads: Int, _ goesOn: @escaping @Sendable (Int) -> Bool) -> Result {
    let group = DispatchGroup()
    for number in 0..<threads {
      group.enter()
      Thread {
        var random = SeededGenerator(seed: UInt64(number) + 1)
        var count = 0
        while goesOn(count) {
          count += 1
          self.transact(&random)
        }
        group.leave()
      }.start()
    }
    group.wait()
    return check()
  }

  // MARK: - Transactions

  private func transact(_ random: inout SeededGenerator) {
    let queue = contexts[Int.random(in: 0..<contexts.count, using: &random)]
    if Int.random(in: 0..<20, using: &random) == 0 { return checkSum(queue) }
    for _ in 0..<100 {
      do {
        if let done = try attempt(queue, &random) { state.withLock { $0.done.append(done) } }
        return
      } catch let error as StoreError {
        switch error.code {
        case .conflict, .constraint: state.withLock { $0.conflicts += 1 }
        default: return note("\(error)")
        }
      } catch is ValidationError {
        return
      } catch {
        return note("\(error)")
      }
    }
  }

  private func note(_ problem: String) { state.withLock { $0.problems.append(problem) } }

  private func nextNumber() -> Int {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  /// One transaction, in a context, in a child of it, or in one of its own as a service's write is.
  private func attempt(
    _ queue: ContextQueue, _ random: inout SeededGenerator
  ) throws -> (number: SaveNumber, effect: Effect)? {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return try attemptInWrite(&random)
    case 1: return try attemptInChild(queue, &random)
    default:
      return try queue.performAndWait { context in
        if Int.random(in: 0..<4, using: &random) == 0 { return try writeNote(context, &random) }
        guard let effect = try change(context, &random) else { return nil }
        return try save(context).map { ($0, effect) }
      }
    }
  }

  private func attemptInChild(
    _ queue: ContextQueue, _ random: inout SeededGenerator
  ) throws -> (number: SaveNumber, effect: Effect)? {
    try queue.performAndWait { parent in
      let effect = try stack.newChild(of: queue, name: "child").performAndWait { child -> Effect? in
        guard let effect = try change(child, &random) else { return nil }
        do { try child.save() } catch {
          parent.rollback()
          throw error
        }
        return effect
      }
      guard let effect else { return nil }
      return try save(parent).map { ($0, effect) }
    }
  }

  private func attemptInWrite(
    _ random: inout SeededGenerator
  ) throws -> (number: SaveNumber, effect: Effect)? {
    var effect: Effect?
    let number = try stack.write(name: nil, durability: .eventual) { context in
      effect = try change(context, &random)
    }
    guard let effect, let number else { return nil }
    return (number, effect)
  }

  /// Saves, and forgets everything where that fails; nil where there was nothing to save.
  private func save(_ context: ManagedObjectContext) throws -> SaveNumber? {
    let before = context.lastSave
    do { try context.save() } catch {
      context.rollback()
      _ = context.takeFailures()
      throw error
    }
    for failure in context.takeFailures() { note("a save went well, but: \(failure)") }
    return context.lastSave == before ? nil : context.lastSave
  }

  private func writeNote(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> (number: SaveNumber, effect: Effect)? {
    guard let account = try some(Account.self, context, &random) else { return nil }
    context.mergePolicy = .storeTrump
    defer { context.mergePolicy = .error }
    let text = "note \(nextNumber())"
    account.note = text
    let number = account.number
    guard let save = try save(context), account.managedObjectContext != nil,
      account.number == number
    else { return nil }
    return (save, .note(number, text, after: PlainBank.Row(account)))
  }

  private func some<Object: ManagedObject>(
    _ type: Object.Type, _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> Object? {
    try Object.all(in: context).randomElement(using: &random)
  }

  private func change(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> Effect? {
    let kind = Int.random(in: 0..<20, using: &random)
    switch kind {
    case 0...4: return try transfer(context, &random)
    case 5, 6: return try relink(context, &random)
    case 7: return try marry(context, &random)
    case 8, 9, 10: return try enter(context, &random)
    case 11, 12, 13: return try tag(context, &random)
    case 14, 15, 16: return try changeHolders(kind, context, &random)
    default: return try changeAccounts(kind, context, &random)
    }
  }

  private func seen(_ account: Account) -> PlainBank.Seen {
    PlainBank.Seen(account)
  }

  // MARK: - Kinds of transaction

  private func transfer(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> Effect? {
    guard let from = try some(Account.self, context, &random),
      let to = try some(Account.self, context, &random), from !== to
    else { return nil }
    let (one, two) = (seen(from), seen(to))
    let amount = Int.random(in: 1...50, using: &random)
    from.balance -= amount
    to.balance += amount
    return .transfer(one, two, amount)
  }

  private func relink(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> Effect? {
    guard let account = try some(Account.self, context, &random) else { return nil }
    let holder = try some(Holder.self, context, &random)
    let read = seen(account)
    if Bool.random(using: &random) {
      account.holder = holder
    } else {
      holder?.accounts.insert(account)
    }
    guard let holder else { return nil }
    return .relink(read, holder: holder.number)
  }

  private func marry(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> Effect? {
    guard let one = try some(Account.self, context, &random),
      let two = try some(Account.self, context, &random), one !== two
    else { return nil }
    let read = (seen(one), seen(two))
    // what is so already is not written, and then nothing guards what was read
    guard one.twin !== two else { return nil }
    one.twin = two
    return .marry(read.0, read.1)
  }

  private func enter(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> Effect? {
    guard let account = try some(Account.self, context, &random) else { return nil }
    let entry = Entry.create(in: context)
    entry.amount = nextNumber()
    if Bool.random(using: &random) {
      entry.account = account
    } else {
      account.entries.insert(entry)
    }
    return .enter(entry.amount, account: account.number)
  }

  private func tag(
    _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> Effect? {
    let name = "tag \(Int.random(in: 0..<5, using: &random))"
    guard let tag = try Tag.first(where: \.name == name, in: context) else {
      let tag = Tag.create(in: context)
      tag.name = name
      tag.number = nextNumber()
      return .makeTag(name, tag.number)
    }
    if Int.random(in: 0..<8, using: &random) == 0 {
      context.delete(tag)
      return .dropTag(name)
    }
    guard let account = try some(Account.self, context, &random) else { return nil }
    let isOn = !account.tags.contains(tag)
    let label = PlainBank.Label(number: tag.number, uses: tag.uses)
    if isOn { account.tags.insert(tag) } else { tag.accounts.remove(account) }
    tag.uses += 1
    return .tag(account.number, name, label, isOn)
  }

  private func changeHolders(
    _ kind: Int, _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> Effect? {
    guard let holder = try some(Holder.self, context, &random) else { return nil }
    let number = holder.number
    if kind == 14 {
      let vault = Vault.create(in: context)
      vault.number = nextNumber()
      vault.keeper = holder
      return .guardVault(vault.number, keeper: number)
    }
    if kind == 15, let vault = try some(Vault.self, context, &random), vault.keeper != nil {
      vault.keeper = nil
      return .freeVault(vault.number)
    }
    let new = Holder.create(in: context)
    new.number = nextNumber()
    context.delete(holder)
    return .dropHolder(number, new: new.number)
  }

  private func changeAccounts(
    _ kind: Int, _ context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> Effect? {
    let all = try Account.all(in: context)
    if all.count < Self.accounts {
      let account = Account.create(in: context)
      account.number = nextNumber()
      account.holder = try some(Holder.self, context, &random)
      return .open(account.number, holder: account.holder?.number)
    }
    guard let account = all.randomElement(using: &random),
      let heir = all.randomElement(using: &random), heir !== account
    else { return nil }
    let read = (seen(account), seen(heir))
    guard read.0.row.balance != 0 else { return nil }
    heir.balance += account.balance
    context.delete(account)
    return .dropAccount(read.0, heir: read.1)
  }

  // MARK: - Checks

  private func checkSum(_ queue: ContextQueue) {
    do {
      let sums = try queue.performAndWait { context in
        (
          try Account.all(in: context).reduce(0) { $0 + $1.balance },
          try Account.sum(\.balance, in: context)
        )
      }
      let whole = Self.accounts * Self.start
      if sums.0 != whole || sums.1 != whole { note("the sums are \(sums), not \(whole)") }
    } catch {
      note("\(error)")
    }
  }

  private func check() -> Result {
    let state = state.withLock { $0 }
    var result = Result(
      transactions: state.done.count, conflicts: state.conflicts, problems: state.problems)
    var plain = PlainBank()
    for number in 1...Self.accounts { plain.accounts[number] = .init(balance: Self.start) }
    plain.holders = Set(1...6)
    for done in state.done.sorted(by: { $0.number < $1.number }) {
      if let problem = plain.apply(done.effect) {
        result.problems.append("save \(done.number.rawValue), \(done.effect): \(problem)")
      }
    }
    do {
      result.problems += try stack.brokenLinks()
      for queue in [stack.newContext(), stack.main] + contexts {
        let end = try queue.performAndWait { try PlainBank($0) }
        guard end != plain else { continue }
        result.problems.append("\(end) is not what the saves make of it: \(plain)")
        break
      }
    } catch {
      result.problems.append("\(error)")
    }
    return result
  }
}
