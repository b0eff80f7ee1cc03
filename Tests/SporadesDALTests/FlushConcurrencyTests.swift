// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import SporadesModel
import SporadesStore
import SporadesTesting
import Testing

@testable import SporadesDAL

/// A flush during writes makes every accepted write durable.
@Suite struct FlushConcurrencyTests {
  @Test func nothingPassesAStoppedGateAfterItHasDrained() async {
    for _ in 0..<60 {
      let gate = WriterGate(allowsConcurrentWritings: false, limit: 1000, name: "Service")
      let counts = Guarded((passed: 0, late: 0, isDrained: false))
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            await onOwnThread {
              while gate.pass({
                counts.withLock {
                  $0.passed += 1
                  if $0.isDrained { $0.late += 1 }
                }
              }) == nil {}
            }
          }
        }
        group.addTask {
          await onOwnThread {
            while counts.withLock({ $0.passed < 3 }) {}
            let drained = DispatchSemaphore(value: 0)
            gate.stop(until: DispatchGroup())
            gate.whenDrained {
              counts.withLock { $0.isDrained = true }
              drained.signal()
            }
            drained.wait()
          }
        }
      }
      #expect(counts.withLock { $0.late } == 0)
    }
  }

  @Test func waitsForAServiceThatIsClosing() async throws {
    let reactor = AppStateReactor(
      configuration: .init(deadline: .milliseconds(50), afterFlush: .stay),
      source: ScriptedLifecycle())
    var options = DALService.Options()
    options.reactor = reactor
    let model = try ManagedObjectModel(entities: [EntityDescription("Entry")])
    let service = DALService(options: options) { DataStack(store: MemoryStore(model: model)) }
    let hasBegun = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    service.writeAsync { _ in
      hasBegun.signal()
      mayEnd.wait()
    }
    await onOwnThread { hasBegun.wait() }
    async let closing: Void = onOwnThread { try? service.close() }
    await onOwnThread { while service.gate.passLater(mayBlock: true, {}) == nil {} }
    #expect(!reactor.flush().isComplete)
    mayEnd.signal()
    await closing
    #expect(reactor.flush() == FlushReport())
  }
}
