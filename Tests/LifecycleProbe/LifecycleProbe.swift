// SPDX-License-Identifier: MIT
import Foundation
import SporadesDAL
import SporadesModel

/// A program with a service that has something to flush. The first argument says how it behaves;
/// `ProcessLifecycleTests` starts it, sends it signals, and reads what it prints.
@main
enum LifecycleProbe {
  static func main() {
    guard CommandLine.arguments.count == 2, let mode = Mode(rawValue: CommandLine.arguments[1])
    else { fatalError("Name one of \(Mode.allCases.map(\.rawValue)).") }
    // A shell may have started us with signals ignored, a thread of Dispatch with all blocked.
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
    mode.run()
  }
}

enum Mode: String, CaseIterable {
  case flushes, stays, hangs, hangsBriefly, exits, returns, unlistened, detached, exhausted,
    exitsInHook

  func run() {
    let reactor = AppStateReactor.shared
    // Through `print`, so that the tests see whether a signal costs the buffer.
    reactor.configure { $0.onFlushed = { print("flushed \($0.flushedCount)") } }
    let service = ProbeService("journal", hangs: self == .hangs)
    let stuck = ProbeService("stuck", hangs: true)
    // Reactors hold services weakly, and these shall outlive `main`.
    Self.kept.withLock { $0 = [service, stuck] }
    prepare(reactor)
    reactor.register(service)
    if self == .hangsBriefly { reactor.register(stuck) }
    say("ready")
    switch self {
    case .exits: exit(3)
    case .returns: return
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
    case .hangsBriefly: reactor.configure { $0.deadline = .milliseconds(200) }
    case .unlistened: reactor.configure { $0.signals = [] }
    case .detached: signal(SIGHUP, SIG_IGN)
    case .exhausted: exhaustGlobalQueues()
    case .exitsInHook: reactor.configure { $0.onFlushed = { _ in exit(9) } }
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

private final class ProbeService: Flushable {
  let flushName: String
  private let hangs: Bool

  init(_ name: String, hangs: Bool) {
    flushName = name
    self.hangs = hangs
  }

  func flush(deadline: ContinuousClock.Instant) -> FlushReport {
    say("\(flushName) flushes")
    if hangs { DispatchSemaphore(value: 0).wait() }
    return FlushReport(flushedCount: 3)
  }
}

/// Writes a line at once, past the buffer.
private func say(_ line: String) {
  FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
