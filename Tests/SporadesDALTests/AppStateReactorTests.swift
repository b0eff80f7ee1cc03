// SPDX-License-Identifier: MIT
import SporadesDAL
import SporadesModel
import Testing

@Suite struct AppStateReactorTests {
  private let lifecycle = ScriptedLifecycle()

  private func makeReactor(
    _ configuration: AppStateReactor.Configuration = .init()
  ) -> AppStateReactor {
    var configuration = configuration
    configuration.report = { _ in }
    // All tests of the package share a few threads, so seconds can pass between two lines of a test.
    if configuration.deadline == .seconds(10) { configuration.deadline = .seconds(3_600) }
    return AppStateReactor(configuration: configuration, source: lifecycle)
  }

  @Test func listensFromTheFirstRegistrationOn() {
    let reactor = makeReactor()
    #expect(lifecycle.events.isEmpty)
    let service = ScriptedService("a")
    reactor.register(service)
    #expect(
      lifecycle.events
        == [.signal(.terminate), .signal(.interrupt), .signal(.hangUp), .exit, .suspend])
    reactor.configure {
      $0.signals = [.terminate]
      $0.flushesAtExit = false
    }
    #expect(lifecycle.events == [.signal(.terminate), .exit, .suspend])
    lifecycle.send(.exit)
    #expect(service.flushCount == 0)
    reactor.configure { $0.afterFlush = .stay }
    #expect(lifecycle.events == [.signal(.terminate), .suspend])
  }

  @Test func aReactorWithoutServicesListensForNothing() {
    let reactor = makeReactor()
    let (first, second) = (ScriptedService("first"), ScriptedService("second"))
    reactor.register(first)
    reactor.register(second)
    reactor.unregister(first)
    #expect(lifecycle.events.contains(.signal(.terminate)))
    reactor.unregister(second)
    #expect(lifecycle.events.isEmpty)
    reactor.register(first)
    #expect(lifecycle.events.contains(.signal(.terminate)))
  }

  /// The handler of the program decides what becomes of the process.
  @Test func aSignalOfTheProgramIsFlushedAndEndsNothing() async {
    let reactor = makeReactor()
    let service = ScriptedService("a")
    reactor.register(service)
    let reports = reactor.flushes
    lifecycle.send(.handledSignal(.terminate))
    for await report in reports {
      #expect(report == FlushReport(flushedCount: 1))
      break
    }
    lifecycle.send(.exit)
    #expect(service.flushCount == 2)
    lifecycle.send(.signal(.interrupt))
    #expect(await lifecycle.ending() == .signal(.interrupt))
  }

  /// The process ends by the signal, and not with the status of the exit.
  @Test func aSignalDuringTheExitEndsTheProcessAfterTheFlush() async {
    let reactor = makeReactor()
    let service = ScriptedService("slow", waits: true)
    reactor.register(service)
    async let exit: Void = onOwnThread { self.lifecycle.send(.exit) }
    await service.hasBegun()
    lifecycle.send(.signal(.terminate))
    service.releaseFlush()
    #expect(await lifecycle.ending() == .signal(.terminate))
    await exit
    #expect(service.flushCount == 1)
    lifecycle.send(.signal(.interrupt))
    #expect(await lifecycle.ending() == .signal(.interrupt))
    #expect(service.flushCount == 1)
  }

  @Test func aSignalDuringASuspensionIsFlushedAfterIt() async {
    let reactor = makeReactor()
    let service = ScriptedService("slow", waits: true)
    reactor.register(service)
    async let suspension: Void = onOwnThread { self.lifecycle.send(.suspend) }
    await service.hasBegun()
    lifecycle.send(.signal(.terminate))
    service.releaseFlush()
    await suspension
    #expect(await lifecycle.ending() == .signal(.terminate))
    #expect(service.flushCount == 2)
  }

  @Test func mergesWhatAllServicesReport() async {
    let reactor = makeReactor()
    let scope = StoreScope(identifier: "REACTOR", entityNames: ["Entry"])
    let lost = ManagedObjectID(key: RowKey(entity: 1, primaryKey: 7), scope: scope)
    let first = ScriptedService("first", FlushReport(flushedCount: 2))
    let second = ScriptedService(
      "second",
      FlushReport(
        flushedCount: 1, lostCount: 3, lostObjects: [lost], errors: ["The disk is full."]))
    reactor.register(first)
    reactor.register(second)
    let report = reactor.flush()
    #expect(report.flushedCount == 3)
    #expect(report.lostCount == 3)
    #expect(report.lostObjects == [lost])
    #expect(!report.isComplete)
    #expect(report.description == "3 flushed, 3 lost (Entry/p7); The disk is full.")
  }

  @Test func callsBackInOrderBeforeTheProcessEnds() async {
    let steps = Steps()
    let reactor = makeReactor()
    let service = ScriptedService("a")
    reactor.register(service)
    reactor.configure {
      $0.willFlush = { steps.add("will flush, \(service.flushCount)") }
      $0.report = { _ in steps.add("report") }
      $0.onFlushed = { steps.add("flushed \($0.flushedCount)") }
    }
    lifecycle.send(.signal(.terminate))
    #expect(await lifecycle.ending() == .signal(.terminate))
    #expect(steps.all == ["will flush, 0", "report", "flushed 1"])
  }

  @Test func namesServicesThatDoNotAnswerInTime() async {
    var configuration = AppStateReactor.Configuration(deadline: .milliseconds(50))
    let steps = Steps()
    configuration.onFlushed = { steps.add($0.description) }
    let reactor = makeReactor(configuration)
    let (stuck, well) = (ScriptedService("stuck", waits: true), ScriptedService("well"))
    reactor.register(stuck)
    reactor.register(well)
    lifecycle.send(.signal(.terminate))
    #expect(await lifecycle.ending() == .signal(.terminate))
    // On a busy machine the other service may be late as well.
    #expect(steps.all.count == 1 && steps.all[0].contains("no answer in time from stuck"))
    await well.hasBegun()
    stuck.releaseFlush()
  }

  @Test func goesOnWithoutAHookThatHangs() async {
    let gate = ScriptedService("gate", waits: true)
    let steps = Steps()
    let reactor = makeReactor(.init(deadline: .milliseconds(100)))
    reactor.configure {
      $0.willFlush = { _ = gate.flush(deadline: .now) }
      $0.onFlushed = { steps.add("\($0.flushedCount), \($0.errors.count) errors") }
    }
    let service = ScriptedService("a")
    reactor.register(service)
    lifecycle.send(.signal(.hangUp))
    #expect(await lifecycle.ending() == .signal(.hangUp))
    // On a busy machine the service may answer late, but the reactor has called its flush.
    #expect(steps.all == ["1, 1 errors"] || steps.all == ["0, 1 errors"])
    await service.hasBegun()
    gate.releaseFlush()
  }

  @Test func aSecondSignalEndsTheProcessWhileServicesFlush() async {
    // The deadline must not end the first round while other tests hold the threads.
    let reactor = makeReactor(.init(deadline: .seconds(86_400)))
    let service = ScriptedService("slow", waits: true)
    reactor.register(service)
    lifecycle.send(.signal(.terminate))
    await service.hasBegun()
    lifecycle.send(.signal(.interrupt))
    #expect(await lifecycle.ending() == .signal(.interrupt))
    service.releaseFlush()
    #expect(await lifecycle.ending() == .signal(.terminate))
  }

  @Test func aSecondSignalCutsTheWaitShortWhereTheHostEnds() async {
    let reactor = makeReactor(.init(deadline: .seconds(86_400), afterFlush: .stay))
    let service = ScriptedService("slow", waits: true)
    reactor.register(service)
    let flushes = reactor.flushes
    lifecycle.send(.signal(.terminate))
    await service.hasBegun()
    lifecycle.send(.signal(.terminate))
    for await report in flushes {
      #expect(report.unansweredServices == ["slow"])
      break
    }
    service.releaseFlush()
  }

  @Test func exitAndSuspendAreFlushedOnReturn() {
    let reactor = makeReactor()
    let service = ScriptedService("a")
    reactor.register(service)
    lifecycle.send(.exit)
    #expect(service.flushCount == 1)
    lifecycle.send(.suspend)
    #expect(service.flushCount == 2)
  }

  @Test func holdsServicesWeakly() {
    let reactor = makeReactor()
    let kept = ScriptedService("kept")
    reactor.register(kept)
    weak var dropped: ScriptedService?
    do {
      let service = ScriptedService("dropped")
      reactor.register(service)
      dropped = service
    }
    #expect(dropped == nil)
    #expect(reactor.flush().flushedCount == 1)
    reactor.unregister(kept)
    #expect(reactor.flush() == FlushReport())
    #expect(kept.flushCount == 1)
  }

  @Test func aDroppedReactorStopsListening() {
    let service = ScriptedService("a")
    do {
      let reactor = makeReactor()
      reactor.register(service)
    }
    #expect(lifecycle.events.isEmpty)
    lifecycle.send(.exit)
    #expect(service.flushCount == 0)
  }
}
