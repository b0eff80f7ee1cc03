// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import Synchronization

private let isStopping = Atomic(false)

/// The code in "The end of the process". It is compiled and not called, because it changes the signals of the process.
enum SignalDocumentation {
  static func settings() {
    // snippet: end-settings
    AppStateReactor.shared.configure {
      $0.deadline = .seconds(5)
      $0.willFlush = { print("stopping") }
      $0.onFlushed = { report in print(report) }
    }
    // snippet end
  }

  static func handler(_ service: DALService, _ answerRequest: () -> Void) throws {
    // snippet: own-signal-handler
    signal(SIGTERM) { _ in isStopping.store(true, ordering: .relaxed) }
    while !isStopping.load(ordering: .relaxed) { answerRequest() }
    try service.close()
    // snippet end
  }

  static func source() -> any DispatchSourceSignal {
    // snippet: own-signal-source
    signal(SIGTERM, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
    source.setEventHandler {
      let report = AppStateReactor.shared.flush()
      exit(report.isComplete ? 0 : 1)
    }
    source.activate()
    // snippet end
    return source
  }

  static func none() {
    // snippet: no-signals
    AppStateReactor.shared.configure { $0.signals = [] }
    // snippet end
  }
}
