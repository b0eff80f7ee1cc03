// SPDX-License-Identifier: MIT
import Foundation
import SporadesDAL
import SporadesModel

/// A program with a service that has something to flush. The first argument says how it behaves;
/// `ProcessLifecycleTests` starts it, sends it signals, and reads what it prints.
@main
enum LifecycleProbe {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let name = arguments.first ?? ""
    // A shell may have started us with signals ignored, a thread of Dispatch with all blocked.
    if name != Mode.inherits.rawValue {
      for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    }
    if name != Mode.inheritsMask.rawValue {
      var none = sigset_t()
      unsafe sigemptyset(&none)
      unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
    }
    if let mode = Mode(rawValue: name) { return mode.run() }
    guard let mode = SignalMode(rawValue: name), let number = arguments.last.flatMap({ Int32($0) })
    else {
      fatalError(
        "Name one of \(Mode.allCases.map(\.rawValue)), or one of "
          + "\(SignalMode.allCases.map(\.rawValue)) and the number of a signal.")
    }
    mode.run(number)
  }
}

enum Mode: String, CaseIterable {
  case flushes, stays, hangs, hangsBriefly, exits, returns, unlistened, detached, exhausted,
    exitsInHook
  /// The program ends as soon as its input ends.
  case endsWithInput
  /// The signal comes at a moment of the exit: before it, in the flush, in the hook after it, and at its end.
  case signalledBefore, signalledInFlush, signalledInHook, signalledAtTheEnd
  /// The program does not flush at exit, and the signal comes before the exit.
  case signalledWithoutExitFlush
  /// Another thread than the first one calls `exit()`.
  case exitsElsewhere
  /// The dispositions of signals are those of the parent.
  case inherits
  /// The signals that are blocked are those of the parent.
  case inheritsMask
  /// The reactor hears the signal, then not, then again.
  case heardAgain

  func run() {
    let reactor = AppStateReactor.shared
    // Through `print`, so that the tests see whether a signal costs the buffer.
    reactor.configure { $0.onFlushed = { print("flushed \($0.flushedCount)") } }
    let service = ProbeService("journal", hangs: self == .hangs) {
      if self == .signalledInFlush { terminateSelf() }
    }
    let stuck = ProbeService("stuck", hangs: true)
    // Reactors hold services weakly, and these shall outlive `main`.
    Self.kept.withLock { $0 = [service, stuck] }
    prepare(reactor)
    reactor.register(service)
    if self == .hangsBriefly { reactor.register(stuck) }
    say("ready")
    switch self {
    case .exits: exit(3)
    case .returns, .signalledInFlush, .signalledInHook, .signalledAtTheEnd: return
    case .signalledBefore, .signalledWithoutExitFlush: terminateSelf()
    case .exitsElsewhere:
      while readLine() != nil {}
      Thread.detachNewThread { exit(0) }
      DispatchSemaphore(value: 0).wait()
    case .stays: say("host ends after \(firstReport(of: reactor).flushedCount)")
    default: while readLine() != nil {}
    }
  }

  private static let kept = Guarded<[ProbeService]>([])

  private func prepare(_ reactor: AppStateReactor) {
    switch self {
    case .stays:
      reactor.configure {
        $0.afterFlush = .stay
        $0.flushesAtExit = false
      }
    // The second signal may come late: the test that sends it waits for its turn among others.
    case .hangs: reactor.configure { $0.deadline = .seconds(86_400) }
    case .hangsBriefly: reactor.configure { $0.deadline = .milliseconds(200) }
    case .unlistened: reactor.configure { $0.signals = [] }
    case .detached: signal(SIGHUP, SIG_IGN)
    case .exhausted: exhaustGlobalQueues()
    case .exitsInHook: reactor.configure { $0.onFlushed = { _ in exit(9) } }
    case .signalledInHook:
      reactor.configure {
        $0.onFlushed = { report in
          print("flushed \(report.flushedCount)")
          terminateSelf()
        }
      }
    // Functions for the exit run in the reverse order of their registration, so this one runs last.
    case .signalledAtTheEnd: atexit { terminateSelf() }
    case .signalledWithoutExitFlush: reactor.configure { $0.flushesAtExit = false }
    case .heardAgain:
      let first = ProbeService("first", hangs: false)
      reactor.register(first)
      reactor.configure { $0.signals = [] }
      reactor.configure { $0.signals = [.terminate] }
    default: break
    }
  }

  private func firstReport(of reactor: AppStateReactor) -> FlushReport {
    let reports = reactor.flushes
    let isHere = DispatchSemaphore(value: 0)
    let report = Box()
    Task.detached {
      for await next in reports {
        report.value = next
        isHere.signal()
      }
    }
    say("host waits")
    isHere.wait()
    return report.value
  }

  /// Blocks every thread the global queues have.
  private func exhaustGlobalQueues() {
    for _ in 0..<600 {
      DispatchQueue.global(qos: .userInitiated).async { DispatchSemaphore(value: 0).wait() }
    }
  }
}

/// Holds the report on its way from a task to the main thread.
private final class Box: Sendable {
  private let content = Guarded(FlushReport())

  var value: FlushReport {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}

final class ProbeService: Flushable {
  let flushName: String
  private let hangs: Bool
  private let beforeFlush: @Sendable () -> Void

  init(_ name: String, hangs: Bool, beforeFlush: @escaping @Sendable () -> Void = {}) {
    flushName = name
    self.hangs = hangs
    self.beforeFlush = beforeFlush
  }

  func flush(deadline: ContinuousClock.Instant) -> FlushReport {
    say("\(flushName) flushes")
    beforeFlush()
    if hangs { DispatchSemaphore(value: 0).wait() }
    return FlushReport(flushedCount: 3)
  }
}

/// Sends the process a signal, as another process would. The signal is on its way when the call returns.
private func terminateSelf() { kill(getpid(), SIGTERM) }

/// Writes a line at once, past the buffer.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
