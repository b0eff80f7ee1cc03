// SPDX-License-Identifier: MIT
import SporadesModel
import SporadesStore

// Work in a transaction.
extension Writer {
  /// Runs `body` in the open transaction. If none is open, runs it in a new one and commits at once.
  mutating func transact<Output>(
    _ body: (inout Writer) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    var answer = Answer<Output>()
    try transactIfKept { (writer) throws(StoreError) in
      answer.take(try body(&writer))
      return true
    }
    return answer.get()
  }

  /// Runs `body` in a transaction of its own, which is undone if the answer is nil.
  mutating func transactUnlessNil<Output>(
    _ body: (inout Writer) throws(StoreError) -> Output?
  ) throws(StoreError) -> Output? {
    var answer: Output?
    try transactIfKept { (writer) throws(StoreError) in
      answer = try body(&writer)
      return answer != nil
    }
    return answer
  }

  // `dynamic`, because the optimizer would else make a copy for each block that a caller passes. The block returns
  // whether its transaction is kept.
  private mutating dynamic func transactIfKept(
    _ body: (inout Writer) throws(StoreError) -> Bool
  ) throws(StoreError) {
    try checkBeforeWriting()
    connection.limit.renew()
    try restore()
    guard connection.isOutsideTransaction else {
      let isKept: Bool
      do { isKept = try body(&self) } catch {
        endTransaction(brokenBy: error)
        throw error
      }
      return trap(
        unless: isKept, "What shares its transaction with accepted changes is not undone.")
    }
    try begin()
    do {
      guard try body(&self) else {
        rollback()
        return dropUnprotectedKeys()
      }
      try endTransaction()
      if hasUnprotectedKeys { protectKeys() }
      try checkPlace()
    } catch {
      rollback()
      dropUnprotectedKeys()
      throw error
    }
  }
}
