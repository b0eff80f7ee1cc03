// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@testable import SporadesDAL

/// The error of a refused write may end the program, so it waits until every service is flushed.
@Suite struct RefusedWriteConcurrencyTests {
  private let lifecycle = ScriptedLifecycle()
  private let slow = ScriptedService("slow", waits: true)
  private let steps = Steps()

  /// Returns a service that refuses writes during the flush of another one.
  private func stoppedService(
    afterFlush: AppStateReactor.AfterFlush, _ onFlushed: (@Sendable (FlushReport) -> Void)? = nil
  ) async throws -> (DALService, AppStateReactor) {
    let reactor = AppStateReactor(
      configuration: .init(deadline: .seconds(3_600), afterFlush: afterFlush), source: lifecycle)
    reactor.configure { $0.onFlushed = onFlushed }
    reactor.register(slow)
    let service = try service(of: reactor)
    lifecycle.send(.signal(.terminate))
    await onOwnThread { while refusalInARead(service) == nil {} }
    return (service, reactor)
  }

  private func service(of reactor: AppStateReactor) throws -> DALService {
    var options = DALService.Options()
    options.reactor = reactor
    let model = try ManagedObjectModel(entities: [EntityDescription("Entry")])
    let service = DALService(options: options) { DataStack(store: MemoryStore(model: model)) }
    service.writeSync { _ in }
    return service
  }

  /// Writes inside a read, which gets the refusal at once, because a flush may wait for the read.
  private func refusalInARead(_ service: DALService) -> DALError? {
    let failure = Guarded<DALError?>(nil)
    service.read { _ in
      let chain = service.writeSync { _ in }
      failure.withLock { $0 = chain.failure }
    }
    return failure.withLock { $0 }
  }

  /// Starts a write in both forms, waits until both have begun, and lets the slow service finish its flush.
  private func write(to service: DALService) async -> [DALError?] {
    let asked = DispatchSemaphore(value: 0)
    let failures = Guarded<[DALError?]>([])
    async let waiting: Void = onOwnThread {
      asked.signal()
      let failure = service.writeSync({ _ in }).failure
      steps.add("answered")
      failures.withLock { $0.append(failure) }
    }
    async let suspended: Void = {
      var failure: DALError?
      asked.signal()
      do throws(DALError) { try await service.write { _ in } } catch { failure = error }
      steps.add("answered")
      failures.withLock { $0.append(failure) }
    }()
    await onOwnThread {
      for _ in 0..<2 { asked.wait() }
      for _ in 0..<200 { _ = refusalInARead(service) }
      steps.add("flushed")
      slow.releaseFlush()
    }
    _ = await (waiting, suspended)
    return failures.withLock { $0 }
  }

  @Test func getsItsErrorWhenAllServicesAreFlushed() async throws {
    let (service, reactor) = try await stoppedService(afterFlush: .exit)
    let failures = await write(to: service)
    #expect(failures.count == 2)
    for failure in failures {
      guard case .stopping? = failure?.code else {
        Issue.record("A write returned \(String(describing: failure)).")
        continue
      }
    }
    #expect(steps.all == ["flushed", "answered", "answered"])
    #expect(await lifecycle.ending() == .signal(.terminate))
    withExtendedLifetime(reactor) {}
  }

  @Test func runsAfterTheFlushIfTheProcessStays() async throws {
    let (service, reactor) = try await stoppedService(afterFlush: .stay)
    #expect(await write(to: service).allSatisfy { $0 == nil })
    #expect(steps.all == ["flushed", "answered", "answered"])
    withExtendedLifetime(reactor) {}
  }

  @Test func runsAfterAProcessWasSuspended() async throws {
    let service = try service(of: AppStateReactor(configuration: .init(), source: lifecycle))
    await onOwnThread { lifecycle.send(.suspend) }
    #expect(service.writeSync({ _ in }).failure == nil)
  }

  @Test func getsItsErrorBeforeAHookThatMayWaitForIt() async throws {
    let told = DispatchSemaphore(value: 0)
    let (service, reactor) = try await stoppedService(afterFlush: .exit) { _ in told.wait() }
    #expect(await write(to: service).count == 2)
    told.signal()
    #expect(await lifecycle.ending() == .signal(.terminate))
    withExtendedLifetime(reactor) {}
  }
}
