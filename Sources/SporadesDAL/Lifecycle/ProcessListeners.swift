// SPDX-License-Identifier: MIT
import CSystem
import Dispatch
import SporadesModel

/// The blocks that a source has called for the process's events.
struct ProcessListener: Sendable {
  /// Delivers the signals that have arrived.
  let deliverArrivals: @Sendable () -> Void
  /// Delivers the exit and waits for its handler.
  let deliverExit: @Sendable () -> Void
  /// Ends the delivery of signals.
  let endListening: @Sendable () -> Void
}

/// The sources that hear the process's signals and its exit.
enum ProcessListeners {
  private static let listeners = Guarded<[(owner: ObjectIdentifier, listener: ProcessListener)]>(
    [])
  private static let isQueue = DispatchSpecificKey<Bool>()
  private static let queue: DispatchQueue = {
    let queue = DispatchQueue(label: "sporades.signals", qos: .userInitiated)
    queue.setSpecific(key: isQueue, value: true)
    return queue
  }()

  static func set(_ listener: ProcessListener?, for owner: ObjectIdentifier) {
    // The C library takes no more functions when it has called all, and then nobody calls the listener. A service that
    // opens on one thread while another ends the process meets that.
    guard listener == nil || isExitHeard else { return }
    listeners.withLock { listeners in
      listeners.removeAll { $0.owner == owner }
      if let listener { listeners.append((owner, listener)) }
    }
  }

  // MARK: - Signals

  /// Begins to deliver signals, unless that was begun. Signals that came before are delivered, too.
  static func beginReading() {
    _ = reader
    if sporades_inherited_descriptor() >= 0 { _ = inheritedReader }
  }

  // The sources live as long as the process.
  private static let reader = Guarded(makeReader(of: sporades_signal_descriptor()))
  private static let inheritedReader = Guarded(makeReader(of: sporades_inherited_descriptor()))

  /// Calls the listeners when the descriptor becomes readable.
  private static func makeReader(of descriptor: Int32) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { deliverArrivals(listeners.withLock { $0.map(\.listener) }) }
    source.activate()
    return source
  }

  /// Delivers what has arrived. Returns when the handlers of all earlier arrivals have returned.
  private static func deliverArrivals(_ all: [ProcessListener]) {
    let deliver = {
      sporades_drain_signal_descriptors()
      for listener in all { listener.deliverArrivals() }
    }
    // A handler that runs on the queue may call `exit()`.
    let isOnQueue = DispatchQueue.getSpecific(key: isQueue) != nil
    if isOnQueue { deliver() } else { queue.sync(execute: deliver) }
  }

  // MARK: - The exit

  /// C keeps no closures, so one function is registered once and calls all listeners.
  private static let isExitHeard: Bool = atProcessExit {
    let all = listeners.withLock { $0.map(\.listener) }
    guard !all.isEmpty else { return }
    deliverArrivals(all)
    for listener in all { listener.deliverExit() }
    // A signal may end the process in the next step.
    writeOutStandardOutput()
    for listener in all { listener.endListening() }
    // Signals that came before that step.
    deliverArrivals(all)
  }
}
