// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// Saves that move money between two of the accounts. The sum of all balances never changes.
struct Transfer {
  private let store: URL
  private let seed: Int
  /// Another process may change the store to the next version.
  private var stack: DataStack
  private var isNew = false

  init(_ store: URL, seed: Int) throws {
    self.store = store
    self.seed = seed
    stack = try open(store)
  }

  /// Prints `ok` for each save that is on the disk, and `reopened` when it goes on with the next version of the model.
  mutating func play() throws {
    waitForWord()
    let stop = Stop()
    var random = SplitMix(state: UInt64(seed))
    while !stop.isSet {
      do {
        try isNew
          ? move(among: NewBank.Account.self, &random) : move(among: Bank.Account.self, &random)
        say("ok")
      } catch let error as StoreError {
        switch error.code {
        case .conflict: continue
        case .modelChanged where !isNew: try reopen()
        default: throw error
        }
      }
    }
    try stack.store.close()
    say("done")
  }

  private mutating func reopen() throws {
    try? stack.store.close()  // Nothing of the former version is left to write.
    isNew = true
    stack = try open(store, NewBank.classes)
    say("reopened")
  }

  private func move<Account: AnyAccount>(
    among: Account.Type, _ random: inout SplitMix
  ) throws {
    let number = random.next()
    try stack.newContext().performAndWait { context in
      let accounts = try Account.all(in: context).sorted { $0.number < $1.number }
      let from = Int(number % UInt64(accounts.count))
      let to = (from + 1 + Int(number >> 32) % (accounts.count - 1)) % accounts.count
      accounts[from].balance -= 1
      accounts[to].balance += 1
      context.durability = .immediate
      try context.save()
    }
  }
}

/// Set when the test has sent a line, or is gone.
final class Stop: Sendable {
  private let flag = DispatchSemaphore(value: 0)

  init() {
    let flag = flag
    Thread.detachNewThread {
      _ = readLine()
      flag.signal()
    }
  }

  var isSet: Bool {
    guard flag.wait(timeout: .now()) == .success else { return false }
    flag.signal()
    return true
  }
}

/// Random numbers from a seed, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator, Sendable {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
