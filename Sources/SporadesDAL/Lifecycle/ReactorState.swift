// SPDX-License-Identifier: MIT
import Dispatch

/// What a reactor knows, and what it decides on an event: a value that does nothing itself.
struct ReactorState {
  var configuration: AppStateReactor.Configuration
  var listeners: [Int: AsyncStream<FlushReport>.Continuation] = [:]
  /// The flush that an event has started and that is not over.
  var round: Round?
  private(set) var isListening = false
  private var services: [ObjectIdentifier: Registration] = [:]
  private var nextNumber = 0

  struct Round: Sendable {
    let flush: FlushRound
    /// Entered until the round is over, its callbacks included.
    let whenDone: DispatchGroup
    /// A signal has started the flush or arrived during it; the next one means *now*.
    var isSignalled: Bool
  }

  private struct Registration {
    weak let service: (any Flushable)?
    /// The place in the order of registration, so that reports have an order.
    let number: Int
  }

  enum Reaction {
    case start(Round)
    /// A flush is running: wait until it is over.
    case join(Round)
    case cutShort(Round)
    /// End the process without waiting for the flush.
    case end(Round)
    case nothing
  }

  init(configuration: AppStateReactor.Configuration) {
    self.configuration = configuration
  }

  /// The services to flush, in the order they registered.
  var alive: [any Flushable] {
    services.values.sorted { $0.number < $1.number }.compactMap(\.service)
  }

  /// Adds a service and says whether it is the first ever.
  mutating func register(_ service: any Flushable) -> Bool {
    services = services.filter { $0.value.service != nil }
    services[ObjectIdentifier(service)] = Registration(service: service, number: makeNumber())
    defer { isListening = true }
    return !isListening
  }

  mutating func unregister(_ service: any Flushable) {
    services[ObjectIdentifier(service)] = nil
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
