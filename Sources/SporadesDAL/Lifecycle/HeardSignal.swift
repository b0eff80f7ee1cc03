// SPDX-License-Identifier: MIT
import CSystem

/// A signal that a source hears, with the arrivals that it has delivered.
struct HeardSignal {
  let signal: ProcessSignal
  private var endings: UInt32
  private var handled: UInt32
  /// The time of the last delivered arrival that ends the process.
  private var lastEnding: ContinuousClock.Instant?

  /// `timeout` signals a program and then its whole group, which has the program in it. An arrival so soon after another
  /// is therefore the same order.
  private static let echo = Duration.milliseconds(100)

  /// Begins to hear the signal. Returns nil if the process ignores it.
  init?(_ signal: ProcessSignal) {
    self.signal = signal
    // The counts of before, so that no arrival is missed.
    endings = sporades_ending_count(signal.number)
    handled = sporades_handled_count(signal.number)
    guard sporades_hear_signal(signal.number) else { return nil }
  }

  /// Adds the events of the arrivals since the last call. Arrivals that follow each other at once make one event.
  mutating func takeArrivals(_ events: inout [LifecycleEvent]) {
    let former = (endings: endings, handled: handled)
    endings = sporades_ending_count(signal.number)
    handled = sporades_handled_count(signal.number)
    if endings != former.endings {
      let now = ContinuousClock.now
      if lastEnding.map({ now - $0 > Self.echo }) ?? true {
        events.append(.signal(signal))
        lastEnding = now
      }
    }
    if handled != former.handled { events.append(.handledSignal(signal)) }
  }

  /// Ends the hearing. A signal that has arrived, and that nobody will deliver any more, has its usual effect.
  func leave() {
    let hasFormerAction = sporades_leave_signal(signal.number)
    if hasFormerAction, endings != sporades_ending_count(signal.number) {
      sporades_send_signal(signal.number)
    }
  }

  /// Gives the signal its former action back for all who hear it.
  func restore() { sporades_restore_signal(signal.number) }
}
