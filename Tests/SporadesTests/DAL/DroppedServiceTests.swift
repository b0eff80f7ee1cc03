// SPDX-License-Identifier: MIT
import Dispatch
import Foundation
import Sporades
import SporadesGraph
import SporadesModel
import SporadesStore
import Testing

private final class NoEvents: LifecycleSource {
  func listen(
    for events: Set<LifecycleEvent>, _ handler: @escaping @Sendable (LifecycleEvent) -> Void
  ) {}
  func proceed(with event: LifecycleEvent) {}
}

private final class Reference: Sendable {
  weak let service: RecordingService?
  init(_ service: RecordingService) { self.service = service }
}

struct DroppedServiceTests {
  /// A dropped service commits its last writes. A flush that begins during the commit waits for it.
  @Test func aServiceThatCommitsItsLastWritesIsStillFlushed() throws {
    let reactor = AppStateReactor(source: NoEvents())
    reactor.configure { $0.deadline = .milliseconds(20) }
    let store = try StoreDouble()
    let mayCommit = Latch()
    let dropped = Calls()
    let held = Guarded<RecordingService?>(
      .over(store) { $0.reactor = reactor })
    let reference = try #require(held.withLock { $0 }.map { Reference($0) })
    store.play { (call) throws(StoreError) in if call == .commit { mayCommit.wait() } }
    held.withLock { _ = $0?.writeSync { Member.create(in: $0) } }
    Thread {
      var service = held.withLock { held in
        defer { held = nil }
        return held
      }
      service = nil
      _ = service
      dropped.completion(nil)
    }.start()
    #expect(eventually { reference.service == nil })
    let report = reactor.flush()
    #expect(!report.isComplete)
    #expect("\(report)".contains("RecordingService"))
    mayCommit.open()
    #expect(dropped.wait())
    reactor.configure { $0.deadline = .seconds(10) }
    #expect(reactor.flush().isComplete)
  }
}
