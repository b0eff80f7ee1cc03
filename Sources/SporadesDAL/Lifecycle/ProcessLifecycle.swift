// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel

/// Delivers the process's signals and its exit.
///
/// Signals arrive through dispatch sources, so the handler runs on a queue and may do anything. A C signal handler
/// could not even take a lock.
///
/// A hang-up signal that the process ignored before stays ignored, because `nohup` ignores the signal to keep a
/// program alive.
public final class ProcessLifecycle: LifecycleSource {
  private let listeners = Guarded<[ProcessSignal: SignalListener]>([:])
  private let handler = Guarded<@Sendable (LifecycleEvent) -> Void>({ _ in })
  private let queue = DispatchQueue(label: "sporades.signals", qos: .userInitiated)

  /// Makes a source that listens for nothing yet.
  public init() {}

  deinit { ExitListeners.set(nil, for: ObjectIdentifier(self)) }

  /// Delivers the signals and the exit of the set to the handler. Returns when the signals are caught.
  public func listen(
    for events: Set<LifecycleEvent>, _ handler: @escaping @Sendable (LifecycleEvent) -> Void
  ) {
    self.handler.withLock { $0 = handler }
    let exitHandler: @Sendable () -> Void = { handler(.exit) }
    ExitListeners.set(events.contains(.exit) ? exitHandler : nil, for: ObjectIdentifier(self))
    listeners.withLock { listeners in
      for (signal, listener) in listeners where !events.contains(.signal(signal)) {
        listener.stop()
        listeners[signal] = nil
      }
      var added: [SignalListener] = []
      for case .signal(let signal) in events where listeners[signal] == nil {
        let listener = SignalListener(signal, on: queue) { [weak self] in
          let handler = self?.handler.withLock { $0 }
          handler?(.signal(signal))
        }
        listeners[signal] = listener
        if let listener { added.append(listener) }
      }
      // The sources become active at the same time, so the waits overlap.
      for listener in added { listener.waitUntilActive() }
    }
  }

  /// Ends the process by the signal; does nothing for other events.
  public func proceed(with event: LifecycleEvent) {
    if case .signal(let signal) = event { endProcess(by: signal) }
  }
}

/// A caught signal. ``stop()`` restores its former handler.
private struct SignalListener {
  private let signal: ProcessSignal
  private let former: SignalDisposition
  private let source: any DispatchSourceSignal
  private let isActive = DispatchSemaphore(value: 0)

  /// Begins to catch the signal. Nil if the signal has to stay ignored.
  init?(
    _ signal: ProcessSignal, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) {
    self.signal = signal
    former = SignalDisposition.replace(of: signal, with: .ignored)
    if signal == .hangUp, former == .ignored { return nil }
    source = DispatchSource.makeSignalSource(signal: signal.number, queue: queue)
    source.setRegistrationHandler { [isActive] in isActive.signal() }
    source.setEventHandler(handler: handler)
    source.activate()
  }

  /// Returns when every later signal reaches the handler. Call it once.
  func waitUntilActive() { isActive.wait() }

  func stop() {
    let isStopped = DispatchSemaphore(value: 0)
    source.setCancelHandler { isStopped.signal() }
    source.cancel()
    isStopped.wait()
    _ = SignalDisposition.replace(of: signal, with: former)
  }
}

/// The blocks that `exit()` calls before the process ends.
private enum ExitListeners {
  private static let handlers = Guarded<[(owner: ObjectIdentifier, call: @Sendable () -> Void)]>([])
  /// C keeps no closures, so one function is registered once and calls all handlers.
  private static let isInstalled: Bool = atProcessExit {
    for handler in handlers.withLock({ $0 }) { handler.call() }
  }

  static func set(_ handler: (@Sendable () -> Void)?, for owner: ObjectIdentifier) {
    if handler != nil { precondition(isInstalled, "The C library takes no more exit functions.") }
    handlers.withLock { handlers in
      handlers.removeAll { $0.owner == owner }
      if let handler { handlers.append((owner, handler)) }
    }
  }
}
