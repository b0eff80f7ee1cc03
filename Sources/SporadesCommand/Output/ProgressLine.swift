// SPDX-License-Identifier: MIT
import SporadesModel

/// A line on the terminal that shows how far the work is. Where the messages lead elsewhere, there is none.
final class ProgressLine: Sendable {
  private struct State {
    var shown = ""
    var next = ContinuousClock.now
  }

  private let title: String
  private let isVisible: Bool
  private let state = Guarded(State())

  init(_ title: String, _ terminal: Terminal) {
    self.title = title
    isVisible = terminal.showsMessages
  }

  /// Shows a number of pieces of a whole; without a whole, the number alone. It changes the line ten times a second.
  func show(_ done: Int, of total: Int?) {
    guard isVisible else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      guard now >= state.next else { return }
      state.next = now + .milliseconds(100)
      Self.replace(&state.shown, by: Self.text(title, done, total))
    }
  }

  /// Removes the line.
  func end() {
    guard isVisible else { return }
    state.withLock { Self.replace(&$0.shown, by: "") }
  }

  private static let cells = 24

  private static func text(_ title: String, _ done: Int, _ total: Int?) -> String {
    guard let total, total > 0 else { return "\(title) \(done)" }
    let part = Double(min(done, total)) / Double(total)
    let full = Int(part * Double(cells))
    let bar =
      String(repeating: "█", count: full) + String(repeating: "░", count: cells - full)
    return "\(title) \(bar) \(Int(part * 100)) %"
  }

  private static func replace(_ shown: inout String, by text: String) {
    guard shown != text else { return }
    // Back to the beginning of the line, and clear it.
    Output.writeError("\r\u{1B}[K" + text)
    shown = text
  }
}
