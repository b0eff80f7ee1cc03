// SPDX-License-Identifier: MIT
import Dispatch

/// The state of a reactor, which chooses the reaction to each event. It is a value without effects.
struct ReactorState {
  var configuration: AppStateReactor.Configuration
  var listeners: [Int: AsyncStream<FlushReport>.Continuation] = [:]
  /// The running flush that an event has started; nil if there is none.
  var round: Round?
  /// The number of services that open their stores.
  private var openings = 0
  /// A service is registered, or opens its store.
  var listens: Bool { openings > 0 || !services.isEmpty }
  /// The flush of the exit is over, so a signal finds nothing to flush.
  private var hasExited = false
  /// The registrations in the order of reports.
  private var services: [Registration] = []
  private var nextNumber = 0

  struct Round: Sendable {
    let flush: FlushRound
    /// Entered until the round and its callbacks are over.
    let whenDone: DispatchGroup
    /// The first signal, which started the flush or arrived during it; the next one means *now*.
    var signal: ProcessSignal?
  }

  private struct Registration {
    weak let service: (any Flushable)?
  }

  enum Reaction {
    case start(Round)
    /// Wait until the running flush is over.
    case join(Round)
    /// End the wait of the running flush.
    case cutShort(Round)
    /// End the process without waiting for the flush.
    case end(Round)
    /// End the process, because the flush of the exit is over.
    case proceed
    case nothing
  }

  init(configuration: AppStateReactor.Configuration) {
    self.configuration = configuration
  }

  /// The living services in the order of their registration.
  var alive: [any Flushable] {
    services.compactMap(\.service)
  }

  /// Whether an exit waits for a flush: its own, or one that runs.
  var flushesNow: Bool { configuration.flushesAtExit || round != nil }

  /// Notes that a service opens its store. Returns true if nobody listens for it yet.
  mutating func beginOpening() -> Bool {
    defer { openings += 1 }
    return !listens
  }

  mutating func endOpening() { openings -= 1 }

  mutating func register(_ service: any Flushable) {
    unregister(service)
    services.append(Registration(service: service))
  }

  mutating func unregister(_ service: any Flushable) {
    services.removeAll { $0.service == nil || $0.service === service }
  }

  mutating func add(_ listener: AsyncStream<FlushReport>.Continuation) -> Int {
    let number = makeNumber()
    listeners[number] = listener
    return number
  }

  mutating func react(to event: LifecycleEvent) -> Reaction {
    let signal: ProcessSignal? = if case .signal(let signal) = event { signal } else { nil }
    guard let running = round else {
      if signal != nil, hasExited { return configuration.afterFlush == .exit ? .proceed : .nothing }
      if event == .exit, !configuration.flushesAtExit {
        hasExited = true
        return .nothing
      }
      let started = Round(
        flush: FlushRound(deadline: .now + configuration.deadline), whenDone: DispatchGroup(),
        signal: signal)
      started.whenDone.enter()
      round = started
      return .start(started)
    }
    guard let signal else { return event == .exit ? joinForExit(running) : .join(running) }
    guard running.signal != nil else {
      round?.signal = signal
      return .nothing
    }
    return configuration.afterFlush == .exit ? .end(running) : .cutShort(running)
  }

  /// An exit that flushes nothing waits only for a signal that ends the process.
  private func joinForExit(_ running: Round) -> Reaction {
    configuration.flushesAtExit || configuration.afterFlush == .exit ? .join(running) : .nothing
  }

  /// Ends the running round. Returns the signal that arrived while another event was flushed, and has to end the
  /// process.
  mutating func endRound(for event: LifecycleEvent) -> ProcessSignal? {
    let signal = round?.signal
    round = nil
    if event == .exit { hasExited = true }
    if case .signal = event { return nil }
    return configuration.afterFlush == .exit ? signal : nil
  }

  private mutating func makeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }
}
