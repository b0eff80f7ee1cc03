// SPDX-License-Identifier: MIT
import SporadesDAL
import SporadesModel

/// A source whose events a test sends. It never ends the process.
final class ScriptedLifecycle: LifecycleSource {
  private let state = Guarded(State())
  /// The events that would have ended the process.
  let endings: AsyncStream<LifecycleEvent>
  private let endingsContinuation: AsyncStream<LifecycleEvent>.Continuation

  private struct State {
    var events: Set<LifecycleEvent> = []
    var handler: @Sendable (LifecycleEvent) -> Void = { _ in }
  }

  init() {
    (endings, endingsContinuation) = AsyncStream.makeStream(of: LifecycleEvent.self)
  }

  /// The events that the reactor listens for.
  var events: Set<LifecycleEvent> { state.withLock { $0.events } }

  func listen(
    for events: Set<LifecycleEvent>, _ handler: @escaping @Sendable (LifecycleEvent) -> Void
  ) {
    state.withLock { $0 = State(events: events, handler: handler) }
  }

  func proceed(with event: LifecycleEvent) { endingsContinuation.yield(event) }

  func send(_ event: LifecycleEvent) {
    let wanted: LifecycleEvent =
      if case .handledSignal(let signal) = event { .signal(signal) } else { event }
    let handler = state.withLock { $0.events.contains(wanted) ? $0.handler : nil }
    handler?(event)
  }

  /// Waits until the process would have ended, and returns the event.
  func ending() async -> LifecycleEvent? {
    for await event in endings { return event }
    return nil
  }
}
