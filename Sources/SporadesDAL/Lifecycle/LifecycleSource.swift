// SPDX-License-Identifier: MIT

/// Tells that the process is about to end or to be suspended.
///
/// ``ProcessLifecycle`` does so from signals and `exit()`. An application's notifications are
/// another source, and so is a test's script.
///
/// The contract:
///
/// 1. When ``listen(for:_:)`` returns, each event of the set that the source knows reaches the
///    handler; no other does. An empty set stops the source.
/// 2. ``LifecycleEvent/exit`` and ``LifecycleEvent/suspend`` are delivered by a call the source
///    blocks on, and the handler returns when everything is durable. For a signal it returns at
///    once, so that the next signal can be heard.
/// 3. ``proceed(with:)`` does what the event would have done had nobody listened.
public protocol LifecycleSource: AnyObject, Sendable {
  /// Delivers the events of the set to the handler from now on, and no others.
  func listen(
    for events: Set<LifecycleEvent>, _ handler: @escaping @Sendable (LifecycleEvent) -> Void)
  /// Does what the event does to a process in which nobody listens.
  func proceed(with event: LifecycleEvent)
}

/// What can happen to a process that holds writes which are not durable yet.
public enum LifecycleEvent: Hashable, Sendable {
  /// A signal that ends the process has arrived.
  case signal(ProcessSignal)
  /// The process ends by `exit()` or by returning from its main function.
  case exit
  /// The process may be stopped, and then ended without another word.
  case suspend
}

/// A signal that asks a process to end.
public struct ProcessSignal: Hashable, Sendable {
  /// The number of the signal in the operating system.
  public let number: Int32

  /// The signal of the number.
  public init(number: Int32) { self.number = number }

  /// `SIGHUP`: the terminal went away.
  public static let hangUp = ProcessSignal(number: 1)
  /// `SIGINT`: someone pressed Control-C.
  public static let interrupt = ProcessSignal(number: 2)
  /// `SIGTERM`: a supervisor asks the process to end.
  public static let terminate = ProcessSignal(number: 15)
}

extension ProcessSignal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .hangUp: "SIGHUP"
    case .interrupt: "SIGINT"
    case .terminate: "SIGTERM"
    default: "signal \(number)"
    }
  }
}
