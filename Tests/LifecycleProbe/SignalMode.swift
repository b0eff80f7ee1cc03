// SPDX-License-Identifier: MIT
import CProbeSignals
import Foundation
import SporadesDAL
import SporadesModel

/// A program that does something of its own with the signal that the second argument names. `SignalOwnerTests` starts
/// it.
enum SignalMode: String, CaseIterable {
  /// The program's handler is there before the service.
  case handlerBefore, senderBefore, onceBefore, sourceBefore
  /// The program's handler comes after the service.
  case handlerAfter, passingAfter, sourceAfter, ignoringSourceAfter, ignoredAfter
  /// All threads block the signal, and the program waits for it.
  case taken
  /// A child without `exec()` gets the signal.
  case forked
  /// The service is closed; it is closed and another one comes; it never opened.
  case closed, closedBesideHandler, reopened, failed

  func run(_ signal: Int32) {
    let reactor = AppStateReactor.shared
    reactor.configure { $0.onFlushed = { print("flushed \($0.flushedCount)") } }
    let service = ProbeService("journal", hangs: false)
    prepare(signal)
    reactor.register(service)
    // Reactors hold services weakly, and this one shall outlive `main`.
    Self.kept.withLock { $0 = service }
    switch self {
    case .handlerAfter: probe_handle(signal)
    case .passingAfter: probe_handle_and_pass_on(signal)
    case .ignoredAfter: probe_ignore(signal)
    case .sourceAfter: hearBySource(signal)
    case .ignoringSourceAfter:
      probe_ignore(signal)
      hearBySource(signal)
    case .closed, .closedBesideHandler: reactor.unregister(service)
    case .reopened:
      reactor.unregister(service)
      reactor.register(service)
    case .failed:
      reactor.unregister(service)
      struct NoStore: Error {}
      Self.unopened.withLock { $0 = DALService { throw NoStore() } }
    case .forked: say("a child ended by \(probe_signal_a_child(signal))")
    case .taken, .handlerBefore, .senderBefore, .onceBefore, .sourceBefore: break
    }
    say(unsafe String(cString: probe_action(signal)))
    if self == .taken { say("taken \(probe_take(signal))") }
    while readLine() != nil {}
  }

  private func prepare(_ signal: Int32) {
    switch self {
    case .handlerBefore, .closedBesideHandler: probe_handle(signal)
    case .senderBefore: probe_handle_with_sender(signal)
    case .onceBefore: probe_handle_once(signal)
    case .sourceBefore: hearBySource(signal)
    case .taken: probe_block(signal)
    default: break
    }
  }

  private static let kept = Guarded<ProbeService?>(nil)
  private static let source = Guarded<(any DispatchSourceSignal)?>(nil)
  private static let unopened = Guarded<DALService?>(nil)

  /// Makes a source for the signal that prints the line of a handler. Returns when it is active.
  private func hearBySource(_ signal: Int32) {
    let isActive = DispatchSemaphore(value: 0)
    let source = DispatchSource.makeSignalSource(
      signal: signal, queue: DispatchQueue(label: "other"))
    source.setRegistrationHandler { isActive.signal() }
    source.setEventHandler { say("own handler") }
    source.activate()
    isActive.wait()
    Self.source.withLock { $0 = source }
  }
}
