// SPDX-License-Identifier: MIT
import Dispatch
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

// The answers of a write's receipt, and the reports of writes that are not durable yet.
struct WriteReceiptTests {
  private var (double, service) = StoreDouble.withService()
  private let calls = Calls()

  private func failCommits() {
    double.play { (call) throws(StoreError) in
      if call == .commit { throw StoreError(.full, "Scripted.") }
    }
  }

  @Test func aReceiptTellsWhenTheWriteIsCommitted() throws {
    failCommits()
    let chain = service.writeSync({ Member.create(in: $0) }, completion: calls.completion)
    let receipt = try #require(chain.receipt)
    #expect(calls.wait())
    #expect(calls.all.first??.kind == "notDurable")
    #expect(calls.all.first??.receipt == receipt)
    #expect(receipt.isAccepted)
    #expect(receipt.wait(within: .zero).isAccepted)
    double.play { _ in }
    #expect(receipt.wait(within: .seconds(3_600)).isCommitted)
    #expect(receipt.state.isCommitted)
    #expect(eventually { service.settlements == [receipt] })
    // A write that was never reported needs no second event.
    try service.writeSync(durability: .immediate) { Member.create(in: $0) }.get()
    #expect(service.errors.allSatisfy { $0.kind == "notDurable" })
    #expect(service.settlements == [receipt])
    #expect(calls.all.count == 1)
  }

  /// The next commit, whatever its cause, syncs the disk before the write counts as committed.
  @Test(arguments: ["large", "removal", "end"])
  func anImmediateWriteThatFailedIsCommittedImmediately(_ next: String) throws {
    failCommits()
    var service: RecordingService? = RecordingService.over(double)
    let chain = service?.writeSync(durability: .immediate) { Member.create(in: $0) }
    let receipt = try #require(chain?.receipt)
    #expect(chain?.failure?.kind == "notDurable")
    let failed = double.promises.count
    double.play { _ in }
    switch next {
    case "large":
      try service?.writeSync { for _ in 0..<1500 { Member.create(in: $0) } }.get()
    case "removal": try service?.stack().root.removeAllRows(keepingCopyAt: nil)
    default: service = nil
    }
    #expect(receipt.wait(within: .seconds(3_600)).isCommitted)
    #expect(double.promises[failed] == .immediate)
  }

  @Test func stepsThatWriteNothingHaveNoReceipt() throws {
    #expect(service.writeSync { _ in }.receipt == nil)
    #expect(service.read { _ in }.receipt == nil)
    #expect(service.writeSync { Member.create(in: $0).nickname = "much too long" }.receipt == nil)
    let service = service
    try service.writeSync { context in
      Member.create(in: context)
      #expect(service.writeSync { Member.create(in: $0) }.receipt == nil)
    }.get()
    let first = service.writeSync { Member.create(in: $0) }.receipt
    let second = service.writeSync { Member.create(in: $0) }.receipt
    #expect(first != nil)
    #expect(second != nil)
    #expect(first != second)
    #expect(Set([first, second]).count == 2)
  }

  @Test func aTaskAwaitsTheFateOfItsWrite() async throws {
    failCommits()
    let service = service
    let error = await #expect(throws: DALError.self) {
      try await service.write(durability: .immediate) { _ = Member.create(in: $0) }
    }
    #expect(error?.kind == "notDurable")
    let receipt = try #require(error?.receipt)
    #expect(receipt.isAccepted)
    async let state = receipt.settled
    double.play { _ in }
    #expect(await state.isCommitted)
    #expect(await receipt.settled.isCommitted)
    #expect(service.memberCount == 1)
  }

  @Test func aCancelledTaskWaitsNoLonger() async throws {
    failCommits()
    let receipt = try #require(service.writeSync { Member.create(in: $0) }.receipt)
    let task = Task { await receipt.settled }
    task.cancel()
    #expect(await task.value.isAccepted)
    double.play { _ in }
    #expect(await receipt.settled.isCommitted)
  }

  @Test func aPlainContextHasReceiptsToo() throws {
    failCommits()
    let stack = try service.stack()
    let error = stack.newContext().performAndWait { context -> (any Error)? in
      context.durability = .immediate
      Member.create(in: context)
      do {
        try context.save()
        return nil
      } catch {
        guard case ContextError.notDurable(_, let receipt) = error else { return error }
        #expect(context.lastReceipt == receipt)
        return error
      }
    }
    guard case ContextError.notDurable(_, let receipt)? = error else {
      Issue.record("The commit failed: \(error as Any)")
      return
    }
    double.play { _ in }
    #expect(receipt.wait(within: .seconds(3_600)).isCommitted)
  }

  /// A released stack commits no more, so a caller that waits for its receipt needs an answer.
  @Test func aReleasedStackLosesItsUncommittedWrites() throws {
    failCommits()
    var service: RecordingService? = RecordingService.over(double)
    let receipt = try #require(service?.writeSync { Member.create(in: $0) }.receipt)
    service = nil
    let state = receipt.wait(within: .seconds(3_600))
    guard case .lost(let write) = state else {
      Issue.record("The write is lost with its stack: \(state)")
      return
    }
    #expect(write.reason.code == .closed)
    #expect(write.objects.count == 1)
  }

  /// A failed commit is reported while its root is locked. The report must not drop the last reference to
  /// the service, because the service commits once more when it ends, and waits for the same lock.
  @Test func aServiceMayEndWhileAFailedCommitIsReported() throws {
    failCommits()
    let double = double
    inParallel(4) { _ in
      for _ in 0..<40 {
        var service: RecordingService? = RecordingService.over(double)
        let receipt = service?.writeSync { Member.create(in: $0) }.receipt
        service = nil
        guard case .lost? = receipt?.wait(within: .seconds(3_600)) else {
          Issue.record("A released service answers its receipt.")
          return
        }
      }
    }
  }

  @Test func closingSettlesEverything() throws {
    let receipt = try #require(service.writeSync { Member.create(in: $0) }.receipt)
    try service.close()
    #expect(receipt.state.isCommitted)
  }
}

extension WriteReceipt {
  var isAccepted: Bool { state.isAccepted }
}

extension WriteReceipt.State {
  var isAccepted: Bool { if case .accepted = self { true } else { false } }
  var isCommitted: Bool { if case .committed = self { true } else { false } }
}
