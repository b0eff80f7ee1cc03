// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel

/// Flushes every service before the process ends.
///
/// A service registers itself and is held weakly. On `SIGTERM`, `SIGINT`, `SIGHUP`, and when the
/// program exits, the reactor asks all services that are alive to make their writes durable, inside
/// one deadline, reports what did not make it, and lets the process end the way it was about to.
///
/// A second signal during a flush means *now*: with ``AfterFlush/exit`` the process ends at once,
/// with ``AfterFlush/stay`` the wait is over and the host is told what is known.
///
/// ```text
/// AppStateReactor.shared.configure { $0.onFlushed = { print("flushed \($0.flushedCount)") } }
/// ```
public final class AppStateReactor: Sendable {
  /// The reactor of the process, with which services register unless their options name another.
  public static let shared = AppStateReactor()

  private let source: any LifecycleSource
  private let state: Guarded<ReactorState>
  /// Held while the source is told what to listen for, so that tellings do not overtake each other.
  private let installation = Guarded(())
  private let rounds = DispatchQueue(label: "sporades.lifecycle", qos: .userInitiated)
  private let isRoundsQueue = DispatchSpecificKey<Bool>()

  /// A reactor that hears events from `source`. It begins to listen when the first service registers.
  public init(
    configuration: Configuration = Configuration(),
    source: any LifecycleSource = ProcessLifecycle()
  ) {
    self.source = source
    state = Guarded(ReactorState(configuration: configuration))
    rounds.setSpecific(key: isRoundsQueue, value: true)
  }

  deinit { source.listen(for: []) { _ in } }

  /// The configuration that the next event meets.
  public var configuration: Configuration { state.withLock { $0.configuration } }

  /// Changes what the reactor does from now on; a flush that is running keeps its deadline.
  public func configure(_ change: (inout Configuration) -> Void) {
    state.withLock { change(&$0.configuration) }
    listen()
  }

  /// Adds a service to those that are flushed. The first one makes the reactor listen.
  public func register(_ service: some Flushable) {
    let isFirst = state.withLock { $0.register(service) }
    if isFirst { listen() }
  }

  /// Takes a service out. A service that is no longer alive needs no taking out.
  public func unregister(_ service: some Flushable) {
    state.withLock { $0.unregister(service) }
  }

  /// Flushes all services now, within the configured deadline, and returns what came of it.
  ///
  /// Hooks, reports and streams are left out: whoever calls has the answer.
  @discardableResult
  public func flush() -> FlushReport {
    let (services, deadline) = state.withLock { ($0.alive, $0.configuration.deadline) }
    return FlushRound(deadline: .now + deadline).run(services, before: nil, isLast: false)
  }

  /// The reports of the flushes that events start, from now on; each read makes another stream.
  public var flushes: AsyncStream<FlushReport> {
    let (stream, continuation) = AsyncStream.makeStream(of: FlushReport.self)
    let number = state.withLock { $0.add(continuation) }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }

  // MARK: - Events

  /// Tells the source which events to deliver, once there is a service that needs them.
  private func listen() {
    installation.withLock { _ in
      let events = state.withLock { $0.isListening ? $0.configuration.events : nil }
      guard let events else { return }
      source.listen(for: events) { [weak self] event in self?.handle(event) }
    }
  }

  private func handle(_ event: LifecycleEvent) {
    let reaction = state.withLock { $0.react(to: event) }
    switch reaction {
    case .start(let round):
      if case .signal = event {
        rounds.async { self.perform(round, for: event) }
      } else {
        perform(round, for: event)
      }
    case .join(let round):
      // A callback of the round that calls `exit()` must not wait for itself.
      if DispatchQueue.getSpecific(key: isRoundsQueue) == nil { round.whenDone.wait() }
    case .cutShort(let round):
      round.flush.cutShort()
    case .end(let round):
      writeToStandardError("Sporades: ended by a second signal. \(round.flush.reportSoFar)\n")
      source.proceed(with: event)
    case .nothing:
      break
    }
  }

  private func perform(_ round: ReactorState.Round, for event: LifecycleEvent) {
    let (services, configuration) = state.withLock { ($0.alive, $0.configuration) }
    let report = round.flush.run(services, before: configuration.willFlush, isLast: true)
    let listeners = state.withLock { Array($0.listeners.values) }
    // Whoever listens may wait for somebody who asked for a write. Else no error of a refused one
    // gets ahead of the signal, and the process ends as it was told to.
    let isHeard = configuration.onFlushed != nil || !listeners.isEmpty
    if isHeard { round.flush.letGo() }
    configuration.report(report)
    configuration.onFlushed?(report)
    for listener in listeners { listener.yield(report) }
    if case .signal = event, configuration.afterFlush == .exit { source.proceed(with: event) }
    if event.letsProcessStay(configuration.afterFlush) {
      for service in services { service.takeWritesAgain() }
    }
    if !isHeard { round.flush.letGo() }
    state.withLock { $0.round = nil }
    round.whenDone.leave()
  }
}

extension LifecycleEvent {
  /// The process may go on after the flush.
  fileprivate func letsProcessStay(_ afterFlush: AppStateReactor.AfterFlush) -> Bool {
    switch self {
    case .signal: afterFlush == .stay
    case .suspend: true
    case .exit: false
    }
  }
}
