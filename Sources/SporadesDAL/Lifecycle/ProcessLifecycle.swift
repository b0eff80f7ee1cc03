// SPDX-License-Identifier: MIT
import SporadesModel

/// Delivers the process's signals and its exit.
///
/// A handler in C notes each signal and wakes a queue, on which the handler of the source runs and may do anything.
///
/// **A handler of the program that is there before** is called too, as without the source. The program then decides
/// what becomes of the process: the source delivers ``LifecycleEvent/handledSignal(_:)``. **A handler that comes later**
/// replaces the source's; where it calls its predecessor, the source delivers the same event. When nobody listens
/// any more, a signal has its former action again.
///
/// A signal that the process ignored before stays ignored. `nohup` ignores the hang-up, a shell the interrupt of a
/// background job, and `trap '' TERM` the termination, each to keep a program alive.
///
/// The exit waits for the handlers of all signals that came before it. A signal that comes later has its usual
/// effect, so none is lost.
public final class ProcessLifecycle: LifecycleSource {
  private let signals = Guarded<[HeardSignal]>([])
  private let handler = Guarded<@Sendable (LifecycleEvent) -> Void>({ _ in })

  /// Makes a source that listens for nothing yet.
  public init() {}

  deinit {
    ProcessListeners.set(nil, for: ObjectIdentifier(self))
    change(to: [])
  }

  /// Delivers the signals and the exit of the set to the handler. Returns when the signals are caught.
  public func listen(
    for events: Set<LifecycleEvent>, _ handler: @escaping @Sendable (LifecycleEvent) -> Void
  ) {
    self.handler.withLock { $0 = handler }
    let listener = ProcessListener(
      deliverArrivals: { [weak self] in self?.deliverArrivals() },
      deliverExit: { if events.contains(.exit) { handler(.exit) } },
      endListening: { [weak self] in self?.endListening() })
    // The listener is there before the first signal can come.
    ProcessListeners.set(events.isEmpty ? nil : listener, for: ObjectIdentifier(self))
    change(to: events)
  }

  /// Ends the process by the signal. Returns, and does nothing, for other events.
  public func proceed(with event: LifecycleEvent) {
    if case .signal(let signal) = event { endProcess(by: signal) }
  }

  private func change(to events: Set<LifecycleEvent>) {
    signals.withLock { signals in
      for heard in signals where !events.contains(.signal(heard.signal)) { heard.leave() }
      signals.removeAll { !events.contains(.signal($0.signal)) }
      for case .signal(let signal) in events
      where !signals.contains(where: { $0.signal == signal }) {
        if let heard = HeardSignal(signal) { signals.append(heard) }
      }
      if !signals.isEmpty { ProcessListeners.beginReading() }
    }
  }

  private func deliverArrivals() {
    let events = signals.withLock { signals in
      // A loop, because the runtime looks long for what `flatMap` needs.
      var events: [LifecycleEvent] = []
      for place in signals.indices { signals[place].takeArrivals(&events) }
      return events
    }
    let handler = handler.withLock { $0 }
    for event in events { handler(event) }
  }

  /// Gives the signals back their former action, because the process ends.
  private func endListening() {
    signals.withLock { signals in for heard in signals { heard.restore() } }
  }
}
