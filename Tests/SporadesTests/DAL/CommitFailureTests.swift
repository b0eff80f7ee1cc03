// SPDX-License-Identifier: MIT
import Dispatch
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

// Writes whose commit fails or takes long.
struct CommitFailureTests {
  private var (double, service) = StoreDouble.withService()
  private let calls = Calls()

  private var committed: Int {
    let shape = double.model.shape(named: "Member")!
    return (try? double.count(StoreFetch(shape), in: .committed)) ?? -1
  }

  @Test func aCommitThatFailsIsTriedAgainAndNothingIsDropped() throws {
    double.fail(.commit, times: 3)
    try service.writeSync({ Member.create(in: $0) }, completion: calls.completion).get()
    #expect(calls.wait())
    #expect(calls.all.map { $0?.kind } == ["notDurable"])
    #expect(service.memberCount == 1)
    #expect(eventually { committed == 1 })
    #expect(eventually { service.metrics.commits.rowsWaiting == 0 })
    // Attempts that fail alike are one failure.
    #expect(service.errorsSoFar.map(\.kind) == ["notDurable"])
    // The commit is counted after the store has answered.
    #expect(eventually { service.metrics.commits.rowsCommitted == 1 })
    #expect(service.metrics.commits.commits == 1)
    #expect(calls.all.count == 1)
  }

  @Test func anotherReasonOfAFailureIsToldAgain() throws {
    let attempts = Guarded(0)
    double.play { (call) throws(StoreError) in
      guard call == .commit else { return }
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      if attempt <= 4 { throw StoreError(attempt <= 2 ? .full : .io, "Scripted.") }
    }
    service.writeSync { Member.create(in: $0) }
    #expect(eventually { committed == 1 })
    #expect(service.errorsSoFar.map(\.kind) == ["notDurable", "notDurable"])
  }

  @Test func savesWhileARetryWaitsShareItsCommit() throws {
    double.fail(.commit, times: 1)
    try service.writeSync({ Member.create(in: $0) }, completion: calls.completion).get()
    #expect(calls.wait())
    for _ in 0..<5 { service.writeSync({ Member.create(in: $0) }, completion: calls.completion) }
    #expect(calls.wait(5))
    // A completion that is added after the failure gets the result of the retry.
    #expect(calls.all.compactMap { $0 }.count <= 1)
    #expect(committed == 6)
    #expect(double.count(of: .commit) < 6)
    #expect(service.errorsSoFar.count == 1)
  }

  @Test func anImmediateWriteThatCannotBeCommittedIsKeptAndToldOnce() throws {
    double.fail(.commit, times: 1)
    let chain = service.writeSync(
      durability: .immediate, { Member.create(in: $0) }, completion: calls.completion)
    #expect(chain.failure?.kind == "notDurable")
    #expect(calls.wait())
    #expect(calls.all.map { $0?.kind } == ["notDurable"])
    #expect(service.memberCount == 1)
    #expect(eventually { committed == 1 })
    #expect(service.errorsSoFar.map(\.kind) == ["notDurable"])
    #expect(service.metrics.commits.rowsCommitted == 1)
  }

  @Test func failuresThatFollowEachOtherStartOneRetryTogether() throws {
    let moments = Guarded<[ContinuousClock.Instant]>([])
    double.play { (call) throws(StoreError) in
      guard call == .commit else { return }
      let made = moments.withLock { moments in
        moments.append(.now)
        return moments.count
      }
      if made <= 4 { throw StoreError(.full, "Scripted.") }
    }
    // The first write makes one attempt. The second makes one for the waiting changes and one for itself.
    for _ in 0..<2 { service.writeSync(durability: .immediate) { Member.create(in: $0) } }
    #expect(service.memberCount == 2)
    #expect(eventually { committed == 2 })
    let made = moments.withLock { $0 }
    // Each failure doubles the pause, and starts no second chain of retries.
    #expect(made.count == 5)
    #expect(made[4] - made[3] > .milliseconds(700))
  }

  @Test func everyCallThatCanFailLeavesAServiceThatWorks() throws {
    for ordinal in 1...100 {
      let base = try MemoryStore(model: .members)
      let faulty = FaultyStore(base, failingCall: ordinal, .before, code: .full)
      let service = RecordingService.over(faulty)
      let chain =
        service
        .writeSync { Member.create(in: $0).firstname = "a" }
        .writeSync { Member.first(in: $0)?.firstname = "b" }
        .read { _ = Member.all(in: $0) }
      let report = service.flush()
      let isTold = !service.errors.isEmpty
      #expect(faulty.hasFailed == isTold)
      #expect(chain.failure == nil || isTold)
      #expect(report.isComplete || isTold)
      guard faulty.hasFailed else { return }
      try service.writeSync(durability: .immediate) { Member.create(in: $0).firstname = "last" }
        .get()
      #expect(try base.count(StoreFetch(base.model.shape(named: "Member")!), in: .committed) >= 1)
    }
    Issue.record("The scenario has no end.")
  }

  @Test func readsGoOnWhileALargeSaveIsCommitted() throws {
    try service.writeSync(durability: .immediate) { Member.create(in: $0) }.get()
    let isCommitting = Latch()
    let mayCommit = Latch()
    double.play { (call) throws(StoreError) in
      guard call == .commit else { return }
      isCommitting.open()
      mayCommit.wait()
    }
    service.writeAsync(
      { context in for _ in 0..<1500 { Member.create(in: context) } },
      completion: calls.completion)
    #expect(isCommitting.wait())
    #expect(service.memberCount == 1)
    double.play { _ in }
    mayCommit.open()
    #expect(calls.wait())
    #expect(service.memberCount == 1501)
  }

  @Test func flushTellsWhatDidNotMakeIt() throws {
    double.play { (call) throws(StoreError) in
      if call == .commit { throw StoreError(.full, "The disk is full.") }
    }
    try service.writeSync { Member.create(in: $0) }.get()
    let report = service.flush()
    #expect(report.lostCount == 1)
    #expect(report.lostObjects.count == 1)
    #expect(report.errors.contains { $0.contains("full") })
    double.play { _ in }
    #expect(service.flush().isComplete)
    #expect(committed == 1)
  }

  @Test func flushRunsQueuedWritesFirst() throws {
    for _ in 0..<100 { service.writeAsync { Member.create(in: $0) } }
    #expect(service.flush().isComplete)
    #expect(committed == 100)
    #expect(service.metrics.writesQueued == 0)
  }

  @Test func flushGivesUpAtItsDeadline() {
    let mayEnd = Latch()
    service.writeAsync({ _ in mayEnd.wait() }, completion: calls.completion)
    let report = service.flush(within: .milliseconds(20))
    #expect(!report.isComplete)
    #expect(report.lostCount == 1)
    mayEnd.open()
    #expect(calls.wait())
  }

  @Test func aStoppedServiceRefusesWritesAndRunsThoseItHas() throws {
    service.writeAsync { Member.create(in: $0) }
    service.stopTakingWrites(until: DispatchGroup())
    #expect(service.flush(deadline: .now + .seconds(3_600)).isComplete)
    let chain = service.writeSync({ Member.create(in: $0) }, completion: calls.completion)
    #expect(chain.failure?.kind == "stopping")
    #expect(calls.wait())
    #expect(committed == 1)
    #expect(service.memberCount == 1)
    service.takeWritesAgain()
    try service.writeSync { Member.create(in: $0) }.get()
    #expect(service.flush(deadline: .now + .seconds(3_600)).isComplete)
    #expect(committed == 2)
  }

  @Test func flushingByHandLeavesServicesOpen() throws {
    let reactor = AppStateReactor()
    let service = RecordingService.over(try StoreDouble()) { $0.reactor = reactor }
    try service.writeSync { Member.create(in: $0) }.get()
    #expect(reactor.flush().isComplete)
    try service.writeSync { Member.create(in: $0) }.get()
    try service.close()
  }

  @Test func completionsOfAServiceThatIsLetGoComeAllTheSame() throws {
    let double = try StoreDouble()
    let calls = calls
    weak var last: RecordingService?
    do {
      let service = RecordingService.over(double)
      last = service
      for _ in 0..<20 {
        service.writeAsync({ Member.create(in: $0) }, completion: calls.completion)
      }
    }
    #expect(calls.wait(20))
    #expect(calls.all.allSatisfy { $0 == nil })
    #expect(eventually { last == nil })
    let shape = double.model.shape(named: "Member")!
    #expect(eventually { (try? double.count(StoreFetch(shape), in: .committed)) == 20 })
  }

  @Test func aClosingThatFailsLeavesTheServiceOpen() throws {
    try service.writeSync { Member.create(in: $0) }.get()
    double.play { (call) throws(StoreError) in
      if call == .commit || call == .close { throw StoreError(.full, "Full.") }
    }
    #expect(throws: DALError.self) { try service.close() }
    double.play { _ in }
    #expect(service.memberCount == 1)
    try service.writeSync { Member.create(in: $0) }.get()
    try service.close()
    #expect(service.read { _ in }.failure?.kind == "closed")
  }
}
