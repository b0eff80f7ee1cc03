// SPDX-License-Identifier: MIT
import CSystem
import Dispatch
import SporadesModel

/// Delivers the process's signals and its exit.
///
/// Signals arrive through dispatch sources, so the handler runs on a queue and may do anything. A C signal handler
/// could not even take a lock.
///
/// A signal that the process ignored before stays ignored. `nohup` ignores the hang-up, a shell the interrupt of a
/// background job, and `trap '' TERM` the termination, each to keep a program alive.
///
/// The exit waits for the handlers of all signals that came before it. A signal that comes later has its usual
/// effect, so none is lost.
public final class ProcessLifecycle: LifecycleSource {
  private let listeners = Guarded<[SignalListener]>([])
  private let handler = Guarded<@Sendable (LifecycleEvent) -> Void>({ _ in })
  private let queue = DispatchQueue(label: "sporades.signals", qos: .userInitiated)
  private let isSignalsQueue = DispatchSpecificKey<Bool>()

  /// Makes a source that listens for nothing yet.
  public init() { queue.setSpecific(key: isSignalsQueue, value: true) }

  deinit { ExitListeners.set(nil, for: ObjectIdentifier(self)) }

  /// Delivers the signals and the exit of the set to the handler. Returns when the signals are caught.
  public func listen(
    for events: Set<LifecycleEvent>, _ handler: @escaping @Sendable (LifecycleEvent) -> Void
  ) {
    self.handler.withLock { $0 = handler }
    listeners.withLock { listeners in
      for listener in listeners where !events.contains(.signal(listener.signal)) {
        listener.stop()
      }
      listeners.removeAll { !events.contains(.signal($0.signal)) }
      var added: [SignalListener] = []
      for case .signal(let signal) in events
      where !listeners.contains(where: { $0.signal == signal }) {
        let listener = SignalListener(signal, on: queue) { [weak self] in
          self?.deliver(.signal(signal))
        }
        if let listener { added.append(listener) }
      }
      listeners += added
      SignalListener.begin(added)
    }
    let exitListener = ExitListener(
      handle: { [weak self] in
        self?.deliverArrivals()
        if events.contains(.exit) { handler(.exit) }
      }, end: { [weak self] in self?.endListening() })
    ExitListeners.set(events.isEmpty ? nil : exitListener, for: ObjectIdentifier(self))
  }

  /// Ends the process by the signal; does nothing for other events.
  public func proceed(with event: LifecycleEvent) {
    if case .signal(let signal) = event { endProcess(by: signal) }
  }

  private func deliver(_ event: LifecycleEvent) {
    let handler = handler.withLock { $0 }
    handler(event)
  }

  // MARK: - The exit

  /// Delivers the signals that have arrived and are still on their way through Dispatch.
  private func deliverArrivals() {
    let arrivals = listeners.withLock { $0.map(\.arrivals) }
    let deliver = { for arrivals in arrivals { arrivals.deliverAhead() } }
    // A handler that runs on the queue may call `exit()`.
    let isOnQueue = DispatchQueue.getSpecific(key: isSignalsQueue) != nil
    if isOnQueue { deliver() } else { queue.sync(execute: deliver) }
  }

  /// Gives the signals back their usual effect, and delivers those that came before.
  private func endListening() {
    let signals = listeners.withLock { $0.map(\.signal) }
    guard !signals.isEmpty else { return }
    // A signal may end the process in the next step.
    writeOutStandardOutput()
    SignalListener.restore(signals)
    deliverArrivals()
  }
}

/// The arrivals of a signal, and those that the handler has got.
///
/// Dispatch delivers a signal some time after its arrival. The count knows each arrival at once, except for a signal
/// that all threads block.
private final class SignalArrivals: Sendable {
  private let signal: ProcessSignal
  private let handler: @Sendable () -> Void
  private let state: Guarded<State>

  private struct State {
    var delivered: UInt32
    /// The handler has got a signal that Dispatch has yet to deliver.
    var isAhead = false
  }

  init(_ signal: ProcessSignal, _ handler: @escaping @Sendable () -> Void) {
    self.signal = signal
    self.handler = handler
    state = Guarded(State(delivered: sporades_signal_count(signal.number)))
  }

  /// Calls the handler for a signal that Dispatch delivers. Runs on the queue of the source.
  func deliver() {
    let isNew = state.withLock { state in
      let count = sporades_signal_count(signal.number)
      defer { (state.delivered, state.isAhead) = (count, false) }
      return count != state.delivered || !state.isAhead
    }
    if isNew { handler() }
  }

  /// Calls the handler if a signal has arrived that Dispatch has not delivered. Runs on the queue of the source.
  func deliverAhead() {
    let isNew = state.withLock { state in
      let count = sporades_signal_count(signal.number)
      guard count != state.delivered else { return false }
      (state.delivered, state.isAhead) = (count, true)
      return true
    }
    if isNew { handler() }
  }
}

/// A caught signal. ``stop()`` restores its former handler.
private struct SignalListener {
  let arrivals: SignalArrivals
  let signal: ProcessSignal
  private let source: any DispatchSourceSignal
  private let isActive = DispatchSemaphore(value: 0)
  /// The number of listeners for each signal. The lock is held during a change of a handler.
  private static let listeners = Guarded<[Int: Int]>([:])

  /// Makes a listener that ``begin(_:)`` starts. Returns nil if the process ignores the signal.
  init?(
    _ signal: ProcessSignal, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) {
    guard !sporades_ignores_signal(signal.number) else { return nil }
    self.signal = signal
    arrivals = SignalArrivals(signal, handler)
    source = DispatchSource.makeSignalSource(signal: signal.number, queue: queue)
    source.setEventHandler { [arrivals] in arrivals.deliver() }
    source.setRegistrationHandler { [isActive] in isActive.signal() }
  }

  /// Begins to catch the signals. Returns when the sources are active, so that no signal is missed. They become
  /// active at the same time, so the waits overlap.
  static func begin(_ added: [SignalListener]) {
    listeners.withLock { listeners in
      for listener in added {
        listeners[Int(listener.signal.number), default: 0] += 1
        sporades_remember_signal(listener.signal.number)
        listener.source.activate()
      }
      for listener in added {
        listener.isActive.wait()
        // Dispatch has installed its handler, which gets each signal after the count.
        sporades_count_signal(listener.signal.number)
      }
    }
  }

  func stop() {
    let isStopped = DispatchSemaphore(value: 0)
    source.setCancelHandler { isStopped.signal() }
    source.cancel()
    isStopped.wait()
    Self.listeners.withLock { listeners in
      let left = listeners[Int(signal.number), default: 1] - 1
      listeners[Int(signal.number)] = left
      if left == 0 { sporades_restore_signal(signal.number) }
    }
  }

  /// Gives signals their former effect before the process ends.
  static func restore(_ signals: [ProcessSignal]) {
    listeners.withLock { _ in for signal in signals { sporades_restore_signal(signal.number) } }
  }
}

/// The blocks of a source for the exit.
private struct ExitListener: Sendable {
  /// Delivers the exit and waits for its handler.
  let handle: @Sendable () -> Void
  /// Ends the delivery of signals.
  let end: @Sendable () -> Void
}

/// The sources that `exit()` calls before the process ends.
private enum ExitListeners {
  private static let listeners = Guarded<[(owner: ObjectIdentifier, listener: ExitListener)]>([])
  /// C keeps no closures, so one function is registered once and calls all listeners.
  private static let isInstalled: Bool = atProcessExit {
    let all = listeners.withLock { $0.map(\.listener) }
    for listener in all { listener.handle() }
    for listener in all { listener.end() }
  }

  static func set(_ listener: ExitListener?, for owner: ObjectIdentifier) {
    // The C library takes no more functions when it has called all, and then nobody calls the listener. A service that
    // opens on one thread while another ends the process meets that.
    guard listener == nil || isInstalled else { return }
    listeners.withLock { listeners in
      listeners.removeAll { $0.owner == owner }
      if let listener { listeners.append((owner, listener)) }
    }
  }
}
