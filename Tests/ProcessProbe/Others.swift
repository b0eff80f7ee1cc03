// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesCare

// The parts that have no state of their own.

/// Writes once with a short deadline, tells the refusal, and writes again at the test's word.
func playOnce(_ store: URL, milliseconds: Int) throws {
  let stack = try open(store, busyMilliseconds: milliseconds)
  let queue = stack.newContext()
  waitForWord()
  func write() throws {
    try queue.performAndWait { context in
      if !context.hasChanges { Bank.Note.create(in: context).title = "once" }
      context.durability = .immediate
      try context.save()
    }
  }
  do {
    try write()
    say("ok")
  } catch let error as StoreError {
    say("refused \(ProcessProbe.name(of: error)) retryable \(error.isRetryable)")
    waitForWord()
    try write()
    say("ok")
  }
  try stack.store.close()
  say("done")
}

/// Tells the sum of all balances in one state of the store, before and after the test's word.
func playReading(_ store: URL) throws {
  let stack = try open(store)
  let token = try stack.newContext().performAndWait { context in
    try context.setQueryGeneration(from: .current)
    return context.queryGenerationToken
  }
  func tell(_ what: String) throws {
    let balances = try stack.newContext().performAndWait { context in
      try context.setQueryGeneration(from: token)
      return try Bank.Account.all(in: context).sorted { $0.number < $1.number }.map(\.balance)
    }
    say("\(what) \(balances)")
  }
  try tell("before")
  waitForWord()
  try tell("after")
  try stack.store.close()
  say("done")
}

/// Copies the store and tells of each copy the sum of all balances, and its damages.
func playCopying(_ store: URL, _ folder: String, count: Int) throws {
  let stack = try open(store)
  waitForWord()
  for number in 1...count {
    let copy = URL(fileURLWithPath: folder).appendingPathComponent("copy\(number).sqlite")
    try stack.store.copy(to: copy.path)
    let opened = try open(copy)
    let sum = try opened.newContext().performAndWait { context in
      try Bank.Account.all(in: context).map(\.balance).reduce(0, +)
    }
    say("copy \(sum) \(try opened.store.integrityProblems().count)")
    try opened.store.close()
    try SQLiteStore.destroy(storeAt: copy)
  }
  try stack.store.close()
  say("done")
}

/// Removes all objects, some times.
func playResetting(_ store: URL, count: Int) throws {
  let stack = try open(store)
  let service = DALService(stack: stack)
  waitForWord()
  for _ in 0..<count {
    // Others get far enough to have something to remove.
    while try service.readValue({ try Bank.Note.count(in: $0) }) < 10 {}
    try service.reset()
    say("reset")
  }
  try service.close()
  say("done")
}

/// Changes the store to the next version while others write to it.
func playMigrating(_ store: URL) throws {
  waitForWord()
  let stack = try open(store, NewBank.classes, migrates: true)
  say("migrated")
  try stack.store.close()
  say("done")
}

/// Removes the file. Others have it open.
func playDestroying(_ store: URL) throws {
  waitForWord()
  try SQLiteStore.destroy(storeAt: store)
  say("done")
}
