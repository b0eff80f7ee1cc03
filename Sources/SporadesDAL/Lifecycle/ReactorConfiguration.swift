// SPDX-License-Identifier: MIT
import SporadesModel

extension AppStateReactor {
  /// The settings of a reactor: its events, its deadline and its hooks.
  public struct Configuration: Sendable {
    /// The signals that start a flush. With an empty set the reactor catches no signal. A handler that the program has
    /// for one of them is called too, and then decides whether the process ends.
    public var signals: Set<ProcessSignal> {
      get { chosenSignals ?? [.terminate, .interrupt, .hangUp] }
      set { chosenSignals = newValue }
    }
    // The runtime takes long to make the type of the set, so the usual set is made where the reactor begins to listen.
    private var chosenSignals: Set<ProcessSignal>?
    /// The time that all services together may take, counted from the arrival of the event.
    public var deadline: Duration
    /// The effect of a signal after its flush.
    public var afterFlush: AfterFlush
    /// Flushes when the process calls `exit()` or returns from its main function.
    public var flushesAtExit: Bool
    /// A hook before the flush of a process that ends, in which the program can stop its input. If it has not returned
    /// after half of the deadline, the flush begins all the same.
    public var willFlush: (@Sendable () -> Void)?
    /// A hook after the flush and before the end of the process. It has no deadline, so keep it short.
    public var onFlushed: (@Sendable (FlushReport) -> Void)?
    /// Handles every report, before ``onFlushed``. The default writes a line to standard error if changes are not
    /// durable, and nothing otherwise.
    public var report: @Sendable (FlushReport) -> Void

    /// Makes settings. Without `signals`, a termination, an interrupt and a hang-up start a flush.
    public init(
      signals: Set<ProcessSignal>? = nil,
      deadline: Duration = .seconds(10), afterFlush: AfterFlush = .exit,
      flushesAtExit: Bool = true
    ) {
      chosenSignals = signals
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
      // An exit that flushes nothing still waits for the flush of a signal that came before.
      if flushesAtExit || (afterFlush == .exit && !signals.isEmpty) { events.insert(.exit) }
      return events
    }
  }

  /// The effect of a signal after its flush.
  public enum AfterFlush: Hashable, Sendable {
    /// The signal ends the process as it does without a reactor. A shell sees 128 plus the signal's number. A signal
    /// that the program handles itself ends nothing.
    case exit
    /// The process goes on. Its host ends it after ``AppStateReactor/flushes`` has yielded the report.
    case stay
  }
}
