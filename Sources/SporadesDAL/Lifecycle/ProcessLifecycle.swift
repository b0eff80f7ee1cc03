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
      for case .signal(let signal) in events where listeners[signal] == nil {
        listeners[signal] = SignalListener(signal, on: queue) { [weak self] in
          let handler = self?.handler.withLock { $0 }
          handler?(.signal(signal))
        }
      }
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

  /// Returns when the source is active, so that no signal is missed. Returns nil if the signal has to stay ignored.
  init?(
    _ signal: ProcessSignal, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) {
    self.signal = signal
    former = SignalDisposition.replace(of: signal, with: .ignored)
    if signal == .hangUp, former == .ignored { return nil }
    source = DispatchSource.makeSignalSource(signal: signal.number, queue: queue)
    let isHeard = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { isHeard.signal() }
    source.setEventHandler(handler: handler)
    source.activate()
    isHeard.wait()
  }

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
  private static let handlers = Guarded<[ObjectIdentifier: @Sendable () -> Void]>([:])
  /// C keeps no closures, so one function is registered once and calls all handlers.
  private static let isInstalled: Bool = atProcessExit {
    for handler in handlers.withLock({ Array($0.values) }) { handler() }
  }

  static func set(_ handler: (@Sendable () -> Void)?, for owner: ObjectIdentifier) {
    if handler != nil { precondition(isInstalled, "The C library takes no more exit functions.") }
    handlers.withLock { $0[owner] = handler }
  }
}
