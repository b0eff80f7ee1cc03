// SPDX-License-Identifier: MIT
import Dispatch
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

private struct Mine: Error {}

struct NestingTests {
  static let services: [@Sendable () -> RecordingService] = [
    { .inMemory() }, { .inMemory { $0.allowsConcurrentWritings = true } },
  ]
  private let calls = Calls()

  @Test(arguments: services)
  func aWriteInsideAWriteIsCommittedWithIt(_ make: @Sendable () -> RecordingService) throws {
    let service = make()
    let calls = calls
    try service.writeSync(
      { context in
        Member.create(in: context).firstname = "outer"
        try service.writeSync(
          { inner in
            #expect(Member.all(in: inner).map(\.firstname) == ["outer"])
            Member.create(in: inner).firstname = "inner"
          }, completion: calls.completion
        ).get()
        #expect(Member.count(in: context) == 2)
        #expect(service.memberCount == 0)
        #expect(calls.all.isEmpty)
      }, completion: calls.completion
    ).get()
    #expect(calls.wait(2))
    #expect(calls.all.allSatisfy { $0 == nil })
    #expect(service.memberCount == 2)
    #expect(service.errors.isEmpty)
  }

  @Test(arguments: services)
  func aWriteInsideAWriteIsLostWithIt(_ make: @Sendable () -> RecordingService) {
    let service = make()
    let calls = calls
    let chain = service.writeSync { _ in
      service.writeSync({ Member.create(in: $0) }, completion: calls.completion)
      throw Mine()
    }
    #expect(chain.failure?.kind == "block")
    #expect(calls.wait())
    #expect(calls.all.map { $0?.kind } == ["block"])
    #expect(service.memberCount == 0)
    #expect(service.errors.count == 1)
  }

  @Test(arguments: services)
  func aNestedWriteThatFailsLeavesTheOuterOneAlone(_ make: @Sendable () -> RecordingService) {
    let service = make()
    let calls = calls
    let chain = service.writeSync { context in
      Member.create(in: context)
      let inner = service.writeSync(
        { Member.create(in: $0).nickname = "much too long" }, completion: calls.completion)
      #expect(inner.failure?.kind == "validation")
      let last = service.writeSync { Member.create(in: $0) }
      #expect(last.failure == nil)
    }
    #expect(chain.failure == nil)
    #expect(calls.wait())
    #expect(calls.all.map { $0?.kind } == ["validation"])
    #expect(service.memberCount == 2)
    #expect(service.errors.map(\.kind) == ["validation"])
  }

  @Test func nestingGoesAsDeepAsItLikes() throws {
    let service = RecordingService.inMemory()
    func nest(_ depth: Int) throws {
      try service.writeSync { context in
        Member.create(in: context).count = depth
        if depth > 1 { try nest(depth - 1) }
      }.get()
    }
    try nest(10)
    #expect(service.memberCount == 10)
  }

  @Test func aReadInsideAWriteSeesWhatWasAcceptedBefore() throws {
    let service = RecordingService.inMemory()
    try service.writeSync { Member.create(in: $0) }.get()
    try service.writeSync { context in
      Member.create(in: context)
      #expect(service.memberCount == 1)
      #expect(Member.count(in: context) == 2)
    }.get()
    #expect(service.memberCount == 2)
  }

  @Test func aWriteInsideAReadIsAllowedWhereNobodyWaitsForTheRead() throws {
    let service = RecordingService.inMemory()
    try service.read { context in
      #expect(Member.count(in: context) == 0)
      try service.writeSync { Member.create(in: $0) }.get()
      #expect(Member.count(in: context) == 1)
    }.get()
    #expect(service.memberCount == 1)
  }

  @Test func failuresInsideBlocksAreToldWhileNothingIsHeld() {
    let service = RecordingService.inMemory()
    service.read { _ in
      service.writeSync { _ in throw Mine() }
      service.read { _ in throw Mine() }
    }
    #expect(service.errors.map(\.kind) == ["block", "block"])
  }

  @Test func writesOfTwoServicesNestWithoutMixing() throws {
    let one = RecordingService.inMemory()
    let two = RecordingService.inMemory()
    let chain = one.writeSync { context in
      Member.create(in: context)
      try two.writeSync { Member.create(in: $0) }.get()
      throw Mine()
    }
    #expect(chain.failure != nil)
    #expect(one.memberCount == 0)
    #expect(two.memberCount == 1)
    #expect(one.errors.count == 1)
    #expect(two.errors.isEmpty)
  }

  @Test func anErrorThatCrossesServicesIsToldByEach() {
    let one = RecordingService.inMemory()
    let two = RecordingService.inMemory()
    one.writeSync { _ in try two.writeSync { _ in throw Mine() }.get() }
    #expect(one.errors.count == 1)
    #expect(two.errors.count == 1)
  }

  @Test func aSynchronousWriteWaitsForAnAsynchronousOneThatReads() {
    let service = RecordingService.inMemory()
    let hasBegun = Latch()
    service.writeAsync { context in
      hasBegun.open()
      for _ in 0..<100 { #expect(service.memberCount == 0) }
      Member.create(in: context)
    }
    hasBegun.wait()
    service.writeSync { Member.create(in: $0) }
    #expect(service.memberCount == 2)
  }

  @Test func concurrentWritesRunSideBySideAndSerialOnesDoNot() {
    for isConcurrent in [true, false] {
      let service = RecordingService.inMemory { $0.allowsConcurrentWritings = isConcurrent }
      let running = Guarded((now: 0, most: 0))
      let both = DispatchSemaphore(value: 0)
      inParallel(2) { _ in
        service.writeSync { _ in
          running.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
            if $0.now == 2 { for _ in 0..<2 { both.signal() } }
          }
          if isConcurrent { #expect(both.wait(timeout: .now() + 10) == .success) }
          running.withLock { $0.now -= 1 }
        }
      }
      #expect(running.withLock { $0.most } == (isConcurrent ? 2 : 1))
    }
  }
}
