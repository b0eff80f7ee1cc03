// SPDX-License-Identifier: MIT
import Dispatch

/// The state of a reactor, which chooses the reaction to each event. It is a value without effects.
struct ReactorState {
  var configuration: AppStateReactor.Configuration
  var listeners: [Int: AsyncStream<FlushReport>.Continuation] = [:]
  /// The running flush that an event has started; nil if there is none.
  var round: Round?
  private(set) var isListening = false
  /// The registrations in the order of reports.
  private var services: [Registration] = []
  private var nextNumber = 0

  struct Round: Sendable {
    let flush: FlushRound
    /// Entered until the round and its callbacks are over.
    let whenDone: DispatchGroup
    /// A signal has started the flush or arrived during it; the next one means *now*.
    var isSignalled: Bool
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
    case nothing
  }

  init(configuration: AppStateReactor.Configuration) {
    self.configuration = configuration
  }

  /// The living services in the order of their registration.
  var alive: [any Flushable] {
    services.compactMap(\.service)
  }

  /// Adds a service. Returns true if it is the first one ever.
  mutating func register(_ service: any Flushable) -> Bool {
    unregister(service)
    services.append(Registration(service: service))
    defer { isListening = true }
    return !isListening
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
    let isSignal = if case .signal = event { true } else { false }
    guard let running = round else {
      let started = Round(
        flush: FlushRound(deadline: .now + configuration.deadline), whenDone: DispatchGroup(),
        isSignalled: isSignal)
      started.whenDone.enter()
      round = started
      return .start(started)
    }
    guard isSignal else { return .join(running) }
    guard running.isSignalled else {
      round?.isSignalled = true
      return .nothing
    }
    return configuration.afterFlush == .exit ? .end(running) : .cutShort(running)
  }

  private mutating func makeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }
}
