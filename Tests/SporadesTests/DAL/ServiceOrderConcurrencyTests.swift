// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import Testing

// The seeds' tests of order and threads. The seeds have a main thread. Here "main" is the context for reads, on
// whatever thread it runs.
struct ServiceOrderConcurrencyTests {
  private let service = RecordingService.inMemory()

  private func onQueue(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "test").sync(execute: body)
  }

  @Test func worksFromAnyThread() {
    let service = service
    for _ in 0..<2 {
      onQueue {
        var counts: [Int] = []
        service
          .writeSync { Member.deleteAll(in: $0) }
          .read { counts.append(Member.count(in: $0)) }
          .writeSync { Member.create(in: $0) }
          .read { counts.append(Member.count(in: $0)) }
        #expect(counts == [0, 1])
      }
    }
    #expect(service.errors.isEmpty)
  }

  @Test func stepsRunInOrderAndTheChainReturnsAfterAll() {
    var steps: [Int] = [0]
    service
      .writeSync { _ in steps.append(1) }
      .read { _ in steps.append(2) }
      .writeSync { _ in steps.append(3) }
      .read { _ in steps.append(4) }
    steps.append(5)
    #expect(steps == [0, 1, 2, 3, 4, 5])
  }

  @Test func synchronousBlocksRunOnTheCallingThread() {
    let service = service
    let thread = Thread { [service] in
      let current = ObjectIdentifier(Thread.current)
      service
        .writeSync { _ in #expect(ObjectIdentifier(Thread.current) == current) }
        .read { _ in #expect(ObjectIdentifier(Thread.current) == current) }
    }
    thread.start()
    #expect(eventually { thread.isFinished })
  }

  @Test func readsRunOnTheMainQueueWhereAsked() throws {
    let queue = DispatchQueue(label: "main of the test")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let stack = try DataStack(inMemory: [Member.self], mainQueue: queue)
    let service = RecordingService(stack: stack, options: RecordingService.options { _ in })
    service
      .writeSync { _ in #expect(DispatchQueue.getSpecific(key: key) == nil) }
      .read { _ in #expect(DispatchQueue.getSpecific(key: key) == true) }
  }

  /// The thread that serves the main queue is in the queues of the gate and of the child when it reaches the main context.
  @Test @MainActor func aWriteOnTheMainQueueReachesTheMainContextThere() throws {
    let stack = try DataStack(inMemory: [Member.self], mainQueue: .main)
    let service = RecordingService(stack: stack, options: RecordingService.options { _ in })
    service.writeSync { context in
      Member.create(in: context)
      service.read { #expect(Member.count(in: $0) == 0) }
    }
    .read { #expect(Member.count(in: $0) == 1) }
    #expect(service.errors.isEmpty)
  }

  @Test func asynchronousBlocksRunElsewhereAndCompletionsOnTheirQueue() {
    let queue = DispatchQueue(label: "completions")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let service = RecordingService.inMemory { $0.completionQueue = queue }
    let calls = Calls()
    let isOnQueue = Guarded(false)
    let own = Thread.current
    let ownID = ObjectIdentifier(own)
    let hasReturned = Latch()
    service.writeAsync { context in
      // The caller has returned, so the block can not run on the caller's thread.
      #expect(hasReturned.wait())
      #expect(ObjectIdentifier(Thread.current) != ownID)
      Member.create(in: context)
    } completion: { error in
      isOnQueue.withLock { $0 = DispatchQueue.getSpecific(key: key) == true }
      calls.completion(error)
    }
    hasReturned.open()
    #expect(calls.wait())
    #expect(isOnQueue.withLock { $0 })
    #expect(calls.all.count == 1 && calls.all[0] == nil)
  }

  @Test func asynchronousWritesKeepTheirOrderAndLaterOnesComeAfter() throws {
    for number in 1...50 {
      service.writeAsync { context in
        let member = Member.first(in: context) ?? Member.create(in: context)
        #expect(member.count == number - 1)
        member.count = number
      }
    }
    try service.writeSync { context in #expect(Member.first(in: context)?.count == 50) }
      .read { context in #expect(Member.all(in: context).map(\.count) == [50]) }
      .get()
    #expect(service.errors.isEmpty)
  }

  @Test func aCompletedWriteIsSeenByReads() {
    let seen = Calls()
    let service = service
    service.writeAsync {
      Member.create(in: $0)
    } completion: { error in
      #expect(service.memberCount == 1)
      seen.completion(error)
    }
    #expect(seen.wait())
  }

  @Test func manyRoundsOfWritingAndReadingEndAsTheyShould() {
    for _ in 0..<3 {
      let calls = Calls()
      service.writeSync { Member.create(in: $0) }
      service.writeSync { Member.deleteAll(in: $0) }
      service.writeSync({ #expect(Member.all(in: $0).isEmpty) }, completion: calls.completion)
      #expect(calls.wait())
    }
  }
}
