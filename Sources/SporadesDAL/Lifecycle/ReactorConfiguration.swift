// SPDX-License-Identifier: MIT

extension AppStateReactor {
  /// What a reactor listens to, how long it may take, and what follows.
  public struct Configuration: Sendable {
    /// The signals that start a flush; an empty set leaves all signals alone.
    public var signals: Set<ProcessSignal>
    /// How long all services together may take, counted from the arrival of the event.
    public var deadline: Duration
    /// What happens to the process after a flush that a signal started.
    public var afterFlush: AfterFlush
    /// `exit()`, and returning from the main function, flush first.
    public var flushesAtExit: Bool
    /// Called before the services are asked, so that the program can stop taking input. After half
    /// of the deadline the services are asked, whether it has returned or not.
    public var willFlush: (@Sendable () -> Void)?
    /// Called after the flush and before the process ends. No deadline holds for it: keep it short.
    public var onFlushed: (@Sendable (FlushReport) -> Void)?
    /// Called with every report, before ``onFlushed``. By default it writes a line to standard
    /// error when something was lost, and nothing otherwise.
    public var report: @Sendable (FlushReport) -> Void

    /// A configuration that flushes on the usual signals and at exit, within ten seconds, and lets the process end.
    public init(
      signals: Set<ProcessSignal> = [.terminate, .interrupt, .hangUp],
      deadline: Duration = .seconds(10), afterFlush: AfterFlush = .exit,
      flushesAtExit: Bool = true
    ) {
      self.signals = signals
      self.deadline = deadline
      self.afterFlush = afterFlush
      self.flushesAtExit = flushesAtExit
      report = { report in
        if !report.isComplete { writeToStandardError("Sporades: \(report)\n") }
      }
    }

    var events: Set<LifecycleEvent> {
      var events = Set(signals.map(LifecycleEvent.signal))
      events.insert(.suspend)
      if flushesAtExit { events.insert(.exit) }
      return events
    }
  }

  /// What follows a flush that a signal started.
  public enum AfterFlush: Hashable, Sendable {
    /// The signal ends the process, as it would have without us: a shell sees 128 plus its number.
    case exit
    /// The process goes on; its host ends it when ``AppStateReactor/flushes`` says it may.
    case stay
  }
}
