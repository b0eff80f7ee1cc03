// SPDX-License-Identifier: MIT

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Tells whether people read the output and the messages, and how wide their terminal is.
struct Terminal: Sendable {
  /// Whether the answers appear on a terminal.
  let showsOutput: Bool
  /// Whether the words about the work appear on a terminal.
  let showsMessages: Bool
  /// Whether the answers have colours.
  let hasColour: Bool
  /// The number of columns; nil where nothing limits them.
  let width: Int?

  /// Asks the system and the environment.
  static func current(_ environment: [String: String]) -> Terminal {
    let shows = isatty(1) == 1
    // https://no-color.org: any value that is not empty.
    let wantsColour = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    return Terminal(
      showsOutput: shows, showsMessages: isatty(2) == 1, hasColour: shows && wantsColour,
      width: shows ? columns() : nil)
  }

  private static func columns() -> Int {
    var size = winsize()
    let code = unsafe ioctl(1, UInt(TIOCGWINSZ), &size)
    return code == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// The text in bold letters, where there are any.
  func bold(_ text: String) -> String { styled(text, "1") }
  /// The text in a fainter colour, where there is one.
  func faint(_ text: String) -> String { styled(text, "2") }
  func red(_ text: String) -> String { styled(text, "31") }
  func green(_ text: String) -> String { styled(text, "32") }

  private func styled(_ text: String, _ code: String) -> String {
    hasColour && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
