// SPDX-License-Identifier: MIT
import CoreData
import SporadesDAL

/// Hears that the process is told to end.
public protocol AppStateReactorDelegate {
  /// Called before the process ends. It ends when all delegates have returned, or after the reactor's deadline.
  func didReceiveStateChange(_ appStateReactor: AppStateReactor)
}

/// Tells its delegate that the process is about to end: by SIGTERM, SIGINT, SIGHUP or an exit.
public final class AppStateReactor {
  /// Hears of the end. The reactor does not keep a class alive.
  public var delegate: (any AppStateReactorDelegate)? {
    get { listener.delegate }
    set { listener.delegate = newValue }
  }
  private let listener = Listener()

  /// Begins to listen.
  public init() {
    listener.reactor = self
    SporadesDAL.AppStateReactor.shared.register(listener)
  }

  deinit { SporadesDAL.AppStateReactor.shared.unregister(listener) }
}

/// The reactor as the library's one asks it.
private final class Listener: Flushable, @unchecked Sendable {
  // @unchecked: the delegate is set before the process ends.
  weak var reactor: AppStateReactor?
  private weak var object: AnyObject?
  private var value: (any AppStateReactorDelegate)?

  var delegate: (any AppStateReactorDelegate)? {
    get { object as? any AppStateReactorDelegate ?? value }
    set {
      let isObject = newValue.map { type(of: $0) is AnyClass } ?? false
      object = isObject ? newValue as AnyObject : nil
      value = isObject ? nil : newValue
    }
  }

  var flushName: String { "Skopelos" }

  func flush(deadline: ContinuousClock.Instant) -> FlushReport {
    guard let reactor, let delegate else { return FlushReport() }
    delegate.didReceiveStateChange(reactor)
    return FlushReport()
  }
}
