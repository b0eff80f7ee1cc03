// SPDX-License-Identifier: MIT

/// Columns of texts for people, as wide as the terminal.
struct TextTable {
  struct Column {
    let title: String
    var isNumber = false
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  init(_ columns: [Column]) { self.columns = columns }

  /// A table whose columns hold texts.
  init(_ titles: String...) { columns = titles.map { Column(title: $0) } }

  mutating func add(_ cells: [String]) { rows.append(cells.map(Self.harmless)) }

  /// The lines, with the titles first.
  func lines(_ terminal: Terminal) -> [String] {
    let widths = widths(terminal)
    return [head(widths, terminal)] + body(widths)
  }

  func head(_ widths: [Int], _ terminal: Terminal) -> String {
    terminal.bold(line(columns.map(\.title), widths))
  }

  func body(_ widths: [Int]) -> [String] { rows.map { line($0, widths) } }

  private static let gap = 2
  private static let narrowest = 3

  /// The width of each column. Where the terminal is narrower than all of them, the widest ones give way.
  func widths(_ terminal: Terminal) -> [Int] {
    var widths = columns.indices.map { place in
      rows.reduce(DisplayWidth.of(columns[place].title)) { max($0, DisplayWidth.of($1[place])) }
    }
    guard let limit = terminal.width else { return widths }
    var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - limit
    while excess > 0, let widest = widths.max(), widest > Self.narrowest {
      // All of the widest ones together, down to the next narrower one.
      let places = widths.indices.filter { widths[$0] == widest }
      let next = max(widths.filter { $0 < widest }.max() ?? 0, Self.narrowest)
      let step = min(widest - next, max(1, (excess + places.count - 1) / places.count))
      for place in places { widths[place] -= step }
      excess -= step * places.count
    }
    return widths
  }

  /// Whether titles of columns are cut, so that nobody can tell the columns apart.
  func isCramped(_ widths: [Int]) -> Bool {
    zip(columns, widths).contains { $1 < min(DisplayWidth.of($0.title), 6) }
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (place, cell) in cells.enumerated() {
      let shown = DisplayWidth.shortened(cell, to: widths[place])
      let blanks = String(repeating: " ", count: max(0, widths[place] - DisplayWidth.of(shown)))
      let isLast = place == cells.count - 1
      line += columns[place].isNumber ? blanks + shown : shown + (isLast ? "" : blanks)
      if !isLast { line += String(repeating: " ", count: Self.gap) }
    }
    return line
  }

  /// The text on one line, and without characters that would command the terminal.
  static func harmless(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isCommand) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": shown += "⏎"
      case "\t": shown += " "
      case _ where isCommand(scalar): shown += "�"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// Several lines without such characters.
  static func harmlessLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { harmless(String($0)) }
      .joined(separator: "\n")
  }

  /// Control characters, and those that turn the direction of what follows.
  private static func isCommand(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
    default: false
    }
  }
}
