// SPDX-License-Identifier: MIT

/// Delivers events of a process that is about to end or to be suspended.
///
/// ``ProcessLifecycle`` delivers signals and `exit()`. Another source can deliver the notifications of an
/// application, or the script of a test.
///
/// The contract:
///
/// 1. After ``listen(for:_:)`` has returned, the handler gets each event of the set that the source knows, and no
///    other event. An empty set stops the source.
/// 2. The source waits for the handler of ``LifecycleEvent/exit`` and ``LifecycleEvent/suspend``, which returns
///    when all writes are durable. The handler of a signal returns at once, so that the source can deliver the
///    next signal.
/// 3. The source delivers each signal that came before the end of the exit. A signal that comes during the exit has
///    its effect before the process can end in another way.
/// 4. ``proceed(with:)`` has the effect that the event has without a listener.
/// 5. ``listen(for:_:)`` waits for no other thread that makes a service. The reactor calls it on a separate thread
///    while the first service opens, and the service waits for the call.
/// 6. A signal of the set that the program handles itself is delivered as ``LifecycleEvent/handledSignal(_:)``. The
///    handler returns at once.
public protocol LifecycleSource: AnyObject, Sendable {
  /// Delivers the events of the set to the handler, instead of the events and the handler of an earlier call.
  func listen(
    for events: Set<LifecycleEvent>, _ handler: @escaping @Sendable (LifecycleEvent) -> Void)
  /// Lets the event take its usual effect, such as the end of the process.
  func proceed(with event: LifecycleEvent)
}

/// An event that threatens writes that are not durable yet.
public enum LifecycleEvent: Hashable, Sendable {
  /// A signal that ends the process has arrived.
  case signal(ProcessSignal)
  /// A signal has arrived that another handler of the program got too, which decides whether the process ends.
  case handledSignal(ProcessSignal)
  /// The process calls `exit()` or returns from its main function.
  case exit
  /// The system may suspend the process, and then end it without another event.
  case suspend
}

/// A signal that asks a process to end.
public struct ProcessSignal: Hashable, Sendable {
  /// The number of the signal in the C library.
  public let number: Int32

  /// Makes the signal with a number.
  public init(number: Int32) { self.number = number }

  /// `SIGHUP`: the terminal went away.
  public static let hangUp = ProcessSignal(number: 1)
  /// `SIGINT`: someone pressed Control-C.
  public static let interrupt = ProcessSignal(number: 2)
  /// `SIGTERM`: a supervisor asks the process to end.
  public static let terminate = ProcessSignal(number: 15)
}

extension ProcessSignal: CustomStringConvertible {
  /// The name of the signal, or its number if it has no name here.
  public var description: String {
    switch self {
    case .hangUp: "SIGHUP"
    case .interrupt: "SIGINT"
    case .terminate: "SIGTERM"
    default: "signal \(number)"
    }
  }
}
