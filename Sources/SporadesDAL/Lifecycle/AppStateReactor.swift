// SPDX-License-Identifier: MIT
import Dispatch
import SporadesModel

/// Flushes every service before the process ends.
///
/// A service registers itself, and the reactor holds it weakly. On `SIGTERM`, `SIGINT` and `SIGHUP`, and when
/// the program exits, the reactor flushes all living services within one deadline. It reports the writes that are
/// not durable by then, and lets the process end as it was about to.
///
/// A signal for which the program has a handler is the program's: the reactor flushes, the services take writes on, and
/// the handler decides what becomes of the process. When the last service has gone, the reactor lets go of all signals.
///
/// A second signal during a flush means *now*; the same one within a tenth of a second is taken for the first. With
/// ``AfterFlush/exit`` the process ends at once. With ``AfterFlush/stay`` the flush ends at once, and the host gets the
/// report.
///
/// ```text
/// AppStateReactor.shared.configure { $0.onFlushed = { print("flushed \($0.flushedCount)") } }
/// ```
public final class AppStateReactor: Sendable {
  /// The reactor that services use unless their options name another one.
  public static let shared = AppStateReactor()

  private let source: any LifecycleSource
  private let state: Guarded<ReactorState>
  /// The events that the source listens for; none without a service. Held during a call of the source's `listen`, so
  /// that the newest configuration is the last to reach it.
  private let installation = Guarded(Installation())
  /// A struct, so that the runtime makes the type of the set where the reactor begins to listen.
  private struct Installation {
    var events: Set<LifecycleEvent> = []
  }
  private let rounds = DispatchQueue(label: "sporades.lifecycle", qos: .userInitiated)
  private let isRoundsQueue = DispatchSpecificKey<Bool>()

  /// Makes a reactor for the events of a source.
  public init(
    configuration: Configuration = Configuration(),
    source: any LifecycleSource = ProcessLifecycle()
  ) {
    self.source = source
    state = Guarded(ReactorState(configuration: configuration))
    rounds.setSpecific(key: isRoundsQueue, value: true)
  }

  deinit { source.listen(for: []) { _ in } }

  /// The present configuration.
  public var configuration: Configuration { state.withLock { $0.configuration } }

  /// Changes the configuration. A running flush keeps its deadline.
  public func configure(_ change: (inout Configuration) -> Void) {
    state.withLock { change(&$0.configuration) }
    listen()
  }

  /// Begins to listen for events on another thread, unless the reactor listens already. A service calls it before it
  /// opens its store: handlers are installed meanwhile, for which ``register(_:)`` would wait.
  func beginOpening() {
    guard state.withLock({ $0.beginOpening() }) else { return }
    rounds.async { [weak self] in self?.listen() }
  }

  /// Adds the service whose store is open now; nil for one that could not open it.
  func endOpening(_ service: (any Flushable)?) {
    state.withLock { state in
      if let service { state.register(service) }
      state.endOpening()
    }
    listen()
  }

  /// Adds a service. With the first service the reactor begins to listen for events.
  public func register(_ service: some Flushable) {
    state.withLock { $0.register(service) }
    listen()
  }

  /// Removes a service. A service that has ended is removed by itself. With the last service the reactor ceases to
  /// listen for events.
  public func unregister(_ service: some Flushable) {
    state.withLock { $0.unregister(service) }
    listen()
  }

  /// Flushes all services within the configured deadline, and returns the report.
  ///
  /// Only the caller gets the report: the flush calls no hook and yields to no stream.
  @discardableResult
  public func flush() -> FlushReport {
    let (services, deadline) = state.withLock { ($0.alive, $0.configuration.deadline) }
    return FlushRound(deadline: .now + deadline).run(services, before: nil, isLast: false)
  }

  /// The reports of all later flushes that events start. Each read of the property makes a new stream.
  public var flushes: AsyncStream<FlushReport> {
    let (stream, continuation) = AsyncStream.makeStream(of: FlushReport.self)
    let number = state.withLock { $0.add(continuation) }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }

  // MARK: - Events

  /// Passes the configured events to the source while there is a service or one opens its store.
  private func listen() {
    installation.withLock { installed in
      let events = state.withLock { $0.listens ? $0.configuration.events : [] }
      guard events != installed.events else { return }
      installed.events = events
      source.listen(for: events) { [weak self] event in self?.handle(event) }
    }
  }

  private func handle(_ event: LifecycleEvent) {
    if case .handledSignal(let signal) = event {
      // With `.stay` the host decides in any case.
      if configuration.afterFlush == .stay { return handle(.signal(signal)) }
      return rounds.async { self.flushForHandler() }
    }
    if event == .exit {
      let services = state.withLock { $0.flushesNow ? $0.alive : [] }
      for service in services { (service as? any ExitObserver)?.noteExit() }
    }
    let reaction = state.withLock { $0.react(to: event) }
    switch reaction {
    case .start(let round):
      if case .signal = event {
        rounds.async { self.perform(round, for: event) }
      } else {
        perform(round, for: event)
      }
    case .join(let round):
      // A callback of the round may call `exit()`, and must not wait for its own round.
      if DispatchQueue.getSpecific(key: isRoundsQueue) == nil { round.whenDone.wait() }
    case .cutShort(let round):
      round.flush.cutShort()
    case .end(let round):
      writeToStandardError("Sporades: ended by a second signal. \(round.flush.reportSoFar)\n")
      source.proceed(with: event)
    case .proceed:
      source.proceed(with: event)
    case .nothing:
      break
    }
  }

  /// Flushes while the services take writes, because a handler of the program may let the process go on.
  private func flushForHandler() {
    let (isBusy, configuration, listeners) = state.withLock {
      ($0.round != nil, $0.configuration, Array($0.listeners.values))
    }
    guard !isBusy else { return }
    let report = flush()
    configuration.report(report)
    for listener in listeners { listener.yield(report) }
  }

  private func perform(_ round: ReactorState.Round, for event: LifecycleEvent) {
    let (services, configuration) = state.withLock { ($0.alive, $0.configuration) }
    let report = round.flush.run(services, before: configuration.willFlush, isLast: true)
    let listeners = state.withLock { Array($0.listeners.values) }
    // A listener may wait for the caller of a refused write, so refused callers are released before the
    // listeners get the report. Without a listener they are released last: an error could else end the process
    // in another way than the signal.
    let hasListener = configuration.onFlushed != nil || !listeners.isEmpty
    if hasListener { round.flush.releaseRefused() }
    configuration.report(report)
    configuration.onFlushed?(report)
    for listener in listeners { listener.yield(report) }
    if case .signal = event, configuration.afterFlush == .exit { source.proceed(with: event) }
    let stays = event.letsProcessStay(configuration.afterFlush)
    if stays { for service in services { service.takeWritesAgain() } }
    let late = state.withLock { $0.endRound(for: event) }
    if let late, !stays { source.proceed(with: .signal(late)) }
    if !hasListener { round.flush.releaseRefused() }
    round.whenDone.leave()
    // The services may have taken writes again, so the signal gets a flush.
    if let late, stays { handle(.signal(late)) }
  }
}

/// A member of the reactor that hears of an exit on the thread that ends the process, before the flush.
protocol ExitObserver: Flushable {
  func noteExit()
}

extension LifecycleEvent {
  /// The process may go on after the flush.
  fileprivate func letsProcessStay(_ afterFlush: AppStateReactor.AfterFlush) -> Bool {
    switch self {
    case .signal: afterFlush == .stay
    case .suspend, .handledSignal: true
    case .exit: false
    }
  }
}
