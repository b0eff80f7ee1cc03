// SPDX-License-Identifier: MIT
import Dispatch
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

// A write that asks for a synced commit gets one, whatever context passes the save on.
struct DurabilityTests {
  private var (double, service) = StoreDouble.withService()
  private let calls = Calls()

  @Test func aNestedWriteMakesTheOuterOneImmediate() throws {
    let (service, double) = (service, double)
    try service.writeSync { context in
      Member.create(in: context)
      try service.writeSync(durability: .immediate) { Member.create(in: $0) }.get()
      // The inner write becomes durable with the outer one.
      #expect(double.promises.isEmpty)
    }.get()
    #expect(double.promises == [.immediate])
    try service.writeSync { Member.create(in: $0) }.get()
    #expect(service.flush().isComplete)
  }

  @Test func aNestedWriteThatFailsOrChangesNothingAsksForNothing() throws {
    let (service, double) = (service, double)
    try service.writeSync { context in
      Member.create(in: context)
      service.writeSync(durability: .immediate) { Member.create(in: $0).nickname = "much too long" }
      service.writeSync(durability: .immediate) { _ in }
    }.get()
    #expect(eventually { double.promises == [.eventual] })
  }

  @Test func aNestedWriteThatCannotBeSyncedFailsTheOuterOne() throws {
    let service = service
    double.fail(.commit, times: 1)
    let chain = service.writeSync { _ in
      try service.writeSync(
        durability: .immediate, { Member.create(in: $0) }, completion: calls.completion
      ).get()
    }
    #expect(chain.failure?.kind == "notDurable")
    #expect(calls.wait())
    #expect(calls.all.map { $0?.kind } == ["notDurable"])
    #expect(calls.all.first??.receipt == chain.receipt)
  }

  @Test func theSaveOfAChildMakesItsParentsSaveImmediate() throws {
    let stack = try service.stack()
    let parent = stack.newContext()
    let middle = stack.newChild(of: parent)
    let child = stack.newChild(of: middle)
    try child.performAndWait { context in
      context.durability = .immediate
      Member.create(in: context)
      try context.save()
    }
    try middle.performAndWait { try $0.save() }
    #expect(double.promises.isEmpty)
    try parent.performAndWait { context in
      try context.save()
      #expect(context.durability == .eventual)
    }
    #expect(double.promises == [.immediate])
    // The commit ran once.
    try parent.performAndWait { context in
      Member.create(in: context)
      try context.save()
    }
    #expect(eventually { double.promises == [.immediate, .eventual] })
  }

  @Test func whatIsGivenUpAsksForNothing() throws {
    let stack = try service.stack()
    let parent = stack.newContext()
    let child = stack.newChild(of: parent)
    let ways: [(ManagedObjectContext) -> Void] = [{ $0.rollback() }, { $0.reset() }]
    for (place, forget) in ways.enumerated() {
      try child.performAndWait { context in
        context.durability = .immediate
        Member.create(in: context)
        try context.save()
      }
      try parent.performAndWait { context in
        forget(context)
        Member.create(in: context)
        try context.save()
      }
      #expect(eventually { double.promises.count == place + 1 })
    }
    #expect(double.promises == [.eventual, .eventual])
  }

  /// The receipt of an immediate write says when the write is on the disk.
  @Test func theRetryOfAnImmediateCommitSyncs() throws {
    double.fail(.commit, times: 1)
    let chain = service.writeSync(durability: .immediate) { Member.create(in: $0) }
    #expect(chain.failure?.kind == "notDurable")
    let receipt = try #require(chain.failure?.receipt)
    guard case .committed = receipt.wait(within: .seconds(3_600)) else {
      Issue.record("The commit was not tried again.")
      return
    }
    #expect(double.promises == [.immediate, .immediate])
  }
}
