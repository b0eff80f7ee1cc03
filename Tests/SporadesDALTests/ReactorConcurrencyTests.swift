// SPDX-License-Identifier: MIT
import SporadesDAL
import Testing

/// Run these tests with `--sanitize=thread`, which finds data races.
@Suite struct ReactorConcurrencyTests {
  @Test func servicesComeAndGoWhileFlushesRun() async {
    let lifecycle = ScriptedLifecycle()
    let reactor = AppStateReactor(
      configuration: .init(deadline: .seconds(3_600), afterFlush: .stay), source: lifecycle)
    let anchor = ScriptedService("anchor")
    reactor.register(anchor)
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for round in 0..<50 {
            let service = ScriptedService("\(worker)/\(round)")
            reactor.register(service)
            if round % 3 == 0 { reactor.unregister(service) }
            if round % 10 == 0 { #expect(reactor.flush().flushedCount >= 1) }
          }
        }
      }
      group.addTask {
        for _ in 0..<20 { lifecycle.send(.exit) }
      }
    }
    #expect(anchor.flushCount >= 40 + 20)
    // The thread that flushed a service may drop its reference a moment after the owner does.
    #expect(reactor.flush().flushedCount >= 1)
    let flushes = anchor.flushCount
    reactor.unregister(anchor)
    reactor.flush()
    #expect(anchor.flushCount == flushes)
  }

  @Test func manySignalsAtOnceAllReachAnEnd() async {
    let lifecycle = ScriptedLifecycle()
    let reactor = AppStateReactor(
      configuration: .init(deadline: .seconds(3_600)), source: lifecycle)
    let service = ScriptedService("slow", waits: true)
    reactor.register(service)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { lifecycle.send(.signal(.terminate)) } }
    }
    // The first signal started the flush, and the other seven meant "now".
    for _ in 0..<7 { #expect(await lifecycle.ending() == .signal(.terminate)) }
    service.releaseFlush()
    #expect(await lifecycle.ending() == .signal(.terminate))
  }

  @Test func exitWaitsForTheFlushOfASignal() async {
    let lifecycle = ScriptedLifecycle()
    let reactor = AppStateReactor(
      configuration: .init(deadline: .seconds(3_600)), source: lifecycle)
    let steps = Steps()
    reactor.configure { $0.onFlushed = { _ in steps.add("flushed") } }
    let service = ScriptedService("slow", waits: true)
    reactor.register(service)
    lifecycle.send(.signal(.terminate))
    await service.hasBegun()
    async let exit: Void = {
      lifecycle.send(.exit)
      steps.add("exit returned")
    }()
    service.releaseFlush()
    await exit
    // An exit after the flush starts another flush. It returns last in both cases.
    #expect(steps.all.suffix(2) == ["flushed", "exit returned"])
  }
}
