// SPDX-License-Identifier: MIT
import Foundation
import Sporades

/// Keeps the lines of standard input, each in a write of its own, and loses none it has confirmed.
@main struct Journal {
  static func main() {
    do {
      let order = try Order(arguments: CommandLine.arguments.dropFirst())
      let notebook = Notebook(order)
      if order.lists { try notebook.list() } else { try keep(notebook) }
    } catch let problem as Order.Problem {
      Console.complain("\(problem)\n\(Order.usage)")
      exit(64)
    } catch {
      Console.complain("\(error)")
      exit(74)
    }
  }

  /// Writes line after line until the input or the process ends.
  private static func keep(_ notebook: Notebook) throws {
    let receipts = Receipts()
    // A signal ends the process: the reactor flushes, and this is printed before it does.
    AppStateReactor.shared.configure { $0.onFlushed = { _ in receipts.close() } }
    try notebook.open()
    while let line = Console.line() {
      if let failure = notebook.write(line) {
        // Refused, because a signal has come? What it started ends the process.
        if failure.isStopping { DispatchSemaphore(value: 0).wait() }
        throw failure
      }
      receipts.confirm()
    }
    try notebook.close()
    receipts.close()
  }
}

extension DALError {
  /// The write was refused since the process is ending.
  fileprivate var isStopping: Bool {
    switch code {
    case .stopping, .closed: true
    default: false
    }
  }
}
