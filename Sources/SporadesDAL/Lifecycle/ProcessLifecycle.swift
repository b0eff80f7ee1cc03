// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel

/// Hears the process's signals, and its exit.
///
/// Signals come through dispatch sources, so the handler runs on a queue and may do anything; code
/// inside a signal handler could not even take a lock.
///
/// A hang-up that was ignored when the source began to listen stays ignored: that is how `nohup`
/// asks a program to live on.
public final class ProcessLifecycle: LifecycleSource {
  private let listeners = Guarded<[ProcessSignal: SignalListener]>([:])
  private let handler = Guarded<@Sendable (LifecycleEvent) -> Void>({ _ in })
  private let queue = DispatchQueue(label: "sporades.signals", qos: .userInitiated)

  /// A source that hears nothing until it is told which events to listen for.
  public init() {}

  deinit { ExitListeners.set(nil, for: ObjectIdentifier(self)) }

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

  public func proceed(with event: LifecycleEvent) {
    if case .signal(let signal) = event { endProcess(by: signal) }
  }
}

/// One signal, taken from whoever had it and given back in the end.
private struct SignalListener {
  private let signal: ProcessSignal
  private let former: SignalDisposition
  private let source: any DispatchSourceSignal

  /// Returns when the signal is heard, so that no signal falls between two stools; nil where the
  /// signal shall stay ignored.
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

/// Whom `exit()` asks before the process ends.
private enum ExitListeners {
  private static let handlers = Guarded<[ObjectIdentifier: @Sendable () -> Void]>([:])
  /// C keeps no closures, so it is given one function, once.
  private static let isInstalled: Bool = atProcessExit {
    for handler in handlers.withLock({ Array($0.values) }) { handler() }
  }

  static func set(_ handler: (@Sendable () -> Void)?, for owner: ObjectIdentifier) {
    if handler != nil { precondition(isInstalled, "The C library takes no more exit functions.") }
    handlers.withLock { $0[owner] = handler }
  }
}
